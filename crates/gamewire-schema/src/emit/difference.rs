use std::fmt;

/// One thing that two versions of a protocol do differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The packet, by the name that both or one of them give it.
    pub packet: String,
    /// The field, where it is about one.
    pub field: Option<String>,
    /// What differs.
    pub what: String,
}

/// All differences, packet by packet in the order of the older version, new packets last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// One by one.
    pub list: Vec<Difference>,
}

impl Differences {
    pub(super) fn add(&mut self, packet: &str, field: Option<&str>, what: String) {
        self.list.push(Difference { packet: packet.to_owned(), field: field.map(str::to_owned), what });
    }
}

/// Grouped by packet, then the sum.
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        let mut packets = 0_usize;
        for difference in &self.list {
            if last != Some(difference.packet.as_str()) {
                writeln!(f, "{}", difference.packet)?;
                last = Some(&difference.packet);
                packets = packets.saturating_add(1);
            }
            match &difference.field {
                Some(field) => writeln!(f, "  {field}: {}", difference.what)?,
                None => writeln!(f, "  {}", difference.what)?,
            }
        }
        match self.list.len() {
            0 => writeln!(f, "no difference on the wire"),
            1 => writeln!(f, "1 difference on the wire"),
            count => writeln!(f, "{count} differences on the wire, in {packets} packets"),
        }
    }
}
