//! Detection of the dialect of a single datagram (docs/protocols/teeworlds.md, "Versions and dialects").

use gamewire_machine::Role;

use gamewire_wire::Reader;

use crate::Dialect;
use crate::model::ranges::Ranges;
use crate::shared::connless::PREFIX;
use crate::shared::control::{CONNECT_065, TKEN};
use crate::shared::data::Token;
use crate::shared::packet::{Header, MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::{MessageOf, Version};
use crate::v06::V06;
use crate::v07::V07;

/// The properties of a conversation that one datagram shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialectGuess {
    /// Dialect. In a CONNECT it is an offer, which the server may not accept.
    pub dialect: Dialect,
    /// Role of the sender, if the datagram shows it.
    pub sender: Option<Role>,
    /// The datagram opens a conversation, or replies to one that does.
    pub is_handshake: bool,
    /// The datagram belongs to no connection.
    pub is_connless: bool,
}

/// Detects the dialect of `datagram`. Returns `None` if it is not Teeworlds.
///
/// Control and browsing messages have a distinct format. Chunks match a dialect if they fill the
/// payload exactly and contain only known messages.
pub fn detect(datagram: &[u8]) -> Option<DialectGuess> {
    let &first = datagram.first()?;
    if let Some((dialect, letters)) = connless(datagram) {
        let sender = match letters {
            b"gie3" | b"fstd" | b"req2" | b"cou2" => Some(Role::Client),
            b"inf3" | b"dtsf" | b"iext" | b"iex+" | b"lis2" | b"siz2" => Some(Role::Server),
            _ => None,
        };
        return Some(DialectGuess { dialect, sender, is_handshake: false, is_connless: true });
    }
    if first & 0x20 != 0 {
        return None;
    }
    control_07(datagram).or_else(|| control_06(datagram)).or_else(|| chunks(datagram))
}

/// Returns the dialect of a browsing message and its four letters.
fn connless(datagram: &[u8]) -> Option<(Dialect, &[u8])> {
    let letters_at = |at: usize| datagram.get(at..)?.strip_prefix(&PREFIX)?.get(..4);
    let plain = datagram.starts_with(&[0xff; 6]) || datagram.starts_with(b"xe");
    if plain {
        letters_at(6).map(|letters| (Dialect::V06, letters))
    } else {
        let seven = datagram.first() == Some(&0x21);
        letters_at(9).filter(|_| seven).map(|letters| (Dialect::V07, letters))
    }
}

fn control_07(datagram: &[u8]) -> Option<DialectGuess> {
    let &[flags, _, 0, t0, t1, t2, t3, id, ref body @ ..] = datagram else { return None };
    if flags & 0xf4 != 0x04 {
        return None;
    }
    let token = Token(u32::from_be_bytes([t0, t1, t2, t3]));
    let padded = body.len() >= 4 + 500;
    let (sender, is_handshake) = match (id, body.len()) {
        (0, 0) => (None, false),
        (1, 4..) => (Some(Role::Client), true),
        (2, 0 | 4) => (Some(Role::Server), true),
        (4, _) if is_plain_close(body) => (None, false),
        (5, 4..) if padded => (Some(Role::Client), true),
        (5, 4) if token != Token::NONE => (Some(Role::Server), true),
        _ => return None,
    };
    Some(DialectGuess { dialect: Dialect::V07, sender, is_handshake, is_connless: false })
}

fn control_06(datagram: &[u8]) -> Option<DialectGuess> {
    let &[flags, _, 0, ref rest @ ..] = datagram else { return None };
    if flags & 0xf4 != 0x10 {
        return None;
    }
    let has_token = flags & 0x08 != 0;
    let (&id, body) = if has_token { rest.get(4..)?.split_first()? } else { rest.split_first()? };
    let by_token = if has_token { Dialect::V065 } else { Dialect::V06 };
    let (dialect, sender, is_handshake) = match (id, body.len()) {
        // The body may have TKEN before the token, for a DDNet server.
        (1, CONNECT_065..) => (Dialect::V065, None, true),
        (1 | 2, _) if body.starts_with(&TKEN) => (Dialect::Tken, None, true),
        (1 | 2, 0) | (2, 4) => (by_token, None, true),
        // A server of 0.6.5 replies to a short CONNECT as to an empty one.
        (1, _) if is_short_connect(body) => (by_token, None, true),
        (3, 4) if !has_token => (Dialect::Tken, Some(Role::Client), true),
        (3, 0) => (by_token, Some(Role::Client), true),
        (0, 4) if !has_token => (Dialect::Tken, None, false),
        (0, 0) => (by_token, None, false),
        (4, _) if !has_token && is_close_of_tken(body) => (Dialect::Tken, None, false),
        (4, _) if is_plain_close(body) => (by_token, None, false),
        _ => return None,
    };
    let sender = match id {
        1 => Some(Role::Client),
        2 => Some(Role::Server),
        _ => sender,
    };
    Some(DialectGuess { dialect, sender, is_handshake, is_connless: false })
}

