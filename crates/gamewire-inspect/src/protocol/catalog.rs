use std::borrow::Cow;

use gamewire_wire::Layer;

/// All names of groups and fields, with their documentation. Filters are checked against it, and
/// `--fields` lists it.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    groups: Vec<GroupName>,
    common: Vec<CommonField>,
    aliases: Vec<FieldAlias>,
}

/// Another name of a field of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldAlias {
    /// Protocol that the group belongs to.
    pub protocol: &'static str,
    /// Name of the group.
    pub group: String,
    /// The other name.
    pub alias: String,
    /// The name of the field.
    pub name: String,
}

/// A field that any group of a kind may have, such as the number of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct CommonField {
    /// Protocol that the field belongs to.
    pub protocol: &'static str,
    /// The kind of groups that have it.
    pub layer: Layer,
    /// The field.
    pub field: FieldName,
}

/// A packet header, message, object or structure.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupName {
    /// Protocol that the group belongs to.
    pub protocol: &'static str,
    /// Its kind.
    pub layer: Layer,
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its documentation.
    pub doc: String,
    /// Its fields.
    pub fields: Vec<FieldName>,
}

/// A field of a [`GroupName`].
#[derive(Clone, Debug, PartialEq)]
pub struct FieldName {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its type in words: `text`, `integer 0..=60`, `list of text`.
    pub kind: String,
    /// The type of its values, or of the elements of a list.
    pub values: FieldValues,
    /// True for a list or array.
    pub is_list: bool,
    /// The names of its values or flags, if they are known.
    pub words: Vec<&'static str>,
    /// Its documentation; may be empty.
    pub doc: String,
}

/// The type of the values of a field, for comparisons and columns of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValues {
    /// Several types, or values with a special form.
    Other,
    /// Signed integers of at most this many bits.
    Int(u8),
    /// Unsigned integers of at most this many bits.
    Uint(u8),
    /// Floating-point numbers and decimals.
    Float,
    /// True or false.
    Bool,
    /// Texts and UUIDs.
    Text,
    /// Bytes.
    Bytes,
}

/// A row of a table of groups: layer, name, documentation, and the name, type and documentation of each field.
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub(super) type GroupRow =
    (Layer, &'static str, &'static str, &'static [(&'static str, &'static str, &'static str)]);

/// Returns the groups of a table. `field` creates a field from its name, type and documentation.
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub(super) fn table_groups(
    protocol: &'static str,
    rows: &'static [GroupRow],
    field: fn(&'static str, &str, &str) -> FieldName,
) -> impl Iterator<Item = GroupName> {
    rows.iter().map(move |&(layer, name, doc, fields)| GroupName {
        protocol,
        layer,
        name: name.into(),
        doc: doc.into(),
        fields: fields.iter().map(|&(name, kind, doc)| field(name, kind, doc)).collect(),
    })
}

impl FieldName {
    /// Merges a field of another version: adds its type and its words, and its documentation if there is none yet.
    fn join(&mut self, other: Self) {
        if self.doc.is_empty() {
            self.doc = other.doc;
        }
        if self.kind != other.kind && !self.kind.split(" or ").any(|kind| kind == other.kind) {
            self.kind = format!("{} or {}", self.kind, other.kind);
        }
        if self.values != other.values || self.is_list != other.is_list {
            self.values = FieldValues::Other;
            self.is_list = false;
        }
        for word in other.words {
            if !self.words.contains(&word) {
                self.words.push(word);
            }
        }
    }
}

impl Catalog {
    /// Returns a catalog without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a group. Versions of a protocol share names: an existing group gains the fields that it lacks.
    pub fn add(&mut self, group: GroupName) {
        let same = |other: &&mut GroupName| {
            (other.protocol, other.layer, &other.name) == (group.protocol, group.layer, &group.name)
        };
        let Some(known) = self.groups.iter_mut().find(same) else {
            self.groups.push(group);
            return;
        };
        if known.doc.is_empty() {
            known.doc = group.doc;
        }
        for field in group.fields {
            match known.fields.iter_mut().find(|other| other.name == field.name) {
                None => known.fields.push(field),
                Some(other) => other.join(field),
            }
        }
    }

    /// Adds a field that any group of a kind may have.
    pub fn add_common(&mut self, common: CommonField) {
        self.common.push(common);
    }

    /// Returns the fields that any group of a kind may have.
    pub fn common(&self) -> &[CommonField] {
        &self.common
    }

    /// Adds another name of a field.
    pub fn add_alias(&mut self, alias: FieldAlias) {
        if !self.aliases.contains(&alias) {
            self.aliases.push(alias);
        }
    }

    /// Returns the name of the field with an alias.
    pub fn name_of<'a>(&'a self, protocol: &str, group: &str, alias: &str) -> Option<&'a str> {
        let is_same =
            |known: &&FieldAlias| known.protocol == protocol && known.group == group && known.alias == alias;
        self.aliases.iter().find(is_same).map(|known| known.name.as_str())
    }

    /// Returns the fields called `name` that `group` may have: its own fields, and the fields of any group of its kind.
    pub fn fields_named<'a>(
        &'a self,
        group: &'a GroupName,
        name: &'a str,
    ) -> impl Iterator<Item = &'a FieldName> {
        let is_common =
            |common: &&CommonField| common.protocol == group.protocol && common.layer == group.layer;
        let common = self.common.iter().filter(is_common).map(|common| &common.field);
        group.fields.iter().chain(common).filter(move |field| field.name == name)
    }

    /// Returns all groups, in the order they were added.
    pub fn groups(&self) -> &[GroupName] {
        &self.groups
    }

    /// Returns the names of the protocols, each once.
    pub fn protocols(&self) -> impl Iterator<Item = &'static str> {
        let mut seen: Vec<&'static str> = Vec::new();
        for group in &self.groups {
            if !seen.contains(&group.protocol) {
                seen.push(group.protocol);
            }
        }
        seen.into_iter()
    }

    /// Returns the groups called `name` in `protocol`: a message and an object may share a name.
    pub fn named<'a>(&'a self, protocol: &'a str, name: &'a str) -> impl Iterator<Item = &'a GroupName> {
        self.groups.iter().filter(move |group| group.protocol == protocol && group.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str, doc: &str) -> FieldName {
        FieldName {
            name: name.into(),
            kind: "Int".into(),
            values: FieldValues::Int(32),
            is_list: false,
            words: Vec::new(),
            doc: doc.into(),
        }
    }

    fn group(name: &'static str, layer: Layer, fields: Vec<FieldName>) -> GroupName {
        GroupName { protocol: "toy", layer, name: name.into(), doc: String::new(), fields }
    }

    #[test]
    fn versions_of_one_message_are_merged() {
        let mut catalog = Catalog::new();
        catalog.add(group("chat", Layer::Message, vec![field("text", "")]));
        catalog.add(group("chat", Layer::Message, vec![field("text", "What was said."), field("to", "")]));
        catalog.add(group("chat", Layer::Item, vec![field("x", "")]));
        let fields: Vec<_> = catalog.named("toy", "chat").map(|group| &group.fields).collect();
        assert_eq!(fields, [&vec![field("text", "What was said."), field("to", "")], &vec![field("x", "")]]);
        assert_eq!(catalog.protocols().collect::<Vec<_>>(), ["toy"]);
    }
}
