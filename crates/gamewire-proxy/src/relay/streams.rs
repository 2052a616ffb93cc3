//! Streams from clients and to the server.

use std::io::ErrorKind;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_net::canonical;
use gamewire_watch::{CloseReason, unix_nanos};
use mio::Interest;

use super::Relay;
use super::client::Path;
use super::clients::Slot;
use super::ready::{LISTENER, token};
use super::sockets;
use super::stats::increment;
use super::stream::{ReadOutcome, StreamEnd, Streams};

/// Maximum number of streams accepted before other sockets are served.
const MAX_ACCEPTED_PER_TURN: usize = 32;

impl Relay {
    /// Accepts waiting streams.
    pub(super) fn accept(&mut self) {
        for _ in 0..MAX_ACCEPTED_PER_TURN {
            let Some(listener) = &self.listener else { return };
            match listener.accept() {
                Ok((stream, address)) => {
                    let now = self.now();
                    let address = canonical(address);
                    if self.clients.is_own(address) {
                        increment(&mut self.stats.from_itself);
                    } else if self.may_add(now, address) {
                        self.open_streams(now, sockets::accepted(stream), address);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // The client has disconnected, or no file descriptor is free. The relay tries again later.
                Err(_) => {
                    increment(&mut self.stats.socket_errors);
                    return;
                }
            }
        }
        self.ready.add(LISTENER);
    }

    fn open_streams(&mut self, now: Instant, mut client: mio::net::TcpStream, address: std::net::SocketAddr) {
        let index = self.clients.next_index();
        let opened = sockets::connect_tcp(self.config.server).and_then(|mut server| {
            let both = Interest::READABLE | Interest::WRITABLE;
            self.poll.registry().register(&mut client, token(index, Role::Client), both)?;
            self.poll.registry().register(&mut server, token(index, Role::Server), both)?;
            let local = server.local_addr()?;
            Ok((server, local))
        });
        let Some((server, local)) = self.or_refuse(opened) else { return };
        let bridge = self.bridge(now, address, Transport::Tcp);
        let (client, server) = (StreamEnd::new(client, true), StreamEnd::new(server, false));
        let streams = Streams { client, server, ended: None };
        let slot = self.add_client(now, address, local, Path::Tcp(streams), bridge);
        self.drain(slot, now);
    }

    /// Writes to and reads from one stream of a client.
    pub(super) fn serve_stream(&mut self, slot: Slot, side: Role) {
        let Some(Path::Tcp(streams)) = self.clients.get_mut(slot).map(|client| &mut client.path) else {
            return;
        };
        let end = streams.end(side);
        let was_full = !end.has_room();
        if let Err(error) = end.write() {
            return self.close(slot, CloseReason::NoServer(error.kind()));
        }
        if was_full && end.has_room() {
            self.ready.add(token(slot.index, side.other()));
        }
        self.read_stream(slot, side);
        self.check_ends(slot);
    }

    /// Reads from a stream, unless the other side is busy or its queue is full.
    fn read_stream(&mut self, slot: Slot, side: Role) {
        let now = self.now();
        if self.links.is_busy(side.other()) {
            return self.held_up.add(token(slot.index, side));
        }
        let Some(Path::Tcp(streams)) = self.clients.get_mut(slot).map(|client| &mut client.path) else {
            return;
        };
        // The stream is served again when the queue has space.
        if !streams.end(side.other()).has_room() {
            return;
        }
        let mut buffer = core::mem::take(&mut self.received);
        let outcome = streams.end(side).read(&mut buffer);
        match outcome {
            ReadOutcome::Bytes(count) => {
                self.deliver(slot, side, buffer.get(..count).unwrap_or_default(), now, unix_nanos());
                self.ready.add(token(slot.index, side));
            }
            ReadOutcome::Nothing => {}
            ReadOutcome::End => {
                streams.note_end(now, side);
                if let Some(client) = self.clients.get_mut(slot) {
                    client.bridge.handle_close(now, side);
                }
                self.drain(slot, now);
            }
        }
        self.received = buffer;
    }

    /// Closes each direction after its last bytes are written. Removes the client when both streams are done.
    pub(super) fn check_ends(&mut self, slot: Slot) {
        let is_delayed = self.links.has_streams();
        let Some(Path::Tcp(streams)) = self.clients.get_mut(slot).map(|client| &mut client.path) else {
            return;
        };
        // The link must deliver the delayed bytes before the end. The client is served again after that.
        if streams.ended.is_some() && is_delayed {
            return self.held_up.add(token(slot.index, Role::Client));
        }
        if let Some((first, _)) = streams.ended
            && streams.pass_on_ends()
        {
            self.close(slot, CloseReason::ClosedBy(first));
        }
    }
}
