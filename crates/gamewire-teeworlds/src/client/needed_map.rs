use core::fmt::Write as _;

use super::TextBuf;

/// The longest name of a map, in bytes: what DDNet has room for.
const MAX_NAME: usize = 127;

/// A map, as the server describes it. None of it is to be trusted: not the name as a path, not
/// the size as a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapInfo {
    /// Its name, without folder or ending.
    pub name: TextBuf,
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes.
    pub size: i32,
    /// SHA-256 of the file: always in 0.7, from DDNet in 0.6 too.
    pub sha256: Option<[u8; 32]>,
    /// Where else it can be downloaded (DDNet).
    pub url: Option<TextBuf>,
}

impl MapInfo {
    /// A name for its file that is the same for the same map only, as the games' clients have it:
    /// `dm1_64548818.map`, with the SHA-256 instead of the CRC-32 where it is known. `None` when
    /// its name is no name for a file, or could lead into another folder.
    #[must_use]
    pub fn file_name(&self) -> Option<String> {
        let name = self.name.to_string();
        if !is_fit_for_a_file(self.name.as_bytes()) || !is_fit_for_a_file(name.as_bytes()) {
            return None;
        }
        let mut file = name + "_";
        match self.sha256 {
            Some(sum) => sum.iter().try_for_each(|byte| write!(file, "{byte:02x}")).ok()?,
            None => write!(file, "{:08x}", self.crc).ok()?,
        }
        file.push_str(".map");
        Some(file)
    }
}

/// Whether `name` with something behind it is the name of a file, and of none in another folder,
/// on every system.
fn is_fit_for_a_file(name: &[u8]) -> bool {
    let is_odd = |byte: &u8| byte.is_ascii_control() || b"/\\:*?\"<>|".contains(byte);
    (1..=MAX_NAME).contains(&name.len()) && !name.starts_with(b".") && !name.iter().any(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(name: &str, sha256: Option<[u8; 32]>) -> MapInfo {
        MapInfo { name: name.into(), crc: 0x6454_8818, size: 1, sha256, url: None }
    }

    #[test]
    fn a_file_is_named_after_the_map_and_its_sum() {
        assert_eq!(map("dm1", None).file_name().unwrap(), "dm1_64548818.map");
        let file = map("Gold Mine", Some([0xab; 32])).file_name().unwrap();
        assert_eq!(file, format!("Gold Mine_{}.map", "ab".repeat(32)));
    }

    #[test]
    fn t11_a_name_that_leads_elsewhere_names_no_file() {
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
