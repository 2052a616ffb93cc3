use gamewire_machine::{Instant, Machine, Stream, Wake};

use super::event::Event;
use super::player::Player;
use crate::session::client::{CloseReason, Event as ClientEvent};

impl Machine for Player {
    type Event = Event;

    fn handle_timeout(&mut self, now: Instant) {
        self.client.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.client.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        let event = self.own.events.pop_front();
        if event.is_some() {
            return event;
        }
        while let Some(event) = self.client.poll_event() {
            if let ClientEvent::Closed(reason) = event {
                return Some(Event::Closed(reason));
            }
        }
        None
    }
}

impl Stream for Player {
    type Error = CloseReason;

    fn handle_bytes(&mut self, now: Instant, data: &[u8]) -> Result<(), CloseReason> {
        let Self { client, own, .. } = self;
        client.handle_bytes_with(now, data, |event| own.on_event(event))
    }

    fn handle_eof(&mut self, now: Instant) {
        self.client.handle_eof(now);
    }

    fn poll_write(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool {
        self.client.poll_write(now, buffer)
    }
}
