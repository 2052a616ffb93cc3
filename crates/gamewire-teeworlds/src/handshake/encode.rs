//! The datagrams of handshakes. All are control packets and uncompressed.

use std::net::SocketAddr;

use gamewire_wire::{Result, Writer};

use crate::link::Outbox;
use crate::shared::control::{CONNECT_065, Control};
use crate::shared::data::Token;
use crate::shared::packet::Header;
use crate::v06::control::ControlMessage as Control06;
use crate::v06::packet as packet06;
use crate::v07::control::ControlMessage as Control07;
use crate::v07::packet as packet07;

/// Maximum length in bytes: a padded TOKEN or CONNECT of 0.7.
const MAX_LENGTH: usize = 520;
/// The padding of TOKEN and CONNECT of 0.7 after the client's token.
pub(super) const PADDING_07: [u8; 508] = [0; 508];
/// The padding of CONNECT of 0.6.5 after the client's token.
pub(super) const PADDING_065: [u8; CONNECT_065 - 8] = [0; CONNECT_065 - 8];

/// Queues a control packet of 0.6 with the token of its header (0.6.5) and the token at its end (DDNet).
pub(super) fn send_06<'a>(
    token: Option<Token>,
    message: impl Into<Control06<'a>>,
    trailer: Option<Token>,
    to: SocketAddr,
    out: &mut Outbox,
) {
    let header = Header { control: true, token, ..Header::default() };
    send_06_with(&header, message, trailer, to, out);
}

/// Queues a control packet of 0.6 with any header.
pub(super) fn send_06_with<'a>(
    header: &Header,
    message: impl Into<Control06<'a>>,
    trailer: Option<Token>,
    to: SocketAddr,
    out: &mut Outbox,
) {
    send(to, out, |to| {
        packet06::write(header, to)?;
        Control::Known(message.into()).encode(to)?;
        trailer.map_or(Ok(()), |token| to.bytes(&token.0.to_be_bytes()))
    });
}

/// Queues a control packet of 0.7 with the token that its receiver issued.
pub(super) fn send_07<'a>(token: Token, message: impl Into<Control07<'a>>, to: SocketAddr, out: &mut Outbox) {
    send(to, out, |to| {
        packet07::write(&Header { control: true, token: Some(token), ..Header::default() }, to)?;
        Control::Known(message.into()).encode(to)
    });
}

fn send(to: SocketAddr, out: &mut Outbox, write: impl FnOnce(&mut Writer<'_>) -> Result<()>) {
    let mut buffer = [0; MAX_LENGTH];
    let mut writer = Writer::new(&mut buffer);
    let written = write(&mut writer);
    debug_assert!(written.is_ok(), "every datagram of a handshake fits");
    if written.is_ok() {
        out.push(to, writer.written());
    }
}
