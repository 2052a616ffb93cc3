use std::collections::VecDeque;

use super::answers::Answers;
use super::event::Event;
use super::typed::Typed;
use crate::delta::active_capabilities;
use crate::session::RequestId;
use crate::session::client::{ClientConfig, Event as ClientEvent, Joined};
use crate::session::codec::Received;
use crate::v30::{self, Packet};
use crate::world::World;

/// What a player has beside the client: it hears what the client hears.
pub(super) struct Own {
    pub(super) world: World,
    pub(super) answers: Answers,
    pub(super) events: VecDeque<Event>,
    pub(super) is_ready: bool,
    pub(super) watch: Option<Watch>,
    typed: Typed,
    capabilities: String,
}

/// Sees every packet of the server.
type Watch = Box<dyn FnMut(&Packet<'_>) + Send>;

impl Own {
    /// So many events wait to be polled; those beyond are not told.
    const MAX_EVENTS: usize = 4096;

    pub(super) fn new(config: &ClientConfig) -> Self {
        Self {
            world: World::new(),
            answers: Answers::default(),
            events: VecDeque::new(),
            is_ready: false,
            watch: None,
            typed: Typed::new(config.frame_limits, config.delta_limits),
            capabilities: config.capabilities.clone(),
        }
    }

    /// The client heard something in these bytes.
    pub(super) fn hear(&mut self, event: ClientEvent<Received<'_>>, data: &mut &[u8]) {
        match event {
            ClientEvent::Packet(_) => self.packet(data),
            ClientEvent::PasswordWanted { request, message } => {
                self.tell(Event::PasswordWanted { request, message });
            }
            ClientEvent::Joined(joined) => {
                self.agree(&joined);
                self.tell(Event::Joined(joined));
            }
            ClientEvent::RoleChanged(role) => {
                self.typed.set_role(role);
                self.tell(Event::RoleChanged(role));
            }
            ClientEvent::Started(request) => self.answers.started(request),
            ClientEvent::Finished(request) => self.finish(request),
            // The client keeps that one until it is polled.
            ClientEvent::Closed(_) => {}
        }
    }

    fn packet(&mut self, data: &mut &[u8]) {
        let Some(packet) = self.typed.next(data) else { return };
        self.world.apply(&packet);
        self.answers.heard(&packet);
        if let Some(watch) = &mut self.watch {
            watch(&packet);
        }
        if !matches!(self.events.back(), Some(Event::Updated)) {
            self.tell(Event::Updated);
        }
    }

    /// What is left of the bytes is the begin of a packet.
    pub(super) fn rest(&mut self, data: &mut &[u8]) {
        self.packet(data);
    }

    fn agree(&mut self, joined: &Joined) {
        let known = v30::protocol().capabilities;
        let active = active_capabilities(&known, &self.capabilities, joined.capabilities.as_str());
        self.typed.set_capabilities(&active);
    }

    fn finish(&mut self, request: RequestId) {
        if let Some(ticket) = self.answers.finished(request) {
            self.tell(Event::Answered(ticket));
        }
        if request == RequestId::FIRST && !self.is_ready {
            self.is_ready = true;
            self.tell(Event::Ready);
        }
    }

    fn tell(&mut self, event: Event) {
        if self.events.len() < Self::MAX_EVENTS {
            self.events.push_back(event);
        }
    }
}
