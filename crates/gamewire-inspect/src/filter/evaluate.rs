use gamewire_machine::Record;

use super::check::Check;
use super::field::Field;
use crate::conversation::PacketMeta;

/// A parsed filter.
#[derive(Clone, Debug)]
pub struct Filter {
    pub(super) root: Expression,
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    All(Vec<Self>),
    Any(Vec<Self>),
    /// Matches if an odd number of these filters match.
    Odd(Vec<Self>),
    Not(Box<Self>),
    Test(Field, Check),
}

impl Filter {
    /// Returns whether the filter matches a datagram.
    pub fn holds<'a>(&self, meta: impl Into<PacketMeta<'a>>, record: &Record) -> bool {
        self.root.holds(meta.into(), record)
    }
}

impl Expression {
    fn holds(&self, meta: PacketMeta<'_>, record: &Record) -> bool {
        let part_holds = |part: &Self| part.holds(meta, record);
        match self {
            Self::All(parts) => parts.iter().all(part_holds),
            Self::Any(parts) => parts.iter().any(part_holds),
            Self::Odd(parts) => parts.iter().filter(|part| part_holds(part)).count() % 2 == 1,
            Self::Not(inner) => !part_holds(inner),
            Self::Test(field, check) => {
                let mut exists = false;
                let has_match = field.any_value(meta, record, |value| {
                    exists = true;
                    value.map_or(matches!(check, Check::Exists), |value| check.on_value(value))
                });
                if check.is_unequal() { exists && !has_match } else { has_match }
            }
        }
    }
}
