//! The primitives: HMAC-SHA256, HKDF as Noise uses it, ChaCha20-Poly1305 and X25519.

use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};

/// Bytes of a key, of a hash, and of a point on the curve.
pub(crate) const KEY_BYTES: usize = 32;
/// Bytes of an authentication tag.
pub(crate) const TAG_BYTES: usize = 16;

/// A secret or public value of 32 bytes.
pub(crate) type Bytes32 = [u8; KEY_BYTES];

/// Returns the HMAC-SHA256 of the concatenated `parts`.
pub(crate) fn hmac(key: &Bytes32, parts: &[&[u8]]) -> Bytes32 {
    mac(key, parts).finalize().into_bytes().into()
}

/// Returns whether `tag` is the beginning of the HMAC-SHA256 of the concatenated `parts`, in constant time.
pub(crate) fn verify_hmac(key: &Bytes32, parts: &[&[u8]], tag: &[u8]) -> bool {
    mac(key, parts).verify_truncated_left(tag).is_ok()
}

fn mac(key: &Bytes32, parts: &[&[u8]]) -> Hmac<Sha256> {
    // A key that is shorter than a block is padded with zeros (RFC 2104).
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block);
    for part in parts {
        mac.update(part);
    }
    mac
}

/// Returns the SHA-256 hash of the concatenated `parts`.
pub(crate) fn hash(parts: &[&[u8]]) -> Bytes32 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

/// Returns three outputs of HKDF as Noise defines it (section 4.3). The first two are its outputs for two.
pub(crate) fn hkdf(chaining_key: &Bytes32, material: &[u8]) -> [Bytes32; 3] {
    let temporary = hmac(chaining_key, &[material]);
    let first = hmac(&temporary, &[&[1]]);
    let second = hmac(&temporary, &[&first, &[2]]);
    let third = hmac(&temporary, &[&second, &[3]]);
    [first, second, third]
}

/// Returns the public key of a secret key.
pub(crate) fn public_key(secret: &Bytes32) -> Bytes32 {
    x25519(*secret, X25519_BASEPOINT_BYTES)
}

/// Returns the shared secret, or `None` if the peer's public key is a point of small order, which has no secret.
pub(crate) fn shared_secret(secret: &Bytes32, public: &Bytes32) -> Option<Bytes32> {
    let shared = x25519(*secret, *public);
    (shared != [0; KEY_BYTES]).then_some(shared)
}

/// A key of ChaCha20-Poly1305.
pub(crate) struct Aead(ChaCha20Poly1305);

impl Aead {
    pub(crate) fn new(key: &Bytes32) -> Self {
        Self(ChaCha20Poly1305::new(&(*key).into()))
    }

    /// Encrypts `text` in place and returns its tag; `None` if it is too long for the cipher.
    pub(crate) fn seal(&self, counter: u64, associated: &[u8], text: &mut [u8]) -> Option<[u8; TAG_BYTES]> {
        self.0.encrypt_inout_detached(&nonce(counter), associated, text.into()).ok().map(Into::into)
    }

    /// Decrypts `text` in place. Returns false, and leaves `text` unspecified, if the tag is wrong.
    pub(crate) fn open(
        &self,
        counter: u64,
        associated: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> bool {
        let tag = Tag::from(*tag);
        self.0.decrypt_inout_detached(&nonce(counter), associated, text.into(), &tag).is_ok()
    }
}

/// Returns the nonce of a counter: four zeros, then the counter in little-endian order, as in Noise.
fn nonce(counter: u64) -> Nonce {
    let [a, b, c, d, e, f, g, h] = counter.to_le_bytes();
    Nonce::from([0, 0, 0, 0, a, b, c, d, e, f, g, h])
}
