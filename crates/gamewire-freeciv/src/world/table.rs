use std::collections::BTreeMap;

/// What has an id and a name in the ruleset.
pub trait Rule {
    /// Its id.
    fn id(&self) -> u16;

    /// The name that stays the same in every language, where there is one.
    fn rule_name(&self) -> &[u8];
}

/// Things of one kind by their ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T>(BTreeMap<u16, Box<T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Rule> Table<T> {
    /// The thing with this id.
    pub fn get(&self, id: impl TryInto<u16>) -> Option<&T> {
        self.0.get(&id.try_into().ok()?).map(Box::as_ref)
    }

    /// The thing with this rule name.
    #[must_use]
    pub fn named(&self, rule_name: &str) -> Option<&T> {
        self.iter().find(|thing| thing.rule_name() == rule_name.as_bytes())
    }

    /// All of them in the order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.values().map(Box::as_ref)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
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
