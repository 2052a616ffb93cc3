//! Detection of Freeciv.

use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::follow::{Detection, Detector};
use gamewire_machine::ConversationSide;

use super::support::{CAPABILITIES, NEW_YEAR, SERVER_INFO, Writer, client, server, text};
use gamewire_freeciv::delta::Value;

fn first(run: &[u8]) -> Detection {
    Detector::default().run(ConversationSide::First, run)
}

#[test]
fn a_client_is_recognized_by_its_request_wherever_it_is_split() {
    let (request, _) = client(CAPABILITIES);
    assert_eq!(first(&request), Detection::Begins(ConversationSide::First));
    for size in [1, 2, 3, 20, 60] {
        let mut suspicion = Detector::default();
        let verdicts: Vec<_> =
            request.chunks(size).map(|run| suspicion.run(ConversationSide::First, run)).collect();
        let (last, before) = verdicts.split_last().unwrap();
        assert_eq!(*last, Detection::Begins(ConversationSide::First), "pieces of {size}");
        assert!(before.iter().all(|verdict| *verdict == Detection::Possible), "pieces of {size}");
    }
}

#[test]
fn a_server_is_recognized_by_its_first_packets_compressed_or_not() {
    assert_eq!(first(&server(&[])), Detection::Begins(ConversationSide::Second));
    let mut plain = Writer::new(Direction::ToClient);
    plain.raw(0, &[]);
    plain.send(SERVER_INFO, &[text("3.0.6"), Value::Int(3)]);
    assert_eq!(first(&plain.out), Detection::Begins(ConversationSide::Second));
}

#[test]
fn the_middle_of_a_game_is_recognized_by_a_reply() {
    let mut late = Writer::new(Direction::ToClient);
    late.join(&[]);
    late.frames.use_wide_types();
    late.raw(0, &[]);
    late.send(NEW_YEAR, &[Value::Int(1), Value::Absent]);
    late.raw(1, &[]);
    assert_eq!(first(&late.out), Detection::Late(ConversationSide::Second));
    assert!(Detector::is_candidate(&late.out));
    // The result is the same if each packet arrives separately.
    let mut suspicion = Detector::default();
    let alone = [&late.out[..4], &late.out[4..late.out.len() - 4], &late.out[late.out.len() - 4..]];
    let verdicts = alone.map(|run| suspicion.run(ConversationSide::First, run));
    assert_eq!(verdicts[2], Detection::Late(ConversationSide::Second), "{verdicts:?}");
}

#[test]
fn other_protocols_are_not_taken_for_it() {
    let (mut request, _) = client("+SomethingElse-1.0");
    assert_eq!(first(&request), Detection::NoMatch);
    request[2] = 5;
    for other in [
        request.as_slice(),
        b"GET / HTTP/1.1\r\nHost: freeciv-3.0\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        &[0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3],
        &[0, 29, 0xab, 0xcd, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
        &[0x40, 3, 0x78, 0x9c, 0xff, 0xff, 0xff],
        &[0; 64],
        &[0xff; 64],
    ] {
        assert_eq!(first(other), Detection::NoMatch, "{other:?}");
    }
}
