use std::collections::VecDeque;

use super::answers::PendingOrders;
use super::event::Event;
use crate::session::RequestId;
use crate::session::client::Event as ClientEvent;
use crate::session::codec::PacketRef;
use crate::v30::Packet;
use crate::world::World;

/// What a player has beside the client: it hears what the client hears.
#[derive(Default)]
pub(super) struct PlayerState {
    pub(super) world: World,
    pub(super) answers: PendingOrders,
    pub(super) events: VecDeque<Event>,
    pub(super) is_ready: bool,
    has_joined: bool,
    pub(super) watch: Option<PacketCallback>,
}

/// Sees every packet of the server.
type PacketCallback = Box<dyn FnMut(&Packet<'_>) + Send>;

impl PlayerState {
    /// So many events wait to be polled; those beyond are not told.
    const MAX_EVENTS: usize = 4096;

    /// The client heard something.
    pub(super) fn on_event(&mut self, event: ClientEvent<PacketRef<'_>>) {
        match event {
            ClientEvent::Packet(received) => received.packet().iter().for_each(|packet| self.packet(packet)),
            ClientEvent::PasswordWanted { request, message } => {
                self.tell(Event::PasswordRequested { request, message });
            }
            ClientEvent::Joined(joined) => {
                self.has_joined = true;
                self.tell(Event::Joined(joined));
            }
            ClientEvent::RoleChanged(role) => self.tell(Event::RoleChanged(role)),
            ClientEvent::Started(request) => self.answers.started(request),
            ClientEvent::Finished(request) => self.finish(request),
            // The client keeps that one until it is polled.
            ClientEvent::Closed(_) => {}
        }
    }

    fn packet(&mut self, packet: &Packet<'_>) {
        self.world.apply(packet);
        self.answers.heard(packet);
        if let Some(watch) = &mut self.watch {
            watch(packet);
        }
        if !matches!(self.events.back(), Some(Event::Updated)) {
            self.tell(Event::Updated);
        }
    }

    fn finish(&mut self, request: RequestId) {
        if let Some(ticket) = self.answers.finished(request) {
            self.tell(Event::OrderFinished(ticket));
        }
        // What let it in: the join request, or a password.
        if self.has_joined && !self.is_ready {
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
