//! The handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256` (Noise, revision 34): both sides prove the key, and agree on
//! fresh keys that cannot be computed from it later.

use crate::crypto::{Aead, Bytes32, KEY_BYTES, TAG_BYTES, hash, hkdf, public_key, shared_secret};
use crate::wire::{CONNECTION_ID_BYTES, PROLOGUE};

const PROTOCOL: &[u8] = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256";
/// Bytes of the first message: a public key and a tag.
pub(crate) const FIRST_BYTES: usize = KEY_BYTES + TAG_BYTES;
/// Bytes of the second message: a public key, the encrypted connection id and a tag.
pub(crate) const SECOND_BYTES: usize = KEY_BYTES + CONNECTION_ID_BYTES + TAG_BYTES;

/// The keys of a session.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionKeys {
    pub(crate) client: Bytes32,
    pub(crate) server: Bytes32,
}

/// The symmetric state of Noise, with the key of the last `MixKey`. Each key encrypts one text, so its nonce is 0.
#[derive(Clone)]
struct Symmetric {
    key: Bytes32,
    chaining_key: Bytes32,
    hash: Bytes32,
}

impl Symmetric {
    /// The state before the public key of the initiator.
    fn new(secret: &Bytes32) -> Self {
        let name = hash(&[PROTOCOL]);
        let mut state = Self { key: [0; KEY_BYTES], chaining_key: name, hash: name };
        state.mix_hash(PROLOGUE);
        // The token `psk`.
        let [chaining_key, temporary, key] = hkdf(&state.chaining_key, secret);
        (state.chaining_key, state.key) = (chaining_key, key);
        state.mix_hash(&temporary);
        state
    }

    fn mix_hash(&mut self, data: &[u8]) {
        self.hash = hash(&[&self.hash, data]);
    }

    fn mix_key(&mut self, material: &[u8]) {
        let [chaining_key, key, _] = hkdf(&self.chaining_key, material);
        (self.chaining_key, self.key) = (chaining_key, key);
    }

    /// The token `e` of a handshake with a pre-shared key.
    fn mix_public(&mut self, public: &Bytes32) {
        self.mix_hash(public);
        self.mix_key(public);
    }

    /// Encrypts `text` in place and returns its tag.
    fn seal(&mut self, text: &mut [u8]) -> [u8; TAG_BYTES] {
        // Only a text of many gigabytes has no tag.
        let tag = Aead::new(&self.key).seal(0, &self.hash, text).unwrap_or_default();
        self.hash = hash(&[&self.hash, text, &tag]);
        tag
    }

    /// Decrypts `text` in place. Returns false if the tag is wrong.
    fn open(&mut self, text: &mut [u8], tag: &[u8; TAG_BYTES]) -> bool {
        let next = hash(&[&self.hash, text, tag]);
        let is_genuine = Aead::new(&self.key).open(0, &self.hash, text, tag);
        self.hash = next;
        is_genuine
    }

    fn split(&self) -> SessionKeys {
        let [client, server, _] = hkdf(&self.chaining_key, &[]);
        SessionKeys { client, server }
    }
}

/// The client's side, between the first and the second message.
#[derive(Clone)]
pub(crate) struct Initiator {
    state: Symmetric,
    ephemeral: Bytes32,
}

impl Initiator {
    /// Returns the client's side with the first message.
    pub(crate) fn new(secret: &Bytes32, ephemeral: Bytes32) -> (Self, [u8; FIRST_BYTES]) {
        let mut state = Symmetric::new(secret);
        let public = public_key(&ephemeral);
        state.mix_public(&public);
        let tag = state.seal(&mut []);
        (Self { state, ephemeral }, join(&public, &tag))
    }

    /// Reads the second message. Returns the connection id and the keys, or `None` if the message is not genuine.
    pub(crate) fn finish(&self, message: &[u8; SECOND_BYTES]) -> Option<(u32, SessionKeys)> {
        let (public, rest) = message.split_first_chunk::<KEY_BYTES>()?;
        let (id, tag) = rest.split_first_chunk::<CONNECTION_ID_BYTES>()?;
        let (mut state, mut id) = (self.state.clone(), *id);
        state.mix_public(public);
        state.mix_key(&shared_secret(&self.ephemeral, public)?);
        state.open(&mut id, tag.first_chunk()?).then(|| (u32::from_le_bytes(id), state.split()))
    }
}

/// The server's side, after a first message that proves the key.
pub(crate) struct Responder {
    state: Symmetric,
    public: Bytes32,
}

impl Responder {
    /// Reads the first message. Returns `None` if the client has another key.
    pub(crate) fn new(secret: &Bytes32, message: &[u8; FIRST_BYTES]) -> Option<Self> {
        let (public, tag) = message.split_first_chunk::<KEY_BYTES>()?;
        let mut state = Symmetric::new(secret);
        state.mix_public(public);
        state.open(&mut [], tag.first_chunk()?).then_some(Self { state, public: *public })
    }

    /// Returns the second message and the keys, or `None` if the client's public key has no shared secret.
    pub(crate) fn finish(
        mut self,
        id: u32,
        ephemeral: &Bytes32,
    ) -> Option<([u8; SECOND_BYTES], SessionKeys)> {
        let public = public_key(ephemeral);
        self.state.mix_public(&public);
        self.state.mix_key(&shared_secret(ephemeral, &self.public)?);
        let mut id = id.to_le_bytes();
        let tag = self.state.seal(&mut id);
        Some((join(&public, &join::<{ CONNECTION_ID_BYTES + TAG_BYTES }>(&id, &tag)), self.state.split()))
    }
}

/// Returns both parts as one array. Their lengths must add up to `N`.
fn join<const N: usize>(first: &[u8], second: &[u8]) -> [u8; N] {
    let mut joined = [0; N];
    for (to, from) in joined.iter_mut().zip(first.iter().chain(second)) {
        *to = *from;
    }
    joined
}

/// Returns the first message of a client that has the key and sends any public key.
#[cfg(test)]
pub(crate) fn first_message_with_public_key(secret: &Bytes32, public: &Bytes32) -> [u8; FIRST_BYTES] {
    let mut state = Symmetric::new(secret);
    state.mix_public(public);
    let tag = state.seal(&mut []);
    join(public, &tag)
}
