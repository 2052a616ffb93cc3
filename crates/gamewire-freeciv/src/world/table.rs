use std::collections::BTreeMap;

/// A rule that has an id and a rule name.
pub trait Rule {
    /// Returns the id.
    fn id(&self) -> u16;

    /// Returns the name that is the same in every language; empty if there is none.
    fn rule_name(&self) -> &[u8];
}

/// Rules of one kind, by id.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Table<T>(BTreeMap<u16, Box<T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Rule> Table<T> {
    /// Returns the rule with this id.
    pub fn get(&self, id: impl TryInto<u16>) -> Option<&T> {
        self.0.get(&id.try_into().ok()?).map(Box::as_ref)
    }

    /// Returns the rule with this rule name.
    #[must_use]
    pub fn named(&self, rule_name: &str) -> Option<&T> {
        self.iter().find(|thing| thing.rule_name() == rule_name.as_bytes())
    }

    /// Iterates over all rules by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.values().map(Box::as_ref)
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Rule + Clone> Table<T> {
    pub(super) fn put(&mut self, thing: &T) {
        match self.0.get_mut(&thing.id()) {
            Some(old) => thing.clone_into(old),
            None => drop(self.0.insert(thing.id(), Box::new(thing.clone()))),
        }
    }
}
