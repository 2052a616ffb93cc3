use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use gamewire_freeciv::codec::Text;
use gamewire_freeciv::packets::SingleWantHackReq;
use thiserror::Error;

/// The reason why a challenge file could not be written.
#[derive(Debug, Error)]
pub enum ChallengeError {
    /// The server names a file that could be in another folder.
    #[error("the server names the challenge file {name:?}; expected letters, digits, `_` and `-`")]
    Name {
        /// The name.
        name: String,
    },
    /// The file cannot be written.
    #[error("cannot write the challenge file {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// A file that proves to a server on this machine that a client may write to the home of the server's user. The server
/// then gives the client all rights, as it gives them to Freeciv's own client that has started it: to save and load
/// games, and to change all settings.
///
/// Dropping it removes the file. The server reads it when it receives the [request](Self::request).
#[derive(Debug)]
pub struct Challenge {
    path: PathBuf,
    token: String,
}

impl Challenge {
    /// Maximum length of a file's name.
    const MAX_NAME: usize = 100;

    /// Writes a random token to the file that [`Joined`](super::session::client::Joined) names, in the folder
    /// `.freeciv` of `home`.
    ///
    /// # Errors
    /// [`ChallengeError`] if the name is no plain name, or the file cannot be written.
    pub fn write(home: &Path, name: &str) -> Result<Self, ChallengeError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if name.is_empty() || name.len() > Self::MAX_NAME || !name.bytes().all(is_plain) {
            return Err(ChallengeError::Name { name: name.to_owned() });
        }
        let folder = home.join(".freeciv");
        let path = folder.join(name);
        let token: String = crate::system::seed().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let text = format!("[challenge]\ntoken=\"{token}\"\n");
        match fs::create_dir_all(&folder).and_then(|()| fs::write(&path, text)) {
            Ok(()) => Ok(Self { path, token }),
            Err(source) => Err(ChallengeError::Write { path, source }),
        }
    }

    /// Returns the packet that requests all rights.
    pub fn request(&self) -> SingleWantHackReq {
        // A token of 32 characters fits.
        SingleWantHackReq { token: Text::try_from(self.token.as_str()).unwrap_or_default() }
    }
}

impl Drop for Challenge {
    fn drop(&mut self) {
        // A file that cannot be removed is useless: the token is for one connection.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    /// Returns a folder that does not exist.
    fn new_home() -> PathBuf {
        let number: String = crate::system::seed().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        std::env::temp_dir().join(format!("gamewire-challenge-{number}"))
    }

    #[test]
    fn a_challenge_is_a_file_until_it_is_dropped() {
        let home = new_home();
        let challenge = Challenge::write(&home, "challenge_5556_1").unwrap();
        let path = home.join(".freeciv/challenge_5556_1");
        let token = challenge.request().token.to_string();
        assert_eq!(token.len(), 32);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("[challenge]\ntoken=\"{token}\"\n"));
        drop(challenge);
        assert!(!path.exists());
        fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn a_server_cannot_choose_another_folder() {
        let home = new_home();
        for name in ["", "../x", "/etc/passwd", "a/b", "a\\b", ".bashrc", &"a".repeat(101)] {
            let error = Challenge::write(&home, name).unwrap_err();
            assert!(matches!(error, ChallengeError::Name { .. }), "{name}: {error}");
        }
        assert!(!home.exists());
    }
}
