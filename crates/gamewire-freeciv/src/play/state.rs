use gamewire_machine::{EventLimits, EventQueue};

use super::event::Event;
use super::pending_orders::PendingOrders;
use crate::packets::{Packet, PlayerInfo};
use crate::session::RequestId;
use crate::session::client::{Event as ClientEvent, Incoming};
use crate::world::World;

/// The state of a player, except the state of its client.
pub(super) struct PlayerState {
    pub(super) world: World,
    pub(super) orders: PendingOrders,
    pub(super) events: EventQueue<Event>,
    pub(super) is_ready: bool,
    has_joined: bool,
    pub(super) on_packet: Option<PacketCallback>,
    packet_events: bool,
    /// The turn that the player must end again, because another player died in it. A server counts the players that have
    /// ended a turn only when one of them ends it or leaves, and it ignores orders of a dead player.
    pub(super) turn_to_end_again: Option<i16>,
}

/// A callback for every packet from the server.
type PacketCallback = Box<dyn FnMut(&Packet<'_>) + Send>;

impl PlayerState {
    pub(super) fn new(limits: EventLimits, packet_events: bool) -> Self {
        Self {
            world: World::new(),
            orders: PendingOrders::default(),
            events: EventQueue::new(limits),
            is_ready: false,
            has_joined: false,
            on_packet: None,
            packet_events,
            turn_to_end_again: None,
        }
    }

    pub(super) fn receive(&mut self, incoming: Incoming<'_>) {
        match incoming {
            Incoming::Packet(packet) => {
                if self.packet_events {
                    self.events.push(Event::Packet(packet.to_owned()));
                }
                packet.packet().iter().for_each(|packet| self.handle_packet(packet));
            }
            Incoming::Event(event) => self.on_event(event),
        }
    }

    fn handle_packet(&mut self, packet: &Packet<'_>) {
        if let Packet::PlayerInfo(info) = packet
            && self.is_death_during_wait(info)
        {
            self.turn_to_end_again = Some(self.world.turn());
        }
        self.world.apply(packet);
        self.orders.on_packet(packet, &self.world);
        if let Some(callback) = &mut self.on_packet {
            callback(packet);
        }
        self.events.push(Event::Updated);
    }

    /// Returns whether a packet, before it is applied, shows that another player has died in the turn that the own player
    /// has ended.
    fn is_death_during_wait(&self, info: &PlayerInfo) -> bool {
        let was_alive = self.world.player(info.playerno).is_some_and(|player| player.is_alive);
        let has_ended_turn = self.world.me().is_some_and(|me| me.is_alive && me.phase_done);
        was_alive
            && !info.is_alive
            && has_ended_turn
            && !self.world.is_turn_over()
            && !self.world.is_observer()
    }

    fn on_event(&mut self, event: ClientEvent) {
        match event {
            ClientEvent::PasswordRequested { request, message } => {
                self.events.push(Event::PasswordRequested { request, message });
            }
            ClientEvent::Joined(joined) => {
                self.has_joined = true;
                self.events.push(Event::Joined(joined));
            }
            ClientEvent::RoleChanged(role) => self.events.push(Event::RoleChanged(role)),
            ClientEvent::Started(request) => self.orders.on_started(request),
            ClientEvent::Finished(request) => self.on_finished(request),
            // Packets do not arrive as events, no event is dropped, and `Closed` stays in the client until it is
            // polled.
            ClientEvent::Packet(_) | ClientEvent::Missed { .. } | ClientEvent::Closed(_) => {}
        }
    }

    fn on_finished(&mut self, request: RequestId) {
        if let Some(order) = self.orders.on_finished(request, &self.world) {
            self.events.push(Event::OrderFinished(order));
        }
        // The first request that finishes after the join is the join request or the password.
        if self.has_joined && !self.is_ready {
            self.is_ready = true;
            self.events.push(Event::Ready);
        }
    }
}
