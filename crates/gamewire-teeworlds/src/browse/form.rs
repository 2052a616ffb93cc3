/// A form in which servers are asked what they are, and answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InfoFormat {
    /// 0.6: one question, one answer, up to 16 clients.
    Plain,
    /// DDNet's extension of 0.6: as many answers as it takes, with the map's file.
    Extended,
    /// 0.7: an exchange of tokens first.
    V07,
}

impl InfoFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Extended, Self::V07];

    /// Its name, like those in URLs.
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
