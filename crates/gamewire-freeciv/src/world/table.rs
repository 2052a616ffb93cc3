use crate::packets::{ConnInfo, PlayerInfo, ResearchInfo, SpaceshipInfo};

/// A packet that describes a thing with an id.
pub trait Keyed {
    /// Returns the id.
    fn id(&self) -> i32;
}

macro_rules! keyed {
    ($($type:ident: $id:ident,)+) => {$(
        impl Keyed for $type {
            fn id(&self) -> i32 {
                self.$id.into()
            }
        }
    )+};
}

pub(super) use keyed;

keyed! {
    ConnInfo: id,
    PlayerInfo: playerno,
    ResearchInfo: id,
    SpaceshipInfo: player_num,
}

/// A rule that has a name.
pub trait Rule: Keyed {
    /// Returns the untranslated name, or an empty one if there is none.
    fn rule_name(&self) -> &[u8];
}

/// The last packet of each id, as a sorted list, because servers send nearly all tables in the order of their ids.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T>(Vec<Box<T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Keyed> Table<T> {
    /// Returns the entry with this id.
    pub fn get(&self, id: impl TryInto<i32>) -> Option<&T> {
        let at = self.find(id.try_into().ok()?).ok()?;
        self.0.get(at).map(Box::as_ref)
    }

    /// Iterates over all entries by ascending id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter().map(Box::as_ref)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn put(&mut self, entry: &T)
    where
        T: Clone,
    {
        match self.find(entry.id()) {
            Ok(at) => self.0.iter_mut().skip(at).take(1).for_each(|old| entry.clone_into(old)),
            Err(at) => self.0.insert(at, Box::new(entry.clone())),
        }
    }

    pub(super) fn remove(&mut self, id: impl Into<i32>) {
        let id = id.into();
        self.0.retain(|entry| entry.id() != id);
    }

    fn find(&self, id: i32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |entry| entry.id())
    }
}

impl<T: Rule> Table<T> {
    /// Returns the rule with this rule name.
    pub fn named(&self, rule_name: &str) -> Option<&T> {
        self.iter().find(|rule| rule.rule_name() == rule_name.as_bytes())
    }
}

/// Serializes the table as a map from ids to entries.
#[cfg(feature = "serde")]
impl<T: Keyed + serde::Serialize> serde::Serialize for Table<T> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter().map(|entry| (entry.id(), entry)))
    }
}
