//! The record layer of a build without the feature `records`: there is none.

use std::net::SocketAddr;

use gamewire_machine::{Instant, Transmit, Wake};

use super::Server;
use crate::ServerPacketError;

/// No record layer.
#[derive(Debug)]
pub(super) enum RecordLayer {}

impl RecordLayer {
    pub(super) const fn poll_timeout(&self) -> Option<Wake> {
        match *self {}
    }

    pub(super) fn poll_transmits(&mut self, _: impl FnMut(Transmit, &[u8])) {
        match *self {}
    }

    pub(super) fn seal(&mut self, _: u32, _: &[u8], _: impl FnMut(Transmit, &[u8])) {
        match *self {}
    }
}

#[allow(clippy::unused_self, reason = "the methods of a server with a record layer")]
impl Server {
    pub(super) const fn record_address(&self, _: u32) -> Option<SocketAddr> {
        None
    }

    pub(super) const fn receive_record(
        &mut self,
        _: SocketAddr,
        _: &[u8],
    ) -> Option<Result<(), ServerPacketError>> {
        None
    }

    pub(super) const fn handle_record_timeout(&mut self, _: Instant) {}

    pub(super) const fn poll_with_records(&mut self, _: &mut Vec<u8>) -> Option<Transmit> {
        None
    }
}
