//! The key of an upgrade request, and the server's proof that it has read it (RFC 6455, section 4.2.2).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

/// Constant of RFC 6455 that the server appends to the key.
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Bytes of a key before their encoding in Base64.
pub(crate) const KEY_BYTES: usize = 16;

/// Characters of a key.
const KEY_CHARACTERS: usize = 24;
/// Characters of the server's answer to a key.
const ACCEPT_CHARACTERS: usize = 28;

/// Returns the key with these bytes.
pub(crate) fn encode_key(bytes: [u8; KEY_BYTES]) -> [u8; KEY_CHARACTERS] {
    let mut key = [0; KEY_CHARACTERS];
    // The buffer has the exact length.
    STANDARD.encode_slice(bytes, &mut key).ok();
    key
}

/// Returns whether a key has the form that RFC 6455 requires: 16 bytes in Base64.
pub(crate) fn is_valid_key(key: &[u8]) -> bool {
    let mut bytes = [0; KEY_CHARACTERS];
    key.len() == KEY_CHARACTERS && STANDARD.decode_slice(key, &mut bytes) == Ok(KEY_BYTES)
}

/// Returns the value of `Sec-WebSocket-Accept` for a key.
pub(crate) fn accept_key(key: &[u8]) -> [u8; ACCEPT_CHARACTERS] {
    let mut hash = Sha1::new();
    hash.update(key);
    hash.update(GUID);
    let digest: [u8; 20] = hash.finalize().into();
    let mut accept = [0; ACCEPT_CHARACTERS];
    // The buffer has the exact length.
    STANDARD.encode_slice(digest, &mut accept).ok();
    accept
}