/// Returns whether this is the body of a CONNECT of 0.6.5 with too little padding: four zeros, a token, zeros.
fn is_short_connect(body: &[u8]) -> bool {
    let (head, padding) = body.split_at(body.len().min(8));
    head.iter().take(4).chain(padding).all(|byte| *byte == 0)
}

/// Returns whether this is the body of a CLOSE with DDNet's token at the end: after the zero byte of the reason, or
/// alone.
fn is_close_of_tken(body: &[u8]) -> bool {
    match body.iter().position(|byte| *byte == 0) {
        Some(end) if body.len() > 4 => body.len().checked_sub(5) == Some(end),
        _ => body.len() == 4 && body.last() != Some(&0),
    }
}

/// Returns whether this is the body of a CLOSE without a token. Some servers send a reason without a zero byte. Other
/// protocols have datagrams that begin like a CLOSE, but do not continue with a text.
fn is_plain_close(body: &[u8]) -> bool {
    let reason = body.strip_suffix(&[0]).unwrap_or(body);
    !reason.contains(&0) && (reason.len() < body.len() || !reason.iter().any(u8::is_ascii_control))
}

fn chunks(datagram: &[u8]) -> Option<DialectGuess> {
    let mut buffer = [0; MAX_PAYLOAD];
    [Dialect::V065, Dialect::V07, Dialect::Tken, Dialect::V06].into_iter().find_map(|dialect| {
        let sender = match dialect {
            Dialect::V07 => fits::<V07>(datagram, dialect, &mut buffer),
            Dialect::V06 | Dialect::V065 | Dialect::Tken => fits::<V06>(datagram, dialect, &mut buffer),
        }?;
        Some(DialectGuess { dialect, sender, is_handshake: false, is_connless: false })
    })
}

/// Returns the role of the sender, if the messages show it, or `None` if the chunks of `datagram` do
/// not fill it exactly in `dialect`.
#[allow(clippy::option_option, reason = "the outer one is the match, the inner one the role")]
fn fits<V: Version>(datagram: &[u8], dialect: Dialect, buffer: &mut [u8]) -> Option<Option<Role>> {
    let Ok(Packet::Connected { header, payload }) = V::parse(datagram, &mut ()) else { return None };
    let Header { control: false, chunks: 1.., .. } = header else { return None };
    let unused = match dialect {
        Dialect::V07 => 0xc0,
        _ => 0x04,
    };
    let wants_token = matches!(dialect, Dialect::V07 | Dialect::V065);
    if datagram.first()? & unused != 0 || header.token.is_some() != wants_token {
        return None;
    }
    let mut payload = payload.remaining();
    if header.compressed {
        payload = inflate(payload, buffer).ok()?;
    }
    if dialect == Dialect::Tken {
        payload = payload.get(..payload.len().checked_sub(4)?)?;
    }
    let mut from = Reader::new(payload);
    let mut sender = None;
    for _ in 0..header.chunks {
        let chunk = V::read_chunk(&mut from, &mut ()).ok()?;
        let message =
            MessageOf::<V>::decode(chunk.content, dialect.fifth_byte(), &mut Ranges::default()).ok()?;
        let (system, id) = message.id();
        if matches!(message, MessageOf::<V>::Unknown(_)) {
            return None;
        }
        sender = sender.or_else(|| MessageOf::<V>::sender_of(system, id));
    }
    from.is_empty().then_some(sender)
}

/// Returns whether the datagram is a control packet or a browsing message, which may change a locked
/// dialect.
pub(super) fn could_be_handshake(datagram: &[u8]) -> bool {
    datagram.first().is_some_and(|flags| flags & 0x34 != 0)
        && datagram.get(2).is_none_or(|chunks| *chunks == 0 || *chunks == 0xff)
        || datagram.starts_with(b"xe")
        || datagram.first() == Some(&0x21)
}

/// Returns whether this is ACCEPT of 0.6. A client sends it, but it is not an offer.
pub(super) fn is_accept_06(datagram: &[u8]) -> bool {
    matches!(datagram, [flags, _, 0, 3, ..] if flags & 0xfc == 0x10)
}

