use std::ffi::OsStr;

use super::CompressionLevel;

/// The environment variable with the compression level, which freeciv-server reads, too.
const COMPRESSION_LEVEL: &str = "FREECIV_COMPRESSION_LEVEL";

/// Returns the compression level in the environment variable `FREECIV_COMPRESSION_LEVEL`, as freeciv-server reads it: -1
/// to 9, where -1 is the default of zlib and 0 is no compression. The default also applies if the variable is not set or
/// has another value. Use it for `ServerConfig::compression`, or for [`ClientConfig::compression`] of a client that
/// compresses; the protocol itself reads no environment.
///
/// [`ClientConfig::compression`]: super::ClientConfig::compression
pub fn compression_level() -> CompressionLevel {
    parse(std::env::var_os(COMPRESSION_LEVEL).as_deref())
}

fn parse(value: Option<&OsStr>) -> CompressionLevel {
    value.map_or(CompressionLevel::DEFAULT, |value| CompressionLevel::from_text(&value.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_freeciv_does_not_know_are_the_default() {
        let level = |value: &str| parse(Some(OsStr::new(value))).get();
        assert_eq!(["0", "1", " 9 ", "+3"].map(level), [0, 1, 9, 3]);
        assert_eq!(["", "-1", "-2", "10", "6x", "high", "99999999999999999999"].map(level), [6; 7]);
        assert_eq!(parse(None).get(), 6);
    }
}
