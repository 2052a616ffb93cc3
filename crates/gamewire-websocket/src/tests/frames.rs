use gamewire_machine::Role;

use crate::{Frame, FrameDecoder, FrameError, Opcode, Socket, SocketError, append_frame, close_code};

/// A message as an owned value.
fn next(decoder: &mut FrameDecoder, bytes: &mut &[u8]) -> Option<Vec<u8>> {
    match decoder.next(bytes).unwrap()? {
        Frame::Message(message) => Some(message.to_vec()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_examples_of_the_rfc_are_read() {
    // RFC 6455, section 5.7, with binary messages instead of text.
    let mut client = FrameDecoder::new(Role::Server, 65536);
    assert_eq!(next(&mut client, &mut &[0x82, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f][..]).unwrap(), b"Hello");
    let mut fragments = &[0x02, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f][..];
    assert_eq!(next(&mut client, &mut fragments).unwrap(), b"Hello");
    let long = [&[0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0][..], &[7; 65536]].concat();
    assert_eq!(next(&mut client, &mut long.as_slice()).unwrap(), [7; 65536]);
    let mut server = FrameDecoder::new(Role::Client, 1231);
    let masked = [0x82, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
    assert_eq!(next(&mut server, &mut &masked[..]).unwrap(), b"Hello");
    let ping = [0x89, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
    assert_eq!(server.next(&mut &ping[..]), Ok(Some(Frame::Ping(b"Hello"))));
}

#[test]
fn every_length_is_written_as_it_is_read_in_both_roles_cut_anywhere() {
    for length in [0, 1, 125, 126, 127, 1231, 65535, 65536] {
        let message: Vec<u8> = (0..length).map(|at: u32| at.to_le_bytes()[0]).collect();
        for mask in [None, Some([1, 2, 3, 250])] {
            let mut bytes = Vec::new();
            append_frame(Opcode::Binary, &message, mask, &mut bytes);
            let sender = if mask.is_some() { Role::Client } else { Role::Server };
            for cut in [1, 2, 5, 13, bytes.len() / 2, bytes.len() - 1] {
                let mut decoder = FrameDecoder::new(sender, 65536);
                let (first, second) = bytes.split_at(cut.min(bytes.len() - 1));
                assert_eq!(next(&mut decoder, &mut &first[..]), None);
                assert_eq!(next(&mut decoder, &mut &second[..]).unwrap(), message);
            }
        }
    }
}

#[test]
fn a_control_frame_between_fragments_disturbs_no_message() {
    let mut socket = Socket::new(Role::Client, 100, 1);
    let mut bytes = &[0x02, 2, 1, 2, 0x89, 1, 9, 0x00, 1, 3, 0x8a, 0, 0x80, 1, 4, 0x82, 1, 5][..];
    assert_eq!(socket.next_message(&mut bytes), Ok(Some(&[1, 2, 3, 4][..])));
    assert_eq!(socket.next_message(&mut bytes), Ok(Some(&[5][..])));
    assert_eq!(socket.next_message(&mut bytes), Ok(None));
    let mut pong = Vec::new();
    assert!(socket.take_control(&mut pong));
    let mut server = FrameDecoder::new(Role::Client, 100);
    assert_eq!(server.next(&mut pong.as_slice()), Ok(Some(Frame::Pong)));
    assert_eq!(&pong[..2], [0x8a, 0x81], "{pong:02x?}");
    assert_eq!(pong[6] ^ pong[2], 9);
}

#[test]
fn a_close_is_answered_once_and_ends_the_connection() {
    let mut socket = Socket::new(Role::Server, 100, 0);
    let mut bytes = Vec::new();
    append_frame(Opcode::Close, &1001_u16.to_be_bytes(), Some([1; 4]), &mut bytes);
    append_frame(Opcode::Binary, &[1], Some([1; 4]), &mut bytes);
    let mut bytes = bytes.as_slice();
    assert_eq!(socket.next_message(&mut bytes), Err(SocketError::Closed(Some(1001))));
    assert!(socket.next_message(&mut bytes).is_err());
    socket.queue_close(close_code::PROTOCOL_ERROR);
    let mut answer = Vec::new();
    socket.take_control(&mut answer);
    assert_eq!(answer, [0x88, 2, 0x03, 0xe8]);
}

#[test]
fn masks_of_a_client_differ_from_frame_to_frame_and_from_seed_to_seed() {
    let masks = |seed| {
        let (mut socket, mut seen) = (Socket::new(Role::Client, 100, seed), Vec::new());
        for _ in 0..100 {
            let mut bytes = Vec::new();
            socket.append_message(&[], &mut bytes);
            seen.push(bytes[2..].to_vec());
        }
        seen
    };
    let all = [masks(1), masks(2)].concat();
    let distinct: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn what_the_rfc_forbids_is_an_error_that_stays() {
    for (sender, bytes, error) in [
        (Role::Server, &[0xc2, 0][..], FrameError::ReservedBits),
        (Role::Server, &[0x83], FrameError::UnknownOpcode(3)),
        (Role::Server, &[0x81, 1, b'a'], FrameError::Text),
        (Role::Server, &[0x80, 1, 1], FrameError::Fragment),
        (Role::Server, &[0x02, 1, 1, 0x82, 1, 1], FrameError::Fragment),
        (Role::Server, &[0x09, 0], FrameError::Control),
        (Role::Server, &[0x89, 126, 0, 126], FrameError::Control),
        (Role::Server, &[0x82, 126, 0, 125], FrameError::Length),
        (Role::Server, &[0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff], FrameError::Length),
        (Role::Server, &[0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], FrameError::Length),
        (Role::Server, &[0x88, 1, 3], FrameError::Close),
        (Role::Server, &[0x88, 2, 0x03, 0xed], FrameError::Close),
    ] {
        let mut decoder = FrameDecoder::new(sender, 100);
        let mut rest = bytes;
        assert_eq!(decoder.next(&mut rest), Err(error), "{bytes:02x?}");
        assert_eq!(decoder.next(&mut &[0x82, 0][..]), Err(error));
    }
}