/// Returns whether a datagram is KEEPALIVE or CLOSE of 0.6 without a token.
pub(super) fn is_control_without_token(datagram: &[u8], guess: DialectGuess) -> bool {
    guess.dialect == Dialect::V06 && !guess.is_handshake && datagram.get(2) == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(bytes: &[u8]) -> Option<(Dialect, Option<Role>, bool)> {
        detect(bytes).map(|found| (found.dialect, found.sender, found.is_handshake))
    }

    fn padded(head: &[u8], length: usize) -> Vec<u8> {
        let mut bytes = head.to_vec();
        bytes.resize(length, 0);
        bytes
    }

    #[test]
    fn first_datagrams_of_every_dialect() {
        let client = Some(Role::Client);
        assert_eq!(dialect(&[0x10, 0, 0, 1]), Some((Dialect::V06, client, true)));
        assert_eq!(dialect(b"\x10\0\0\x01TKEN\xff\xff\xff\xff"), Some((Dialect::Tken, client, true)));
        assert_eq!(dialect(&padded(&[0x10, 0, 0, 1], 516)), Some((Dialect::V065, client, true)));
        assert_eq!(dialect(&padded(b"\x10\0\0\x01TKENabcd", 516)), Some((Dialect::V065, client, true)));
        let short = padded(b"\x10\0\0\x01\0\0\0\0abcd", 515);
        assert_eq!(dialect(&short), Some((Dialect::V06, client, true)));
        let token = padded(&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 0x22, 0x63, 9, 0xe8], 520);
        assert_eq!(dialect(&token), Some((Dialect::V07, client, true)));
    }

    #[test]
    fn first_replies_of_every_dialect() {
        let server = Some(Role::Server);
        assert_eq!(dialect(&[0x10, 0, 0, 2]), Some((Dialect::V06, server, true)));
        assert_eq!(dialect(b"\x10\0\0\x02TKENabcd"), Some((Dialect::Tken, server, true)));
        assert_eq!(
            dialect(&[0x18, 0, 0, 0x11, 0x22, 0x33, 0x44, 2, 0x9a, 0x5b, 0x76, 0x77]),
            Some((Dialect::V065, server, true))
        );
        assert_eq!(
            dialect(&[4, 0, 0, 0x22, 0x63, 9, 0xe8, 5, 0x4a, 0xbf, 0xd2, 6]),
            Some((Dialect::V07, server, true))
        );
    }

    #[test]
    fn a_close_has_a_token_only_after_the_end_of_its_reason() {
        let close = |body: &[u8]| dialect(&[b"\x10\0\0\x04", body].concat()).map(|found| found.0);
        let plain = [b"".as_slice(), b"bye\0", b"The server is full\0", b"The server is full"];
        assert_eq!(plain.map(close), [Some(Dialect::V06); 4]);
        let tken =
            [b"abcd".as_slice(), b"\0\0\0d", b"The server is full\0abcd", b"The server is full\0abc\0"];
        assert_eq!(tken.map(close), [Some(Dialect::Tken); 4]);
        let others = [b"\0\x1c\0\0\x01\x01\0\x08".as_slice(), b"a\x01b", b"\0\0", b"bye\0more\0"];
        assert_eq!(others.map(close), [None; 4], "other protocols");
    }

    #[test]
    fn browsing_messages_are_detected_before_the_control_bit_is_read() {
        let extended = b"xe\0\x01\0\0\xff\xff\xff\xffgie3\x05";
        assert_eq!(dialect(extended).map(|found| found.0), Some(Dialect::V06));
        let plain = [[0xff; 10].as_slice(), b"gie3\x05"].concat();
        assert_eq!(dialect(&plain).map(|found| found.0), Some(Dialect::V06));
        let seven = [[0x21].as_slice(), &[1; 8], &[0xff; 4], b"gie3\x05"].concat();
        assert_eq!(dialect(&seven).map(|found| found.0), Some(Dialect::V07));
    }

    #[test]
    fn chunks_are_detected_by_filling_the_datagram_exactly() {
        // READY, the only chunk: 0.6 plain, with a token in the header, with one at the end.
        assert_eq!(dialect(&[0, 3, 1, 0x40, 1, 4, 0x1d]), Some((Dialect::V06, Some(Role::Client), false)));
        let in_header = [8, 4, 1, 0x9a, 0x5b, 0x76, 0x77, 0x40, 1, 5, 0x1d];
        assert_eq!(dialect(&in_header), Some((Dialect::V065, Some(Role::Client), false)));
        let at_the_end = [0, 4, 1, 0x40, 1, 3, 0x1d, 0x78, 0x99, 0xc2, 0xda];
        assert_eq!(dialect(&at_the_end), Some((Dialect::Tken, Some(Role::Client), false)));
        // CON_READY of 0.7.
        let seven = [0, 1, 1, 0x22, 0x63, 9, 0xe8, 0x40, 1, 2, 0x0b];
        assert_eq!(dialect(&seven), Some((Dialect::V07, Some(Role::Server), false)));
    }

    #[test]
    fn t10_other_traffic_is_not_detected_as_teeworlds() {
        let dns = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x03www\x07example\x03org\0\0\x01\0\x01";
        assert_eq!(dialect(dns), None);
        assert_eq!(dialect(b""), None);
        assert_eq!(dialect(b"GET / HTTP/1.1\r\n\r\n"), None);
        assert_eq!(dialect(&[0; 64]), None);
        assert_eq!(dialect(b"\x10\0\0\x01\0\0\0\x02\0\0\0\0\0\x01"), None);
        assert_eq!(dialect(&[0xff; 64]), Some(Dialect::V06).map(|d| (d, None, false)));
    }
}
