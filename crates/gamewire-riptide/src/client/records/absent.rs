//! The record layer of a build without the feature `records`: there is none.

use std::net::SocketAddr;

use gamewire_machine::{Instant, Transmit};

use super::Client;
use crate::PacketError;

#[allow(clippy::unused_self, reason = "the methods of a client with a record layer")]
impl Client {
    pub(super) const fn receive_record(
        &mut self,
        _: Instant,
        _: SocketAddr,
        _: &[u8],
    ) -> Result<(), PacketError> {
        Err(PacketError::Record)
    }

    pub(super) fn poll_record(&mut self, _: Instant, _: impl FnOnce(Transmit, &[u8])) -> bool {
        false
    }
}
