//! The capabilities that a change needs, so that sides of both versions read the same fields or reject each other.

use std::collections::HashSet;
use std::fmt;

use super::compare::{Difference, described_forms, listed};
use crate::ir::{Count, Field, Info, Packet, Protocol, WireType};

/// The capability that a difference needs, so that a side of the older version and a side of the newer one understand
/// each other, or the join fails with a reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A mandatory capability.
    Mandatory,
    /// A mandatory capability, or an optional one in `add-cap` on the new line.
    AddCap,
    /// A mandatory capability, or an optional one in `remove-cap` on the old line, which stays.
    RemoveCap,
    /// A mandatory capability, or an optional one in `remove-cap` on the old line and in `add-cap` on the new one.
    BothLines,
    /// A mandatory capability, or an optional one that a sender of the packet checks.
    CheckBySender,
    /// The optional capabilities that the newer version names and the older one does not have.
    Optional(Vec<String>),
    /// No capability, if no text or array is longer than the shorter limit.
    WithinLimits,
    /// No capability: only senders differ.
    Nothing,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mandatory => "a mandatory capability",
            Self::AddCap => "a mandatory capability, or an optional one with add-cap(NAME) on the new line",
            Self::RemoveCap => {
                "a mandatory capability, or an optional one with remove-cap(NAME) on the old line, which stays"
            }
            Self::BothLines => {
                "a mandatory capability, or an optional one with remove-cap(NAME) on the old line and add-cap(NAME) on \
                 the new one"
            }
            Self::CheckBySender => {
                "a mandatory capability, or an optional one that the sender checks before it sends the packet"
            }
            Self::Optional(names) if names.len() > 1 => {
                return write!(f, "the optional capabilities {}", names.join(", "));
            }
            Self::Optional(names) => return write!(f, "the optional capability {}", names.concat()),
            Self::WithinLimits => "no capability as long as nothing is longer than the shorter limit",
            Self::Nothing => "no capability",
        })
    }
}

/// The capabilities of the newer version that sides of the older one do not have.
pub(super) struct NewCapabilities<'p> {
    names: HashSet<&'p str>,
    /// The mandatory ones.
    pub(super) mandatory: Vec<String>,
}

impl<'p> NewCapabilities<'p> {
    pub(super) fn new(old: &Protocol, new: &'p Protocol) -> Self {
        let words = |text: &'p str| text.split([' ', ',']).filter(|word| !word.is_empty());
        let old_words: HashSet<&str> =
            old.capability_string.split([' ', ',']).map(|word| word.trim_start_matches('+')).collect();
        let is_new =
            |name: &str| !old_words.contains(name) && !old.capabilities.iter().any(|known| known == name);
        let mandatory = words(&new.capability_string).filter_map(|word| word.strip_prefix('+'));
        let mandatory = mandatory.filter(|name| is_new(name) && !old.capability_string.is_empty());
        let names = new.capabilities.iter().map(String::as_str).filter(|name| is_new(name));
        Self { names: names.collect(), mandatory: mandatory.map(str::to_owned).collect() }
    }

    /// Returns the need of a field that changed from the forms `was` in `old` to the forms `is` in `new`.
    pub(super) fn of_field(&self, (was, old): Forms<'_>, (is, new): Forms<'_>) -> Need {
        let named = is.iter().flat_map(|field| field.add_caps.iter().chain(&field.remove_caps));
        let mut named: Vec<String> = named.filter(|name| self.is_new(name)).cloned().collect();
        named.sort_unstable();
        named.dedup();
        if !named.is_empty() {
            let seen: Vec<Field> = is.iter().filter_map(|field| self.as_seen(field)).collect();
            let seen: Vec<&Field> = seen.iter().collect();
            if described_forms(&seen, new) == described_forms(was, old) {
                return Need::Optional(named);
            }
        }
        match (was, is) {
            ([], _) => Need::AddCap,
            (_, []) => Need::RemoveCap,
            ([was], [is]) if differ_in_limits(was, is) => Need::WithinLimits,
            _ => Need::BothLines,
        }
    }

    /// Returns a field of the newer version in the form that is sent to sides of the older one, or `None` if it is not.
    fn as_seen(&self, field: &Field) -> Option<Field> {
        let mut seen = field.clone();
        seen.remove_caps.retain(|name| !self.is_new(name));
        (!field.add_caps.iter().any(|name| self.is_new(name))).then_some(seen)
    }

    fn is_new(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// The forms of a field, and its packet.
pub(super) type Forms<'f> = (&'f [&'f Field], &'f Packet);

/// Returns the need of a change of flags. Without `no-delta` and resets, flags only concern the sender.
pub(super) fn need_of_flags(old: &Packet, new: &Packet) -> Need {
    let is_reset = |packet: &Packet| packet.info == Info::GameInfo;
    let is_same = old.no_delta == new.no_delta && is_reset(old) == is_reset(new);
    if is_same { Need::Nothing } else { Need::Mandatory }
}

/// Returns the need of a change of the sender.
pub(super) fn need_of_sender(old: &Packet, new: &Packet) -> Need {
    let (was, is) = (old.directions, new.directions);
    let is_added = (is.to_client || !was.to_client) && (is.to_server || !was.to_server);
    if is_added { Need::CheckBySender } else { Need::Mandatory }
}

/// Returns whether two fields differ only in the maximum length of texts or counted arrays.
fn differ_in_limits(was: &Field, is: &Field) -> bool {
    let unlimited = |field: &Field| {
        let mut field = field.clone();
        if let WireType::String { size } | WireType::Estring { size } = &mut field.wire {
            *size = 0;
        }
        for dim in &mut field.dims {
            // The index in an array-diff depends on the limit.
            let index = field.diff.map_or(0, |diff| u32::try_from(diff.index_bytes(dim.limit)).unwrap_or(0));
            if !matches!(dim.count, Count::Fixed) {
                dim.limit = index;
            }
            // The index of the count field can differ.
            if let Count::Field(index) = &mut dim.count {
                *index = 0;
            }
        }
        let is_bool = field.is_bool();
        let Field { wire, structure, dims, key, diff, add_caps, remove_caps, .. } = field;
        (wire, structure, dims, key, diff, is_bool, add_caps, remove_caps)
    };
    unlimited(was) == unlimited(is)
}

/// Writes the needs of all differences, each with the packets and fields that have it.
pub(super) fn write_advice(
    f: &mut fmt::Formatter<'_>,
    differences: &[Difference],
    mandatory: &[String],
) -> fmt::Result {
    if differences.is_empty() {
        return Ok(());
    }
    writeln!(f, "what sides of the older version need")?;
    if !mandatory.is_empty() {
        let names = mandatory.join(", ");
        return writeln!(f, "  no more than {names}, which the newer version requires: they cannot join");
    }
    let mut needs: Vec<&Need> = differences.iter().map(|difference| &difference.need).collect();
    needs.sort_unstable();
    needs.dedup();
    for need in needs {
        let with_need: Vec<&Difference> =
            differences.iter().filter(|difference| difference.need == *need).collect();
        writeln!(f, "  {need}: {}", listed(&with_need, f.alternate()))?;
    }
    Ok(())
}
