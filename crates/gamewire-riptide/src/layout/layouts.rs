use gamewire_machine::Role;

use super::definition::{MessageDefinition, MessageKind, StructDefinition};
use super::error::{LayoutError, Location};
use super::field::{FieldLayout, FieldType};
use super::name;

/// Maximum nesting of structs.
const MAX_DEPTH: usize = 8;
/// Maximum number of messages, and of structs.
const MAX_DEFINITIONS: usize = 2048;
/// Maximum number of fields of a message or struct.
const MAX_FIELDS: usize = 256;

/// Layouts of an application's messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageLayouts {
    pub(super) structs: Vec<StructLayout>,
    /// Sorted by kind, for [`MessageLayouts::find`].
    messages: Vec<MessageLayout>,
}

/// Layout of one message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageLayout {
    /// Kind of message.
    pub kind: MessageKind,
    from: Option<Role>,
    /// Name.
    pub name: &'static str,
    /// Fields in wire order.
    pub fields: Vec<FieldLayout>,
    /// Documentation; may be empty.
    pub doc: String,
}

/// Layout of a struct.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StructLayout {
    pub(super) name: &'static str,
    pub(super) fields: Vec<FieldLayout>,
}

impl MessageLayouts {
    /// Checks and compiles definitions.
    ///
    /// # Errors
    /// [`LayoutError`] if a name or type is invalid, two messages are ambiguous, or a struct contains itself.
    pub fn new(structs: &[StructDefinition], messages: &[MessageDefinition]) -> Result<Self, LayoutError> {
        let names: Vec<&str> = structs.iter().map(|definition| definition.name.as_str()).collect();
        let mut layouts = Self::default();
        for (definition, index) in structs.iter().zip(0..) {
            let location = Location::Struct(index);
            check_max(MAX_DEFINITIONS, index, location, "structs")?;
            let name = name::intern(&definition.name).map_err(|message| location.error(message))?;
            if FieldType::is_reserved(name) {
                return Err(location.error(format!("a struct cannot be named {name}: a type has this name")));
            }
            if layouts.structs.iter().any(|known| known.name == name) {
                return Err(location.error(format!("there are two structs named {name}: rename one")));
            }
            if definition.fields.is_empty() {
                return Err(
                    location.error(format!("struct {name} has no fields: add one or remove the struct"))
                );
            }
            let fields = fields(&definition.fields, location, &names)?;
            layouts.structs.push(StructLayout { name, fields });
        }
        check_nesting(&layouts.structs)?;
        for (definition, index) in messages.iter().zip(0..) {
            let location = Location::Message(index);
            check_max(MAX_DEFINITIONS, index, location, "messages")?;
            let message = message(definition, location, &names)?;
            if let Some(other) = layouts.messages.iter().find(|other| other.conflicts_with(&message)) {
                return Err(location.error(message.conflict_message(other)));
            }
            layouts.messages.push(message);
        }
        layouts.messages.sort_by_key(|message| kind_order(message.kind));
        Ok(layouts)
    }

    /// Returns whether there are no messages.
    pub const fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Returns all messages.
    pub fn messages(&self) -> &[MessageLayout] {
        &self.messages
    }

    /// Returns all structs by name, with their fields.
    pub fn structs(&self) -> impl Iterator<Item = (&'static str, &[FieldLayout])> {
        self.structs.iter().map(|known| (known.name, known.fields.as_slice()))
    }

    /// Returns the fields of the struct, if the type of `field` is a struct.
    pub fn struct_fields(&self, field: &FieldLayout) -> Option<&[FieldLayout]> {
        match field.field_type {
            FieldType::Struct(index) => self.structs.get(index).map(|known| known.fields.as_slice()),
            _ => None,
        }
    }

    /// Returns the layout of `kind` in packets of `from`.
    pub fn find(&self, kind: MessageKind, from: Role) -> Option<&MessageLayout> {
        let start = self.messages.partition_point(|message| kind_order(message.kind) < kind_order(kind));
        let rest = self.messages.get(start..).unwrap_or_default();
        rest.iter().take_while(|message| message.kind == kind).find(|message| message.is_from(from))
    }

    /// Returns the message named `name` that `from` sends.
    pub fn find_by_name(&self, name: &str, from: Role) -> Option<&MessageLayout> {
        self.messages.iter().find(|message| message.name == name && message.is_from(from))
    }
}

impl MessageLayout {
    /// Returns whether `role` sends the message.
    pub fn is_from(&self, role: Role) -> bool {
        self.from.or_else(|| self.kind.sender()).is_none_or(|from| from == role)
    }

