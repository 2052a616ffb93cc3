//! T5: compressed data that no compressor writes.

use gamewire::machine::ConversationSide;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress, decompress};
use gamewire::teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire::wire::Found;

use super::build::{TOKEN, squeeze};
use super::watch::{cheap, connected_06, connected_07, connected_tken, show, survive};
use crate::support::Random;

/// The encoding of the end symbol alone.
const END: [u8; 2] = [0x8a, 0x1b];

/// Returns a compressed packet of 0.6 with the compressed bytes `payload`.
fn compressed(payload: &[u8]) -> Vec<u8> {
    [&[0x80, 0, 1], payload].concat()
}

/// Returns a compressed packet of 0.7 with the compressed bytes `payload`.
fn compressed_07(payload: &[u8]) -> Vec<u8> {
    [&[0x10, 0, 1], TOKEN.to_be_bytes().as_slice(), payload].concat()
}

#[test]
fn t5_data_without_an_end_symbol_is_rejected() {
    // Zero bits never decode to the end symbol, and a truncated payload does not contain it.
    for payload in [vec![], vec![0; 1], vec![0; 5], squeeze(b"no end here")[..9].to_vec()] {
        let expected = format!(
            "packet.payload: expected the end symbol of compressed data at byte {}, found the end of the data",
            payload.len()
        );
        assert_eq!(survive(connected_06, &[compressed(&payload)])[0].error(), expected);
        assert_eq!(survive(connected_07, &[compressed_07(&payload)])[0].error(), expected);
    }
}

#[test]
fn t5_the_end_symbol_first_is_an_empty_payload() {
    let reported = survive(connected_06, &[compressed(&END), compressed_07(&END)]);
    assert_eq!(
        reported[0].error(),
        "chunk: expected a chunk header of 2 bytes at byte 0, found the end of the data"
    );
    let reported = survive(connected_tken, &[compressed(&END)]);
    assert_eq!(
        reported[0].error(),
        "packet: expected the 4 bytes of a token at the end at byte 0, found the end of the data"
    );
}

#[test]
fn t5_more_than_fits_a_packet_is_rejected() {
    // A zero byte takes one bit: 1390 bytes could become 11,000.
    for length in [MAX_PAYLOAD + 1, 4000, 11_000] {
        let payload = squeeze(&vec![0; length]);
        let reported = survive(connected_06, &[compressed(&payload)]);
        assert!(reported[0].error().starts_with("packet.payload: expected data that fit a packet"));
        assert!(reported[0].error().ends_with(&format!("found {MAX_PAYLOAD} bytes")), "{reported:?}");
    }
    let fits = squeeze(&[0; MAX_PAYLOAD]);
    let reported = survive(connected_06, &[compressed(&fits)]);
    assert!(!reported[0].error().starts_with("packet.payload"), "{reported:?}");
}

#[test]
fn t5_random_input_of_every_length_is_data_within_the_limit_or_an_error() {
    let mut random = Random::new(5);
    let (mut good, mut bad) = (0, 0);
    cheap("random input", 1, 1400 * 32, || {
        let (mut input, mut output) = ([0; 1400], [0; MAX_PAYLOAD]);
        for length in 1..=1400 {
            for _ in 0..32 {
                input[..length].fill_with(|| random.byte());
                match decompress(&input[..length], &mut output) {
                    Ok(length) => {
                        assert!(length <= MAX_PAYLOAD);
                        good += 1;
                    }
                    Err(error) => {
                        assert!(error.found == Found::End || error.found == Found::Bytes(MAX_PAYLOAD));
                        bad += 1;
                    }
                }
            }
        }
    });
    assert!(good > 1000 && bad > 1000, "{good} good, {bad} bad");
}

#[test]
fn t5_random_payloads_of_every_length_are_survived_in_every_dialect() {
    let mut random = Random::new(55);
    let mut datagram = Vec::new();
    for (mut follower, head) in [
        (connected_06(), compressed(&[])),
        (connected_tken(), compressed(&[])),
        (connected_07(), compressed_07(&[])),
    ] {
        for length in 1..=1400 {
            datagram.clone_from(&head);
            datagram.extend((0..length).map(|_| random.byte()));
            let reported = show(&mut follower, ConversationSide::Second, &datagram);
            assert!(datagram.len() <= 1400 || reported.error().starts_with("packet: expected at most 1400"));
        }
    }
}

#[test]
fn t5_bits_that_end_too_early_are_rejected() {
    let input: Vec<u8> = (0..200_u32).map(|n| (n * n) as u8).collect();
    let whole = squeeze(&input);
    let mut output = [0; MAX_PAYLOAD];
    for length in 0..whole.len() {
        let error = decompress(&whole[..length], &mut output).unwrap_err();
        assert_eq!((error.offset, error.found), (length, Found::End));
    }
    assert_eq!(decompress(&whole, &mut output), Ok(200));
}

#[test]
fn t5_compressed_data_round_trips() {
    let mut random = Random::new(555);
    let (mut packed, mut output) = ([0; 3000], [0; MAX_PAYLOAD]);
    for round in 0..20_000 {
        // The data range from all zeros to random bytes, in every length.
        let spread = 1 << (round % 9);
        let input: Vec<u8> = (0..random.below(MAX_PAYLOAD + 1)).map(|_| random.below(spread) as u8).collect();
        let ending = if round % 2 == 0 { TrailingByte::ExtraByte } else { TrailingByte::Exact };
        let length = compress(&input, &mut packed, ending).unwrap();
        let got = decompress(&packed[..length], &mut output).unwrap();
        assert_eq!(&output[..got], input, "round {round}");
    }
}

/// Checks vectors of the games' compressor, and of libtw2's, which omits the extra byte.
#[test]
fn t5_reference_vectors() {
    let hello = b"\xae\x95\x13\x5c\x09\x57\xc2\x16\xb1\x56\xdc\xda\x22\x38\xb9\x12\x9c\xa8\xb8\x01";
    let vectors: [(&[u8], &[u8], TrailingByte); 5] = [
        (b"hello world", hello, TrailingByte::ExtraByte),
        (b"hello world", hello, TrailingByte::Exact),
        (b"", &END, TrailingByte::Exact),
        (b"\0", b"\x15\x37\0", TrailingByte::ExtraByte),
        (b"A", b"\xbc\x15\x37", TrailingByte::Exact),
    ];
    let (mut packed, mut output) = ([0; 64], [0; 64]);
    for (plain, expected, ending) in vectors {
        let length = compress(plain, &mut packed, ending).unwrap();
        assert_eq!(&packed[..length], expected);
        let length = decompress(expected, &mut output).unwrap();
        assert_eq!(&output[..length], plain);
    }
}
