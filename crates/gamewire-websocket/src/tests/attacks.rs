//! Attacks on a WebSocket server; `SECURITY.md` has their list.

use gamewire_machine::Role;

use crate::{
    Frame, FrameDecoder, FrameError, MAX_CONTROLS_IN_ROW, MAX_QUEUED_CONTROL_BYTES, Opcode, Socket,
    SocketError, append_frame,
};

const MASK: Option<[u8; 4]> = Some([1, 2, 3, 4]);

#[test]
fn w1_a_frame_without_end_is_refused_by_its_header() {
    let mut decoder = FrameDecoder::new(Role::Client, 1231);
    let mut header = &[0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0][..];
    assert_eq!(decoder.next(&mut header), Err(FrameError::TooLong(i64::MAX.unsigned_abs())));
    assert_eq!(decoder.held_bytes(), 0);
}

#[test]
fn w1_a_wrong_mask_is_refused_before_its_content() {
    assert_eq!(FrameDecoder::new(Role::Client, 1231).next(&mut &[0x82, 0x05][..]), Err(FrameError::Unmasked));
    assert_eq!(FrameDecoder::new(Role::Server, 1231).next(&mut &[0x82, 0x85][..]), Err(FrameError::Masked));
}

#[test]
fn w1_fragments_that_never_complete_are_bounded_in_bytes_and_number() {
    let fragment = |opcode: u8, length: usize| {
        let mut bytes = Vec::new();
        append_frame(Opcode::Binary, &vec![7; length], MASK, &mut bytes);
        bytes[0] = opcode;
        bytes
    };
    for (length, expected) in [(1000, FrameError::TooLong(2000)), (0, FrameError::TooManyFragments)] {
        let mut decoder = FrameDecoder::new(Role::Client, 1231);
        assert_eq!(decoder.next(&mut fragment(2, length).as_slice()), Ok(None));
        let refused = (0..100_000).find_map(|_| decoder.next(&mut fragment(0, length).as_slice()).err());
        assert_eq!(refused, Some(expected));
        assert!(decoder.held_bytes() <= 2048, "{}", decoder.held_bytes());
    }
}

#[test]
fn w1_memory_follows_received_bytes_not_lengths() {
    let mut decoder = FrameDecoder::new(Role::Client, 65535);
    let mut start = Vec::new();
    append_frame(Opcode::Binary, &[7; 60_000], MASK, &mut start);
    assert_eq!(decoder.next(&mut start.get(..20).unwrap()), Ok(None));
    assert!(decoder.held_bytes() < 64, "{}", decoder.held_bytes());
    assert!(matches!(decoder.next(&mut start.get(20..).unwrap()), Ok(Some(Frame::Message(_)))));
    // A small message frees the buffer of a large one.
    let mut small = Vec::new();
    append_frame(Opcode::Binary, &[7; 10], MASK, &mut small);
    assert!(matches!(decoder.next(&mut small.as_slice()), Ok(Some(Frame::Message(&[7, 7, ..])))));
    assert!(decoder.held_bytes() <= 4096, "{}", decoder.held_bytes());
}

#[test]
fn w1_pings_by_the_thousand_end_the_connection() {
    let mut pings = Vec::new();
    for _ in 0..10_000 {
        append_frame(Opcode::Ping, &[7; 125], MASK, &mut pings);
    }
    let (mut socket, mut pings) = (Socket::new(Role::Server, 1231, 0), pings.as_slice());
    let ended = socket.next_message(&mut pings);
    assert_eq!(ended, Err(SocketError::Frame(FrameError::TooManyControls)));
    assert!(socket.held_bytes() <= usize::from(MAX_CONTROLS_IN_ROW) * 256);
    // If messages are between the pings, the limit for waiting pongs ends the connection.
    let mut mixed = Vec::new();
    append_frame(Opcode::Ping, &[7; 125], MASK, &mut mixed);
    append_frame(Opcode::Binary, &[1], MASK, &mut mixed);
    let mut socket = Socket::new(Role::Server, 1231, 0);
    let ended = (0..10_000).find_map(|_| socket.next_message(&mut mixed.as_slice()).err());
    assert_eq!(ended, Some(SocketError::TooManyPings));
    assert!(socket.held_bytes() <= MAX_QUEUED_CONTROL_BYTES * 4);
    // A peer that reads its pongs may continue.
    let mut socket = Socket::new(Role::Server, 1231, 0);
    for _ in 0..10_000 {
        assert!(socket.next_message(&mut mixed.as_slice()).unwrap().is_some());
        assert!(socket.take_control(&mut Vec::new()));
    }
}

#[test]
fn w1_random_and_damaged_bytes_end_or_wait() {
    let mut random = gamewire_sim::random::Random::new(1);
    let mut frames = Vec::new();
    for (opcode, length) in
        [(Opcode::Binary, 5), (Opcode::Ping, 3), (Opcode::Binary, 300), (Opcode::Close, 2)]
    {
        append_frame(opcode, &vec![3; length], MASK, &mut frames);
    }
    for _ in 0..20_000 {
        let mut bytes = frames.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.byte();
        }
        let mut socket = Socket::new(Role::Server, 1231, 0);
        let mut rest = bytes.as_slice();
        for _ in 0..10 {
            match socket.next_message(&mut rest) {
                Ok(Some(message)) => assert!(message.len() <= 1231),
                Ok(None) => assert!(rest.is_empty()),
                Err(_) => break,
            }
        }
        assert!(socket.held_bytes() <= 32 << 10);
    }
}
