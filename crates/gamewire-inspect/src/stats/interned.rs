use std::collections::HashMap;

use gamewire_wire::Layer;

/// Maximum number of names that are counted separately. Decoders have some hundreds.
const MAX_NAMES: usize = 4096;
/// Number of slots of the cache; a power of two.
const CACHE: usize = 256;

/// Numbers for the names of messages and items. The same name always has the same number.
///
/// Decoders take names from tables, so the same name usually has the same address. A small cache by address, verified
/// by comparing the name, avoids hashing.
pub(super) struct Interned {
    names: Vec<(Layer, Box<str>)>,
    numbers: HashMap<(Layer, Box<str>), usize>,
    cache: [u16; CACHE],
}

impl Interned {
    pub(super) fn new() -> Self {
        Self { names: Vec::new(), numbers: HashMap::new(), cache: [u16::MAX; CACHE] }
    }

    /// Returns the number of `name`; `None` if there are too many names.
    pub(super) fn number(&mut self, layer: Layer, name: &str) -> Option<usize> {
        let slot = (name.as_ptr().addr() ^ name.len().rotate_left(4)) % CACHE;
        let cached = usize::from(self.cache.get(slot).copied()?);
        match self.names.get(cached) {
            Some((known_layer, known)) if *known_layer == layer && **known == *name => Some(cached),
            _ => self.look_up(layer, name, slot),
        }
    }

    #[cold]
    fn look_up(&mut self, layer: Layer, name: &str, slot: usize) -> Option<usize> {
        let key = (layer, Box::from(name));
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None if self.names.len() >= MAX_NAMES => return None,
            None => {
                let number = self.names.len();
                self.names.push(key.clone());
                self.numbers.insert(key, number);
                number
            }
        };
        if let (Some(slot), Ok(number)) = (self.cache.get_mut(slot), u16::try_from(number)) {
            *slot = number;
        }
        Some(number)
    }

    /// Returns the layer and name of `number`.
    pub(super) fn name(&self, number: usize) -> Option<(Layer, &str)> {
        self.names.get(number).map(|(layer, name)| (*layer, &**name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_number_at_any_address() {
        let mut names = Interned::new();
        let mut buffer = String::from("chat");
        let chat = names.number(Layer::Message, &buffer);
        assert_eq!(names.number(Layer::Message, "chat"), chat);
        assert_ne!(names.number(Layer::Item, "chat"), chat);
        buffer.replace_range(.., "kill");
        let kill = names.number(Layer::Message, &buffer).unwrap();
        assert_ne!(Some(kill), chat);
        assert_eq!(names.name(kill), Some((Layer::Message, "kill")));
    }

    #[test]
    fn many_names_do_not_exceed_the_limit() {
        let mut names = Interned::new();
        let numbered =
            (0..10_000).filter(|number| names.number(Layer::Message, &number.to_string()).is_some());
        assert_eq!(numbered.count(), MAX_NAMES);
    }
}
