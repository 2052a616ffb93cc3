use crate::delta::{DeltaLimits, Direction};
use crate::frame::{FrameSplitter, Limits};
use crate::session::Role;
use crate::v30::{Decoder, Packet};

/// Reads the packets of a connection as types, beside the session that reads them by the definition.
#[derive(Debug)]
pub(super) struct Typed {
    splitter: FrameSplitter,
    decoder: Decoder,
}

impl Typed {
    pub(super) fn new(frame_limits: Limits, delta_limits: DeltaLimits) -> Self {
        let decoder = Decoder::new(Direction::ToClient, delta_limits);
        Self { splitter: FrameSplitter::new(frame_limits), decoder }
    }

    /// The next packet of the same bytes. The session has taken it already, so that it can be read.
    pub(super) fn next<'a>(&'a mut self, data: &mut &[u8]) -> Option<Packet<'a>> {
        let framed = self.splitter.next(data).ok()??;
        self.decoder.decode(framed.number, framed.body).ok()
    }

    pub(super) fn set_capabilities(&mut self, active: &[&str]) {
        self.decoder.set_capabilities(active);
    }

    pub(super) fn set_role(&mut self, role: Role) {
        if role != Role::DETACHED {
            self.decoder.forget_game_info();
        }
    }
}
