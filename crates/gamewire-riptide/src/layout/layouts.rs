use super::definition::{MessageDefinition, MessageKind, StructDefinition};
use super::error::{LayoutError, Location};
use super::field::FieldLayout;
use super::kind::FieldType;
use super::{name, nesting};
use gamewire_machine::Role;

/// How many messages and how many structs there may be.
const MAX_DEFINITIONS: usize = 2048;
/// How many fields one of them may have.
const MAX_FIELDS: usize = 256;

/// What an application's messages look like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageLayouts {
    pub(super) structs: Vec<StructLayout>,
    /// Sorted by place, for [`MessageLayouts::find`].
    messages: Vec<MessageLayout>,
}

/// What one message looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageLayout {
    pub(super) place: MessageKind,
    from: Option<Role>,
    pub(super) name: &'static str,
    pub(super) fields: Vec<FieldLayout>,
    doc: String,
}

/// What a struct looks like.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StructLayout {
    pub(super) name: &'static str,
    pub(super) fields: Vec<FieldLayout>,
}

impl MessageLayouts {
    /// Checks definitions and makes them ready for use.
    ///
    /// # Errors
    /// When a name or type is wrong, two messages cannot be told apart, or a struct contains itself.
    pub fn new(structs: &[StructDefinition], messages: &[MessageDefinition]) -> Result<Self, LayoutError> {
        let names: Vec<&str> = structs.iter().map(|definition| definition.name.as_str()).collect();
        let mut layouts = Self::default();
        for (definition, index) in structs.iter().zip(0..) {
            let part = Location::Struct(index);
            at_most(MAX_DEFINITIONS, index, part, "structs")?;
            let name = name::intern(&definition.name).map_err(|message| part.error(message))?;
            if FieldType::is_taken(name) {
                return Err(part.error(format!("a struct cannot be called {name}: that is a type already")));
            }
            if layouts.structs.iter().any(|known| known.name == name) {
                return Err(part.error(format!("there are two structs called {name}: rename one")));
            }
            if definition.fields.is_empty() {
                return Err(part.error(format!("struct {name} has no fields: give it one, or leave it out")));
            }
            let fields = fields(&definition.fields, part, &names)?;
            layouts.structs.push(StructLayout { name, fields });
        }
        nesting::check(&layouts.structs)?;
        for (definition, index) in messages.iter().zip(0..) {
            let part = Location::Message(index);
            at_most(MAX_DEFINITIONS, index, part, "messages")?;
            let message = message(definition, part, &names)?;
            if let Some(other) = layouts.messages.iter().find(|other| other.clashes_with(&message)) {
                return Err(part.error(message.clash(other)));
            }
            layouts.messages.push(message);
        }
        layouts.messages.sort_by_key(|message| rank(message.place));
        Ok(layouts)
    }

    /// Whether nothing is described.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Every message.
    #[must_use]
    pub fn messages(&self) -> &[MessageLayout] {
        &self.messages
    }

    /// Every struct by name, with its fields.
    pub fn structs(&self) -> impl Iterator<Item = (&'static str, &[FieldLayout])> {
        self.structs.iter().map(|known| (known.name, known.fields.as_slice()))
    }

    /// The fields of the struct that is the type of `field`, if one is.
    #[must_use]
    pub fn parts(&self, field: &FieldLayout) -> Option<&[FieldLayout]> {
        match field.kind {
            FieldType::Struct(index) => self.structs.get(index).map(|known| known.fields.as_slice()),
            _ => None,
        }
    }

    /// What stands at `place` of a packet that `from` sends.
    #[must_use]
    pub fn find(&self, place: MessageKind, from: Role) -> Option<&MessageLayout> {
        let start = self.messages.partition_point(|message| rank(message.place) < rank(place));
        let rest = self.messages.get(start..).unwrap_or_default();
        rest.iter().take_while(|message| message.place == place).find(|message| message.is_from(from))
    }

    /// The message called `name` that `from` sends.
    #[must_use]
    pub fn named(&self, name: &str, from: Role) -> Option<&MessageLayout> {
        self.messages.iter().find(|message| message.name == name && message.is_from(from))
    }
}

impl MessageLayout {
    /// Where it stands.
    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        self.place
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its fields in wire order.
    #[must_use]
    pub fn fields(&self) -> &[FieldLayout] {
        &self.fields
    }

    /// What it is for; may be empty.
    #[must_use]
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// Whether `side` sends it.
    #[must_use]
    pub fn is_from(&self, side: Role) -> bool {
        self.from.or_else(|| self.place.side()).is_none_or(|from| from == side)
    }

    fn clashes_with(&self, other: &Self) -> bool {
        let meet =
            [Role::Client, Role::Server].into_iter().any(|side| self.is_from(side) && other.is_from(side));
        meet && (self.place == other.place || self.name == other.name)
    }

    fn clash(&self, other: &Self) -> String {
        if self.name == other.name {
            return format!(
                "there are two messages called {}: rename one, or say who sends which",
                self.name
            );
        }
        let (name, other) = (self.name, other.name);
        match self.place {
            MessageKind::Message(id) => {
                format!("{name} has id {id}, which {other} has too: say who sends which")
            }
            _ => format!("{name} stands where {other} stands: only one of them can"),
        }
    }
}

fn message(
    definition: &MessageDefinition,
    part: Location,
    structs: &[&str],
) -> Result<MessageLayout, LayoutError> {
    let name = name::intern(&definition.name).map_err(|message| part.error(message))?;
    let told = crate::definitions().map(|known| known.name).chain(["packet", "run", "stream"]);
    if told.into_iter().any(|known| known == name) {
        return Err(part.error(format!("a message cannot be called {name}: Riptide itself has that name")));
    }
    let (place, from) = (definition.place, definition.from);
    if let (Some(only), Some(from)) = (place.side(), from)
        && only != from
    {
        return Err(part.error(format!("{name} cannot be from that side: leave out who sends it")));
    }
    let fields = fields(&definition.fields, part, structs)?;
    Ok(MessageLayout { place, from, name, fields, doc: definition.doc.clone() })
}

fn fields(texts: &[String], part: Location, structs: &[&str]) -> Result<Vec<FieldLayout>, LayoutError> {
    let mut fields: Vec<FieldLayout> = Vec::new();
    for (text, index) in texts.iter().zip(0..) {
        let part = part.field(index);
        at_most(MAX_FIELDS, index, part, "fields")?;
        let field = FieldLayout::parse(text, structs).map_err(|message| part.error(message))?;
        if fields.iter().any(|known| known.name == field.name) {
            return Err(part.error(format!("there are two fields called {}: rename one", field.name)));
        }
        fields.push(field);
    }
    Ok(fields)
}

fn at_most(most: usize, index: usize, part: Location, what: &str) -> Result<(), LayoutError> {
    if index < most { Ok(()) } else { Err(part.error(format!("there are more than {most} {what}"))) }
}

/// An order of places.
const fn rank(place: MessageKind) -> u32 {
    match place {
        MessageKind::Message(id) => id as u32,
        MessageKind::Notify => 0x1_0000,
        MessageKind::Connect => 0x1_0001,
        MessageKind::Reject => 0x1_0002,
        MessageKind::Kick => 0x1_0003,
    }
}
