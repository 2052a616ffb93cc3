//! The handshake against `snow`, another implementation of Noise.

use ::snow::Builder;

use crate::noise::{Initiator, Responder};

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
const SECRET: [u8; 32] = [9; 32];

fn builder() -> Builder<'static> {
    let builder = Builder::new(PATTERN.parse().unwrap());
    builder.psk(0, &SECRET).unwrap().prologue(crate::wire::PROLOGUE).unwrap()
}

#[test]
fn snow_accepts_our_first_message_and_we_accept_its_second() {
    let mut snow = builder().build_responder().unwrap();
    let (initiator, first) = Initiator::new(&SECRET, [1; 32]);
    let mut payload = [0; 64];
    assert_eq!(snow.read_message(&first, &mut payload).unwrap(), 0);
    let mut second = [0; 52];
    assert_eq!(snow.write_message(&5_u32.to_le_bytes(), &mut second).unwrap(), 52);
    let (id, keys) = initiator.finish(&second).unwrap();
    assert_eq!(id, 5);
    let transport = snow.into_stateless_transport_mode().unwrap();
    let mut text = *b"hello";
    let tag = crate::crypto::Aead::new(&keys.client).seal(3, &[], &mut text).unwrap();
    let message = [text.as_slice(), &tag].concat();
    let length = transport.read_message(3, &message, &mut payload).unwrap();
    assert_eq!(&payload[..length], b"hello");
    let length = transport.write_message(4, b"back", &mut payload).unwrap();
    let (text, tag) = payload[..length].split_last_chunk::<16>().unwrap();
    let mut text = text.to_vec();
    assert!(crate::crypto::Aead::new(&keys.server).open(4, &[], &mut text, tag));
    assert_eq!(text, b"back");
}

#[test]
fn we_accept_the_first_message_of_snow_and_it_accepts_our_second() {
    let mut snow = builder().build_initiator().unwrap();
    let mut first = [0; 48];
    assert_eq!(snow.write_message(&[], &mut first).unwrap(), 48);
    let responder = Responder::new(&SECRET, &first).unwrap();
    let (second, keys) = responder.finish(77, &[2; 32]).unwrap();
    let mut payload = [0; 64];
    let length = snow.read_message(&second, &mut payload).unwrap();
    assert_eq!(payload[..length], 77_u32.to_le_bytes());
    let transport = snow.into_stateless_transport_mode().unwrap();
    let length = transport.write_message(0, b"hello", &mut payload).unwrap();
    let (text, tag) = payload[..length].split_last_chunk::<16>().unwrap();
    let mut text = text.to_vec();
    assert!(crate::crypto::Aead::new(&keys.client).open(0, &[], &mut text, tag));
    assert_eq!(text, b"hello");
}

#[test]
fn the_wrong_secret_is_refused_by_both() {
    let (_, first) = Initiator::new(&[8; 32], [1; 32]);
    assert!(builder().build_responder().unwrap().read_message(&first, &mut [0; 64]).is_err());
    assert!(Responder::new(&SECRET, &first).is_none());
}
