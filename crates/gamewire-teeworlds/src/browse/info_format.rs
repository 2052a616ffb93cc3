/// A format of server info requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InfoFormat {
    /// 0.6: one datagram with up to 16 clients.
    Plain,
    /// Extension of 0.6 by DDNet: several datagrams, with the file of the map.
    Extended,
    /// 0.7: after an exchange of tokens.
    V07,
}

impl InfoFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Extended, Self::V07];

    /// Returns the name, similar to those in URLs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "tw-0.6",
            Self::Extended => "tw-0.6-ddnet",
            Self::V07 => "tw-0.7",
        }
    }
}

impl core::fmt::Display for InfoFormat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
