use gamewire_machine::Role;
use gamewire_wire::Warning;

use crate::shared::definition::{Definition, MessageSet};
use crate::shared::extended::{ExtendedGame, ExtendedObject, ExtendedSystem};
use crate::shared::huffman;
use crate::shared::object::ObjectSet;
use crate::shared::packet::{CHUNK_DEFINITION, PACKET_DEFINITION};
use crate::shared::version::Version;
use crate::shared::warning;
use crate::v06::V06;
use crate::v07::V07;
use crate::{v06, v07};

/// Returns the definitions of all headers, messages and objects of all dialects. A name that both
/// versions have occurs once per version.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    let versions = versions().into_iter().flat_map(|version| {
        let VersionCatalog { control, connless, system, game, objects, .. } = version;
        let control = control.into_iter().map(|(_, definition)| definition);
        let connless = connless.into_iter().map(|(_, definition)| definition);
        let messages = system.into_iter().chain(game).map(|entry| entry.definition);
        let objects = objects.into_iter().map(|entry| entry.definition);
        control.chain(connless).chain(messages).chain(objects)
    });
    let ExtendedCatalog { system, game, objects } = extended();
    let messages = system.into_iter().chain(game).map(|entry| entry.definition);
    let objects = objects.into_iter().map(|entry| entry.definition);
    [PACKET_DEFINITION, CHUNK_DEFINITION].into_iter().chain(versions).chain(messages).chain(objects)
}

/// Definitions of a version by the numbers that select them on the wire.
#[derive(Clone, Debug)]
pub struct VersionCatalog {
    /// Name of the version in dialects: `0.6` or `0.7`.
    pub name: &'static str,
    /// Control messages.
    pub control: Vec<(u8, &'static Definition)>,
    /// Browsing messages, by their letters.
    pub connless: Vec<([u8; 4], &'static Definition)>,
    /// System messages.
    pub system: Vec<MessageEntry>,
    /// Game messages.
    pub game: Vec<MessageEntry>,
    /// Snapshot objects.
    pub objects: Vec<ObjectEntry>,
}

/// A numbered message.
#[derive(Clone, Copy, Debug)]
pub struct MessageEntry {
    /// Number on the wire.
    pub id: i32,
    /// Role that sends it, if only one does.
    pub sender: Option<Role>,
    /// Definition.
    pub definition: &'static Definition,
}

/// A numbered snapshot object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectEntry {
    /// Number of its type.
    pub id: i32,
    /// Number of its integers.
    pub size: usize,
    /// True if both peers know the size, so that a delta does not contain it.
    pub is_size_fixed: bool,
    /// Definition.
    pub definition: &'static Definition,
}

/// Messages and objects of DDNet, by UUID. Both versions may have them.
#[derive(Clone, Debug)]
pub struct ExtendedCatalog {
    /// System messages.
    pub system: Vec<ExtendedMessageEntry>,
    /// Game messages.
    pub game: Vec<ExtendedMessageEntry>,
    /// Snapshot objects.
    pub objects: Vec<ExtendedObjectEntry>,
}

/// A message of DDNet.
#[derive(Clone, Copy, Debug)]
pub struct ExtendedMessageEntry {
    /// UUID on the wire.
    pub uuid: u128,
    /// Definition.
    pub definition: &'static Definition,
}

/// A snapshot object of DDNet.
#[derive(Clone, Copy, Debug)]
pub struct ExtendedObjectEntry {
    /// UUID of its type.
    pub uuid: u128,
    /// Number of its integers.
    pub size: usize,
    /// Definition.
    pub definition: &'static Definition,
}

macro_rules! version_catalog {
    ($name:literal, $module:ident, $version:ident) => {{
        use $module::{connless::Connless, control::ControlMessage};
        VersionCatalog {
            name: $name,
            control: ControlMessage::definitions().to_vec(),
            connless: Connless::definitions().iter().map(|(id, known)| (**id, *known)).collect(),
            system: messages::<$module::System<'_>>($module::System::definitions()),
            game: messages::<$module::Game<'_>>($module::Game::definitions()),
            objects: objects::<$version>($module::object::Object::DEFINITIONS),
        }
    }};
}

/// Returns the definitions of 0.6 and 0.7 by number.
pub fn versions() -> [VersionCatalog; 2] {
    [version_catalog!("0.6", v06, V06), version_catalog!("0.7", v07, V07)]
}

/// Returns the definitions of DDNet's messages and objects by UUID.
pub fn extended() -> ExtendedCatalog {
    let message = |&(uuid, definition): &_| ExtendedMessageEntry { uuid, definition };
    let object = |&(uuid, definition): &_| ExtendedObjectEntry {
        uuid,
        size: ExtendedObject::size_of(uuid).unwrap_or(0),
        definition,
    };
    ExtendedCatalog {
        system: ExtendedSystem::definitions().iter().map(message).collect(),
        game: ExtendedGame::definitions().iter().map(message).collect(),
        objects: ExtendedObject::DEFINITIONS.iter().map(object).collect(),
    }
}

fn messages<'a, S: MessageSet<'a, Id = i32>>(
    definitions: &[(i32, &'static Definition)],
) -> Vec<MessageEntry> {
    let entry = |&(id, definition): &_| MessageEntry { id, sender: S::sender_of(id), definition };
    definitions.iter().map(entry).collect()
}

fn objects<V: Version>(definitions: &[(i32, &'static Definition)]) -> Vec<ObjectEntry> {
    let entry = |&(id, definition): &_| ObjectEntry {
        id,
        size: V::Object::size_of(id).unwrap_or(0),
        is_size_fixed: u16::try_from(id).is_ok_and(|kind| V::SIZES(kind).is_some()),
        definition,
    };
    definitions.iter().map(entry).collect()
}

/// Returns all warnings about packets.
pub const fn warnings() -> &'static [&'static Warning] {
    warning::ALL
}

/// Returns the Huffman code of all dialects: the bits and the number of bits of each byte. Symbol 256 is the end of the
/// data. The first bit of a code is its lowest bit.
pub fn huffman_codes() -> impl Iterator<Item = (u16, u8)> {
    huffman::codes_by_symbol()
}
