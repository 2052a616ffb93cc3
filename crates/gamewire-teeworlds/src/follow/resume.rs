//! The datagrams from which a new follower learns the state of a conversation: a handshake with the tokens in use, the
//! sequence numbers, and the snapshots that can be bases of later ones.

use gamewire_machine::{ConversationSide, Role};
use gamewire_wire::Writer;

use super::follower::Follower;
use crate::Dialect;
use crate::link::{LinkTokens, pack};
use crate::model::{ClientMessage, ServerMessage};
use crate::shared::control::{CONNECT_065, TKEN};
use crate::shared::data::Token;
use crate::shared::huffman::TrailingByte;
use crate::shared::packet::{ChunkHeader, Header, MAX_PAYLOAD};
use crate::shared::version::SnapshotMessage;

/// Padding after a client's token in 0.7.
const PADDING_07: [u8; 508] = [0; 508];

impl Follower {
    /// Passes to `send` the datagrams from which a new follower learns the state of this one. Passes nothing if the dialect,
    /// the roles or the tokens are not known.
    pub fn resume(&self, send: &mut dyn FnMut(ConversationSide, &[u8])) {
        let (Some(dialect), Some(client)) = (self.dialect, self.client) else { return };
        let side = |role| if role == Role::Client { client } else { client.other() };
        let tokens = Role::BOTH.map(|role| self.tokens.newest(role));
        for (role, datagram) in handshake(dialect, tokens, self.is_locked) {
            send(side(role), &datagram);
        }
        for role in Role::BOTH {
            let Some(tokens) = link_tokens(dialect, tokens, role) else { return };
            let sequences = if side(role) == ConversationSide::First { &self.first } else { &self.second };
            let Some(sequence) = sequences.last() else { continue };
            let header = ChunkHeader { resend: false, sequence: Some(sequence) };
            let written = datagram(&tokens, &header, |to| match role {
                Role::Client => dialect.encode_client_message(&ClientMessage::Ping, to).is_ok(),
                Role::Server => dialect.encode_server_message(&ServerMessage::Ping, to).is_ok(),
            });
            written.into_iter().for_each(|bytes| send(side(role), &bytes));
        }
        let Some(tokens) = link_tokens(dialect, tokens, Role::Server) else { return };
        self.snapshots.resume(dialect, &mut |message: SnapshotMessage<'_>| {
            let message = ServerMessage::Snapshot(message);
            let header = ChunkHeader { resend: false, sequence: None };
            let written =
                datagram(&tokens, &header, |to| dialect.encode_server_message(&message, to).is_ok());
            written.into_iter().for_each(|bytes| send(client.other(), &bytes));
        });
    }
}

/// Returns the datagrams that begin a connection. `tokens` are those that the client and the server have issued. Without
/// `is_accepted`, the server has not answered.
fn handshake(
    dialect: Dialect,
    [client, server]: [Option<Token>; 2],
    is_accepted: bool,
) -> Vec<(Role, Vec<u8>)> {
    let bytes = |token: Option<Token>| token.unwrap_or(Token::NONE).0.to_be_bytes();
    let [client, server] = [bytes(client), bytes(server)];
    let mut datagrams = match dialect {
        Dialect::V06 => vec![vec![0x10, 0, 0, 1], vec![0x10, 0, 0, 2]],
        Dialect::Tken => vec![
            [&[0x10, 0, 0, 1][..], &TKEN, &[0xff; 4]].concat(),
            [&[0x10, 0, 0, 2][..], &TKEN, &server].concat(),
        ],
        Dialect::V065 => vec![
            [&[0x10, 0, 0, 1][..], &[0; CONNECT_065]].concat(),
            [&[0x18, 0, 0][..], &[0; 4], &[2], &server].concat(),
        ],
        Dialect::V07 => vec![
            [&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5][..], &client, &PADDING_07].concat(),
            [&[4, 0, 0][..], &client, &[5], &server].concat(),
            [&[4, 0, 0][..], &server, &[1], &client, &PADDING_07].concat(),
            [&[4, 0, 0][..], &client, &[2]].concat(),
        ],
    };
    if !is_accepted || server == Token::NONE.0.to_be_bytes() && dialect != Dialect::V06 {
        datagrams.truncate(1);
    }
    [Role::Client, Role::Server].into_iter().cycle().zip(datagrams).collect()
}

/// Returns the tokens of the datagrams of a role, if they are known.
fn link_tokens(dialect: Dialect, [client, server]: [Option<Token>; 2], sender: Role) -> Option<LinkTokens> {
    Some(match dialect {
        Dialect::V06 => LinkTokens::V06,
        Dialect::Tken => LinkTokens::Tken(server?),
        Dialect::V065 => LinkTokens::V065(server?),
        Dialect::V07 => match sender {
            Role::Client => LinkTokens::V07 { ours: client?, theirs: server? },
            Role::Server => LinkTokens::V07 { ours: server?, theirs: client? },
        },
    })
}

/// Returns a datagram with one chunk that `write` fills in, or `None` if it does not fit.
fn datagram(
    tokens: &LinkTokens,
    header: &ChunkHeader,
    write: impl FnOnce(&mut Writer<'_>) -> bool,
) -> Option<Vec<u8>> {
    let mut content = [0; MAX_PAYLOAD];
    let mut writer = Writer::new(&mut content);
    if !write(&mut writer) {
        return None;
    }
    let content = writer.written();
    let mut payload = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut payload);
    tokens.write_chunk(header, content.len(), &mut to).ok()?;
    to.bytes(content).ok()?;
    tokens.trailer().map_or(Ok(()), |token| to.bytes(&token)).ok()?;
    let mut datagram = [0; 2 * MAX_PAYLOAD];
    let packet = Header { chunks: 1, ..Header::default() };
    let length = pack(tokens, packet, to.written(), TrailingByte::default(), &mut datagram)?;
    datagram.get(..length).map(<[u8]>::to_vec)
}
