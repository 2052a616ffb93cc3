//! The datagrams of handshakes. All are control packets and uncompressed.

use std::net::SocketAddr;

use gamewire_wire::{CodecError, Writer};

use super::close_text::CloseText;
use crate::link::Outbox;
use crate::shared::control::{CONNECT_065, ConnectToken, Control, Padding};
use crate::shared::data::Token;
use crate::shared::packet::Header;
use crate::v06::wire::control as control06;
use crate::v06::wire::packet as packet06;
use crate::v07::wire::control as control07;
use crate::v07::wire::packet as packet07;

/// Maximum length in bytes: a padded TOKEN or CONNECT of 0.7.
const MAX_LENGTH: usize = 520;
/// The padding of TOKEN and CONNECT of 0.7 after the client's token.
const PADDING_07: [u8; 508] = [0; 508];
/// The padding of CONNECT of 0.6.5 after the client's token.
const PADDING_065: [u8; CONNECT_065 - 8] = [0; CONNECT_065 - 8];

/// One datagram of a handshake.
#[derive(Clone, Copy, Debug)]
pub(super) enum HandshakePacket<'a> {
    /// Plain 0.6: CONNECT.
    Connect06,
    /// Plain 0.6: CONNECTACCEPT.
    ConnectAccept06,
    /// DDNet: CONNECT with the magic bytes and the empty token.
    ConnectTken,
    /// DDNet: CONNECTACCEPT with the magic bytes and the server's token.
    ConnectAcceptTken(Token),
    /// 0.6.5: CONNECT with the client's token, padded.
    Connect065(Token),
    /// 0.6.5: CONNECTACCEPT with the server's token, addressed by the client's token.
    ConnectAccept065 {
        /// The client's token.
        theirs: Token,
        /// The server's token.
        ours: Token,
    },
    /// 0.6 and 0.6.5: CLOSE without a token.
    Close06(CloseText<'a>),
    /// DDNet: CLOSE with the empty token.
    CloseTken(CloseText<'a>),
    /// 0.7: TOKEN of a client, padded.
    AskToken07(Token),
    /// 0.7: TOKEN of a server with its token, addressed by the client's token.
    ReplyToken07 {
        /// The client's token.
        theirs: Token,
        /// The server's token.
        ours: Token,
    },
    /// 0.7: CONNECT with the client's token, padded, addressed by the server's token.
    Connect07 {
        /// The client's token.
        ours: Token,
        /// The server's token.
        theirs: Token,
    },
    /// 0.7: CLOSE, addressed by the server's token or the empty one.
    Close07(Token, CloseText<'a>),
}

impl HandshakePacket<'_> {
    /// Queues the datagram.
    pub(super) fn send(self, to: SocketAddr, out: &mut Outbox) {
        let mut buffer = [0; MAX_LENGTH];
        let mut writer = Writer::new(&mut buffer);
        let written = self.write(&mut writer);
        debug_assert!(written.is_ok(), "{self:?} fits");
        if written.is_ok() {
            out.push(to, writer.written());
        }
    }

    fn write(self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        use control06::{Connect, ConnectAccept};
        use control07::TokenExchange;

        let plain = ConnectToken::Plain;
        match self {
            Self::Connect06 => control_06(None, Connect { greeting: plain }, to),
            Self::ConnectAccept06 => control_06(None, ConnectAccept { greeting: plain }, to),
            Self::ConnectTken => {
                control_06(None, Connect { greeting: ConnectToken::Tken(&[]) }, to)?;
                token(Token::NONE, to)
            }
            Self::ConnectAcceptTken(ours) => {
                control_06(None, ConnectAccept { greeting: ConnectToken::Tken(&[]) }, to)?;
                token(ours, to)
            }
            Self::Connect065(ours) => {
                let greeting = ConnectToken::ClientToken { lead: [0; 4], token: ours, padding: &PADDING_065 };
                control_06(None, Connect { greeting }, to)
            }
            Self::ConnectAccept065 { theirs, ours } => {
                control_06(Some(theirs), ConnectAccept { greeting: ConnectToken::ServerToken(ours) }, to)
            }
            Self::Close06(reason) => control_06(None, control06::Close { reason: reason.text() }, to),
            Self::CloseTken(reason) => {
                control_06(None, control06::Close { reason: reason.text() }, to)?;
                token(Token::NONE, to)
            }
            Self::AskToken07(ours) => {
                control_07(Token::NONE, TokenExchange { token: ours, padding: Padding(&PADDING_07) }, to)
            }
            Self::ReplyToken07 { theirs, ours } => {
                control_07(theirs, TokenExchange { token: ours, padding: Padding(&[]) }, to)
            }
            Self::Connect07 { ours, theirs } => {
                control_07(theirs, control07::Connect { token: ours, padding: Padding(&PADDING_07) }, to)
            }
            Self::Close07(theirs, reason) => {
                control_07(theirs, control07::Close { reason: reason.text() }, to)
            }
        }
    }
}

fn control_06<'a>(
    token: Option<Token>,
    message: impl Into<control06::ControlMessage<'a>>,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    packet06::write(&Header { control: true, token, ..Header::default() }, to)?;
    Control::Known(message.into()).encode(to)
}

fn control_07<'a>(
    token: Token,
    message: impl Into<control07::ControlMessage<'a>>,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    packet07::write(&Header { control: true, token: Some(token), ..Header::default() }, to)?;
    Control::Known(message.into()).encode(to)
}

fn token(token: Token, to: &mut Writer<'_>) -> Result<(), CodecError> {
    to.bytes(&token.0.to_be_bytes())
}
