use super::support::{BOUNDS, WORD, Wire, agreed, agreed_with, hear, part, ready, whole};
use crate::extension::{ExtensionInbound, ExtensionParams, ExtensionState};
use crate::shared::payload::Payload;
use crate::{Format, SendError};
use gamewire_machine::Role;

#[test]
fn a_client_sends_immediately_and_a_server_after_the_first_packet() {
    let (mut wire, mut answer) = (Wire::default(), Wire::default());
    let mut client = ExtensionState::new(BOUNDS, Role::Client, Format::V21);
    let mut server = ExtensionState::new(BOUNDS, Role::Server, Format::V21);
    server.send_hello(&mut answer);
    assert!(answer.sent.is_empty());
    client.send_hello(&mut wire);
    client.send_hello(&mut wire);
    assert_eq!(wire.sent, [[0, b'g', b'w', b'x', b'1', 1, 3, 0xe8, 3, 0, 0, 0xa0, 0x0f, 0, 0, 16, 0]]);
    assert_eq!(hear(&mut server, &wire.sent[0]), ExtensionInbound::Hello);
    server.send_hello(&mut answer);
    assert_eq!((answer.sent[0][0], &answer.sent[0][1..]), (1, &wire.sent[0][1..]));
    assert_eq!(hear(&mut client, &answer.sent[0]), ExtensionInbound::Hello);
    assert_eq!(client.negotiated(), Some(&WORD));
    assert_eq!(server.negotiated(), None, "its word may be lost");
    assert_eq!((server.on_acked(1), server.negotiated()), (None, Some(&WORD)));
}

#[test]
fn invalid_hellos_are_passed_to_the_game_until_a_valid_one() {
    let word = WORD.encode(Role::Server);
    let altered = |at: usize, byte: u8| {
        let mut word = word.clone();
        word[at] = byte;
        word
    };
    let mut foreign: Vec<_> = (0..word.len()).map(|end| word[..end].to_vec()).collect();
    foreign.extend([WORD.encode(Role::Client), altered(0, 2), altered(4, b'2'), altered(5, 0)]);
    foreign.extend([whole(0), part(3, 0, 200, 100, 0, &[0; 100])]);
    let mut session = ExtensionState::new(BOUNDS, Role::Client, Format::V21);
    for bytes in foreign {
        assert_eq!(hear(&mut session, &bytes), ExtensionInbound::Foreign, "{bytes:?}");
    }
    assert!(session.poll().is_none() && session.negotiated().is_none());
    let later = [&altered(5, 9)[..], &[1, 2, 3]].concat();
    assert_eq!(
        hear(&mut session, &later),
        ExtensionInbound::Hello,
        "of a later version that has more to say"
    );
}

#[test]
fn the_first_word_counts() {
    let mut session = agreed(Format::V20);
    let other = ExtensionParams { max_pending_messages: 1, ..WORD }.encode(Role::Server);
    assert_eq!(hear(&mut session, &other), ExtensionInbound::Frame);
    assert_eq!(session.negotiated(), Some(&WORD));
}

#[test]
fn features_that_a_peer_lacks_are_not_used() {
    let (short, long) = (Payload::new(&[1; 10]), Payload::new(&[1; 500]));
    let mut wire = Wire::default();
    let mut session = agreed_with(Format::V21, &ExtensionParams { can_order: false, ..WORD });
    assert_eq!(session.send(true, 5, &short, &mut wire), Err(SendError::ExtensionUnavailable));
    assert_eq!(session.send(false, 5, &long, &mut wire), Ok(1));
    let mut session = agreed_with(Format::V21, &ExtensionParams { can_reassemble: false, ..WORD });
    assert_eq!(session.send(true, 5, &long, &mut wire), Err(SendError::ExtensionUnavailable));
    assert!(session.send(true, 5, &short, &mut wire).is_ok());
    for word in [
        ExtensionParams { max_message_size: 9, ..WORD },
        ExtensionParams { reassembly_buffer: 9, ..WORD },
        ExtensionParams { reassembly_buffer: 70, ..WORD },
    ] {
        let sent = agreed_with(Format::V21, &word).send(true, 5, &short, &mut wire);
        assert!(matches!(sent, Err(SendError::TooLong { length: 10, .. })), "{word:?}");
    }
    let sent = agreed_with(Format::V21, &ExtensionParams { max_pending_messages: 0, ..WORD })
        .send(true, 5, &short, &mut wire);
    assert_eq!(sent, Err(SendError::Full));
}

#[test]
fn messages_are_written_as_documented() {
    let mut wire = Wire::default();
    let mut session = agreed(Format::V21);
    let values: Vec<u8> = (0..100).collect();
    session.send(true, 0x0102, &Payload::with_bits(&values, 13), &mut wire).unwrap();
    session.send(true, 5, &Payload::new(&values), &mut wire).unwrap();
    session.send(false, 5, &Payload::new(&values), &mut wire).unwrap();
    let parts = |kind, number| {
        let one = part(kind, number, 100, 87, 0, &values[..87]);
        [one, part(kind, number, 100, 87, 1, &values[87..])]
    };
    let first = vec![2, 0, 0, 2, 1, 13, 0, 0, 0, 0, 1];
    let [ordered, loose] = [parts(4, 1), parts(3, 0)];
    assert_eq!(wire.sent, [&[first][..], &ordered, &loose].concat());
}

#[test]
fn a_peer_gets_no_more_than_it_has_room_for_until_it_has_the_oldest() {
    let mut wire = Wire::default();
    let mut session = agreed(Format::V21);
    let mut send = |session: &mut ExtensionState| session.send(true, 5, &Payload::new(&[1; 10]), &mut wire);
    let sent: Vec<u16> = core::iter::from_fn(|| send(&mut session).ok()).collect();
    assert_eq!(sent, (1..=16).collect::<Vec<_>>());
    for seq_id in 2..=16 {
        assert_eq!(session.on_acked(seq_id), Some(seq_id));
    }
    assert_eq!(send(&mut session), Err(SendError::Full), "those wait for the oldest");
    assert_eq!(session.on_acked(1), Some(1));
    assert_eq!(send(&mut session), Ok(17));
    assert_eq!(session.on_acked(400), Some(400), "another message");
}

#[test]
fn reordered_messages_are_delivered_in_order_across_the_wrap() {
    for format in Format::ALL {
        let mut session = agreed(format);
        for base in (0..=65_520_u16).step_by(8).chain([65_528, 0]) {
            let mut came = Vec::new();
            for number in [3, 1, 0, 7, 6, 5, 2, 4] {
                assert_eq!(hear(&mut session, &whole(base.wrapping_add(number))), ExtensionInbound::Frame);
                came.extend(ready(&mut session, format));
            }
            let all: Vec<_> = (0..8).map(|n| base.wrapping_add(n).to_le_bytes().to_vec()).collect();
            assert_eq!(came, all, "from {base}");
            if base == 65_528 {
                assert_eq!(hear(&mut session, &whole(65_535)), ExtensionInbound::Violation, "an old one");
            }
        }
    }
}
