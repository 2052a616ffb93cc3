use core::fmt::Write as _;

use crate::model::TextBuf;

/// Maximum length of a map name in bytes, as in DDNet.
const MAX_NAME_BYTES: usize = 127;

/// The server's description of a map. It is not trusted: the name may be an invalid path, and the size may be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapInfo {
    /// The name without folder or extension.
    pub name: TextBuf,
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes.
    pub size: i32,
    /// SHA-256 of the file. Servers of 0.7 always send it, and DDNet also sends it in 0.6.
    pub sha256: Option<[u8; 32]>,
    /// A URL to download the file (DDNet).
    pub url: Option<TextBuf>,
}

impl MapInfo {
    /// Returns a file name that is unique for the map. It has the format of the games: `dm1_64548818.map`, with the
    /// SHA-256 instead of the CRC-32 if it is known. Returns `None` if the map's name is not a valid file name or
    /// contains a path.
    pub fn file_name(&self) -> Option<String> {
        let name = self.name.to_string();
        if !is_valid_file_name(self.name.as_bytes()) || !is_valid_file_name(name.as_bytes()) {
            return None;
        }
        let mut file = name + "_";
        match self.sha256 {
            Some(sha256) => sha256.iter().try_for_each(|byte| write!(file, "{byte:02x}")).ok()?,
            None => write!(file, "{:08x}", self.crc).ok()?,
        }
        file.push_str(".map");
        Some(file)
    }
}

/// Returns whether `name` with a suffix is a valid file name without a path on every operating system.
fn is_valid_file_name(name: &[u8]) -> bool {
    let is_invalid = |byte: &u8| byte.is_ascii_control() || b"/\\:*?\"<>|".contains(byte);
    (1..=MAX_NAME_BYTES).contains(&name.len()) && !name.starts_with(b".") && !name.iter().any(is_invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(name: &str, sha256: Option<[u8; 32]>) -> MapInfo {
        MapInfo { name: name.into(), crc: 0x6454_8818, size: 1, sha256, url: None }
    }

    #[test]
    fn a_file_is_named_after_the_map_and_its_checksum() {
        assert_eq!(map("dm1", None).file_name().unwrap(), "dm1_64548818.map");
        let file = map("Gold Mine", Some([0xab; 32])).file_name().unwrap();
        assert_eq!(file, format!("Gold Mine_{}.map", "ab".repeat(32)));
    }

    #[test]
    fn t11_a_name_with_a_path_is_not_a_file_name() {
        let long = "a".repeat(300);
        for name in [
            "",
            "../dm1",
            "..",
            "/etc/passwd",
            "a\\b",
            "c:dm1",
            "a\0b",
            "a\nb",
            " \t",
            ".hidden",
            " .x",
            &long,
        ] {
            assert_eq!(map(name, None).file_name(), None, "{name:?}");
        }
    }
}
