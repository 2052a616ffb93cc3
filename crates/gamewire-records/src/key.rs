use core::fmt;

use thiserror::Error;

use crate::crypto::{Bytes32, KEY_BYTES, hmac};

/// Maximum bytes of a token.
pub const MAX_TOKEN_BYTES: usize = 255;

/// The secret key of a server.
///
/// A program that has it can make the key of any client, and can act as the server.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Bytes32);

/// The key of a client: its token, and the secret that belongs to the token.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientKey {
    pub(crate) token: Vec<u8>,
    pub(crate) secret: Bytes32,
}

/// The reason why a text or token is not a key.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum KeyError {
    /// The text is not 64 hexadecimal digits.
    #[error("invalid key: expected 64 hexadecimal digits")]
    Text,
    /// The token is too long.
    #[error("invalid token: expected at most {MAX_TOKEN_BYTES} bytes, found {0}")]
    TokenLength(usize),
}

impl Key {
    /// Creates a key of 32 random bytes.
    pub const fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Reads a key of 64 hexadecimal digits. White space around them is ignored.
    ///
    /// # Errors
    /// [`KeyError::Text`] if the text is anything else.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        let (pairs, rest) = text.trim().as_bytes().as_chunks::<2>();
        if pairs.len() != KEY_BYTES || !rest.is_empty() {
            return Err(KeyError::Text);
        }
        let mut bytes = [0; KEY_BYTES];
        for (to, [high, low]) in bytes.iter_mut().zip(pairs) {
            let (high, low) = (digit(*high)?, digit(*low)?);
            *to = high << 4 | low;
        }
        Ok(Self(bytes))
    }

    /// Returns the 64 hexadecimal digits of the key.
    pub fn to_hex(&self) -> String {
        self.0.iter().flat_map(|byte| [byte >> 4, byte & 0xf]).map(to_digit).collect()
    }

    /// Makes the key of the client with this token. The token of a client that has the server's key itself is empty.
    ///
    /// A backend that has the server's key chooses a token for each client and sends it the result. The token is not
    /// secret. [`Server::token`](crate::Server::token) returns it, and the application decides about its meaning.
    ///
    /// # Errors
    /// [`KeyError::TokenLength`] if the token is longer than [`MAX_TOKEN_BYTES`].
    pub fn client_key(&self, token: &[u8]) -> Result<ClientKey, KeyError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(KeyError::TokenLength(token.len()));
        }
        Ok(ClientKey { token: token.to_vec(), secret: self.client_secret(token) })
    }

    /// Returns the secret of a token.
    pub(crate) fn client_secret(&self, token: &[u8]) -> Bytes32 {
        hmac(&self.0, &[b"gamewire-records token", token])
    }
}

impl ClientKey {
    /// Creates the key of a client from a token and the secret that the backend returned with it.
    ///
    /// # Errors
    /// [`KeyError::TokenLength`] if the token is longer than [`MAX_TOKEN_BYTES`].
    pub fn new(token: &[u8], secret: [u8; KEY_BYTES]) -> Result<Self, KeyError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(KeyError::TokenLength(token.len()));
        }
        Ok(Self { token: token.to_vec(), secret })
    }

    /// Returns the token.
    pub fn token(&self) -> &[u8] {
        &self.token
    }

    /// Returns the secret of the token, which must reach the client over an encrypted connection.
    pub const fn secret(&self) -> &[u8; KEY_BYTES] {
        &self.secret
    }
}

/// Writes no secret.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// Writes the token, and no secret.
impl fmt::Debug for ClientKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientKey").field("token", &self.token).finish_non_exhaustive()
    }
}

fn digit(byte: u8) -> Result<u8, KeyError> {
    let value = char::from(byte).to_digit(16).ok_or(KeyError::Text)?;
    u8::try_from(value).map_err(|_| KeyError::Text)
}

fn to_digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or('0')
}