    fn conflicts_with(&self, other: &Self) -> bool {
        let share_a_sender =
            [Role::Client, Role::Server].into_iter().any(|role| self.is_from(role) && other.is_from(role));
        share_a_sender && (self.kind == other.kind || self.name == other.name)
    }

    fn conflict_message(&self, other: &Self) -> String {
        if self.name == other.name {
            return format!(
                "there are two messages named {}: rename one, or set a different sender for each",
                self.name
            );
        }
        let (name, other) = (self.name, other.name);
        match self.kind {
            MessageKind::Message(id) => {
                format!("{name} and {other} have the same id {id}: set a different sender for each")
            }
            _ => format!("{name} and {other} are of the same kind: remove one"),
        }
    }
}

fn message(
    definition: &MessageDefinition,
    location: Location,
    structs: &[&str],
) -> Result<MessageLayout, LayoutError> {
    let name = name::intern(&definition.name).map_err(|message| location.error(message))?;
    let reserved = crate::raw::definitions().map(|known| known.name).chain(["packet", "run", "stream"]);
    if reserved.into_iter().any(|known| known == name) {
        return Err(location.error(format!("a message cannot be named {name}: the protocol uses this name")));
    }
    let (kind, from) = (definition.kind, definition.from);
    if let (Some(only), Some(from)) = (kind.sender(), from)
        && only != from
    {
        return Err(location.error(format!("{name} cannot have this sender: remove the sender")));
    }
    let fields = fields(&definition.fields, location, structs)?;
    Ok(MessageLayout { kind, from, name, fields, doc: definition.doc.clone() })
}

fn fields(texts: &[String], location: Location, structs: &[&str]) -> Result<Vec<FieldLayout>, LayoutError> {
    let mut fields: Vec<FieldLayout> = Vec::new();
    for (text, index) in texts.iter().zip(0..) {
        let location = location.field(index);
        check_max(MAX_FIELDS, index, location, "fields")?;
        let field = FieldLayout::parse(text, structs).map_err(|message| location.error(message))?;
        if fields.iter().any(|known| known.name == field.name) {
            return Err(location.error(format!("there are two fields named {}: rename one", field.name)));
        }
        fields.push(field);
    }
    Ok(fields)
}

fn check_max(max: usize, index: usize, location: Location, what: &str) -> Result<(), LayoutError> {
    if index < max { Ok(()) } else { Err(location.error(format!("there are more than {max} {what}"))) }
}

/// Returns the sort key of a kind.
const fn kind_order(kind: MessageKind) -> u32 {
    match kind {
        MessageKind::Message(id) => id as u32,
        MessageKind::Notify => 0x1_0000,
        MessageKind::Connect => 0x1_0001,
        MessageKind::Reject => 0x1_0002,
        MessageKind::Kick => 0x1_0003,
    }
}

/// Checks that no struct contains itself and that the nesting is limited.
fn check_nesting(structs: &[StructLayout]) -> Result<(), LayoutError> {
    let mut depths = vec![None; structs.len()];
    for index in 0..structs.len() {
        depth(structs, index, &mut Vec::new(), &mut depths)?;
    }
    Ok(())
}

/// Returns the nesting depth of a struct, at least 1.
fn depth(
    structs: &[StructLayout],
    index: usize,
    outer: &mut Vec<usize>,
    depths: &mut [Option<usize>],
) -> Result<usize, LayoutError> {
    if let Some(depth) = depths.get(index).copied().flatten() {
        return Ok(depth);
    }
    let name = |index: usize| structs.get(index).map_or("", |known| known.name);
    if let Some(start) = outer.iter().position(|other| *other == index) {
        let cycle = outer.iter().skip(start).chain([&index]).map(|index| name(*index));
        let cycle = cycle.collect::<Vec<_>>().join(" contains ");
        return Err(Location::Struct(index).error(format!("struct {} contains itself: {cycle}", name(index))));
    }
    let too_deep = || {
        let message = format!("struct {} nests more than {MAX_DEPTH} structs", name(index));
        Location::Struct(index).error(message)
    };
    // Limits the recursion before a cycle is found.
    if outer.len() > MAX_DEPTH.saturating_mul(8) {
        return Err(too_deep());
    }
    outer.push(index);
    let mut deepest = 0;
    for field in structs.get(index).map_or(&[][..], |known| &known.fields) {
        if let FieldType::Struct(inner) = field.field_type {
            deepest = deepest.max(depth(structs, inner, outer, depths)?);
        }
    }
    outer.pop();
    let depth = deepest.saturating_add(1);
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    if let Some(known) = depths.get_mut(index) {
        *known = Some(depth);
    }
    Ok(depth)
}
