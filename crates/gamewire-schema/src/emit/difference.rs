use std::collections::HashSet;
use std::fmt;

/// One difference of two versions of a protocol on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the packet, in the older version if it has it.
    pub packet: String,
    /// The field, if the difference is about one.
    pub field: Option<String>,
    /// Description.
    pub what: String,
}

/// A new name of a packet or field that is the same on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename {
    /// Name of the packet in the older version.
    pub packet: String,
    /// Name of the field in the older version; `None` if the packet itself is renamed.
    pub field: Option<String>,
    /// Name in the newer version.
    pub to: String,
}

/// All differences, packet by packet in the order of the older version, new packets last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Differences on the wire.
    pub list: Vec<Difference>,
    /// Renames, which are not differences on the wire.
    pub renamed: Vec<Rename>,
}

impl Differences {
    pub(super) fn add(&mut self, packet: &str, field: Option<&str>, what: String) {
        self.list.push(Difference { packet: packet.to_owned(), field: field.map(str::to_owned), what });
    }
}

/// `PACKET_A -> PACKET_B` or `PACKET_A: field -> other`.
impl fmt::Display for Rename {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{}: {field} -> {}", self.packet, self.to),
            None => write!(f, "{} -> {}", self.packet, self.to),
        }
    }
}

/// Writes the differences by packet, the renames, then the total.
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        for difference in &self.list {
            if last != Some(difference.packet.as_str()) {
                writeln!(f, "{}", difference.packet)?;
                last = Some(&difference.packet);
            }
            match &difference.field {
                Some(field) => writeln!(f, "  {field}: {}", difference.what)?,
                None => writeln!(f, "  {}", difference.what)?,
            }
        }
        if !self.renamed.is_empty() {
            writeln!(f, "other names for what is the same on the wire")?;
            self.renamed.iter().try_for_each(|rename| writeln!(f, "  {rename}"))?;
        }
        let packets: HashSet<&str> = self.list.iter().map(|difference| difference.packet.as_str()).collect();
        match (self.list.len(), packets.len()) {
            (0, _) => writeln!(f, "no difference on the wire"),
            (1, _) => writeln!(f, "1 difference on the wire"),
            (count, 1) => writeln!(f, "{count} differences on the wire, in 1 packet"),
            (count, packets) => writeln!(f, "{count} differences on the wire, in {packets} packets"),
        }
    }
}
