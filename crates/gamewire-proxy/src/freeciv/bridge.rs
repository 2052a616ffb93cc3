use core::fmt;

use gamewire_freeciv::delta;
use gamewire_freeciv::frame::CompressionLevel;
use gamewire_freeciv::session::codec::{Definition, PacketBuf};
use gamewire_machine::{Instant, Role, Wake};

use super::answers::{Answers, TooMany};
use super::direction::{Broken, Direction};
use super::negotiation::{Effect, Negotiation};
use crate::delayed::Delayed;
use crate::{Action, Bridge, MessageHook, Unchanged};

const STARTED: &str = "PACKET_PROCESSING_STARTED";
const FINISHED: &str = "PACKET_PROCESSING_FINISHED";

/// The settings of a Freeciv bridge.
#[derive(Clone, Debug, Default)]
pub struct FreecivConfig {
    /// Definition of the packets. With `None`, the capabilities of client and server select 3.0, 3.1 or 3.2.
    pub definition: Option<Definition>,
    /// Compression of the chunks to the client.
    pub compression: CompressionLevel,
}

/// A bridge that decodes every packet and encodes it again: each connection has separate deltas, baselines and
/// compression.
///
/// The bridge forwards the login, the pings and the replies to them. It closes both connections when bytes are not
/// valid packets.
pub struct FreecivBridge {
    negotiation: Negotiation,
    to_server: Direction,
    to_client: Direction,
    hook: Box<dyn MessageHook<PacketBuf>>,
    delayed: Delayed<PacketBuf>,
    answers: Answers,
    is_over: bool,
}

impl From<TooMany> for Broken {
    fn from(_: TooMany) -> Self {
        Self
    }
}

impl FreecivBridge {
    /// Returns a bridge that forwards all packets.
    #[must_use]
    pub fn new(config: FreecivConfig) -> Self {
        Self::with_hook(config, Box::new(Unchanged))
    }

    /// Returns a bridge that passes all packets through a hook. The client receives an empty answer for each packet
    /// that is not forwarded to the server.
    #[must_use]
    pub fn with_hook(config: FreecivConfig, hook: Box<dyn MessageHook<PacketBuf>>) -> Self {
        let negotiation = Negotiation::new(config.definition);
        let direction = |direction| Direction::new(negotiation.definition(), direction, config.compression);
        Self {
            to_server: direction(delta::Direction::ToServer),
            to_client: direction(delta::Direction::ToClient),
            negotiation,
            hook,
            delayed: Delayed::new(),
            answers: Answers::default(),
            is_over: false,
        }
    }

    fn read(&mut self, now: Instant, from: Role, mut bytes: &[u8]) -> Result<(), Broken> {
        loop {
            let direction = match from {
                Role::Client => &mut self.to_server,
                Role::Server => &mut self.to_client,
            };
            let Some(frame) = direction.splitter.next(&mut bytes).map_err(|_| Broken)? else { return Ok(()) };
            let packet = direction.decoder.decode(frame.number, frame.body).map_err(|_| Broken)?;
            let effect = match from {
                Role::Client => self.negotiation.on_client(&packet),
                Role::Server => self.negotiation.on_server(&packet),
            };
            let packet = packet.to_owned();
            self.on_packet(now, from, packet)?;
            self.apply(effect);
        }
    }

    /// Applies the hook's action to a packet.
    fn on_packet(&mut self, now: Instant, from: Role, mut packet: PacketBuf) -> Result<(), Broken> {
        match (from, packet.name()) {
            (Role::Server, STARTED) if !self.answers.on_started() => return Ok(()),
            (Role::Server, STARTED) => return self.to_client.write(&packet).map(drop),
            (Role::Server, FINISHED) => {
                if self.answers.on_finished() {
                    self.to_client.write(&packet)?;
                }
                return self.answer();
            }
            _ => {}
        }
        let action = self.hook.on_message(from, &mut packet);
        match (action, from) {
            (Action::Drop, Role::Server) => Ok(()),
            (Action::Drop, Role::Client) => self.withhold(),
            (Action::Forward, _) => self.forward(from, &packet),
            (Action::Duplicate, _) => {
                self.forward(from, &packet)?;
                self.send_late(from, &packet)
            }
            (Action::Delay(time), _) => match self.delayed.push(now, time, from, packet) {
                Ok(()) if from == Role::Client => self.withhold(),
                Ok(()) => Ok(()),
                Err(packet) => self.forward(from, &packet),
            },
        }
    }

    /// Writes a packet to the other side.
    fn forward(&mut self, from: Role, packet: &PacketBuf) -> Result<(), Broken> {
        if from == Role::Server {
            return self.to_client.write(packet).map(drop);
        }
        if self.to_server.write(packet)? { Ok(self.answers.forwarded()?) } else { self.withhold() }
    }

    /// Writes a packet that the hook delayed or duplicated. The side `from` did not send it at this position.
    fn send_late(&mut self, from: Role, packet: &PacketBuf) -> Result<(), Broken> {
        if from == Role::Server {
            return self.to_client.write(packet).map(drop);
        }
        if self.to_server.write(packet)? {
            self.answers.added()?;
        }
        Ok(())
    }

    /// Records that the server does not receive the client's packet.
    fn withhold(&mut self) -> Result<(), Broken> {
        self.answers.withheld()?;
        self.answer()
    }

    /// Sends the pending empty answers.
    fn answer(&mut self) -> Result<(), Broken> {
        for _ in 0..self.answers.take_made() {
            self.to_client.write_empty(STARTED)?;
            self.to_client.write_empty(FINISHED)?;
        }
        Ok(())
    }

    fn apply(&mut self, effect: Effect) {
        let Self { to_server, to_client, .. } = self;
        if let Effect::Joined(..) = effect {
            // The direction of the server switches automatically.
            to_server.splitter.use_wide_types();
            to_server.writer.use_wide_types();
        }
        for direction in [to_server, to_client] {
            let Direction { decoder, encoder, .. } = direction;
            match &effect {
                Effect::None => {}
                Effect::Version(definition) => {
                    decoder.set_definition(definition);
                    encoder.set_definition(definition);
                }
                Effect::Joined(definition, active) => {
                    let active: Vec<_> = active.iter().map(String::as_str).collect();
                    decoder.set_definition(definition);
                    encoder.set_definition(definition);
                    decoder.set_capabilities(&active);
                    encoder.set_capabilities(&active);
                }
                Effect::ForgetGame => {
                    decoder.forget_game_info();
                    encoder.forget_game_info();
                }
            }
        }
    }
}

impl Bridge for FreecivBridge {
    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]) {
        if !self.is_over {
            self.is_over = self.read(now, from, bytes).is_err();
        }
    }

    fn handle_close(&mut self, _now: Instant, _from: Role) {
        self.is_over = true;
    }

    fn poll_transmit(&mut self, _now: Instant, to: Role, buffer: &mut Vec<u8>) -> bool {
        match to {
            Role::Client => self.to_client.poll(buffer),
            Role::Server => self.to_server.poll(buffer),
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.delayed.poll_timeout().filter(|_| !self.is_over)
    }

    fn handle_timeout(&mut self, now: Instant) {
        while let Some((from, packet)) = self.delayed.pop_due(now) {
            self.is_over |= self.send_late(from, &packet).is_err();
        }
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

impl fmt::Debug for FreecivBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { negotiation, is_over, .. } = self;
        f.debug_struct("FreecivBridge")
            .field("negotiation", negotiation)
            .field("is_over", is_over)
            .finish_non_exhaustive()
    }
}
