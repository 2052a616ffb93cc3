//! Messages and objects with UUIDs, which DDNet adds to 0.6 and 0.7.

pub mod game;
pub mod object;
pub mod system;
pub mod value;

pub use game::ExtendedGame;
pub use object::ExtendedObject;
pub use system::ExtendedSystem;

use gamewire_wire::{Result, Trace};

use crate::shared::data::Uuid;
use crate::shared::definition::MessageSet as _;
use crate::shared::pack::Unpacker;
use crate::shared::snapshot::MAX_TYPE;

/// DDNet's names of messages and objects.
const NAMES: [&[(u128, &str)]; 3] = [ExtendedSystem::NAMES, ExtendedGame::NAMES, ExtendedObject::NAMES];

/// Reads the body of a system message. These messages are rare, so one decoder serves every trace.
#[inline(never)]
pub(crate) fn decode_system<'a>(
    uuid: Uuid,
    from: &mut Unpacker<'a>,
    mut trace: &mut dyn Trace,
) -> Result<Option<ExtendedSystem<'a>>> {
    ExtendedSystem::decode(uuid.number(), from, &mut trace)
}

/// Reads the body of a game message. These messages are rare, so one decoder serves every trace.
#[inline(never)]
pub(crate) fn decode_game<'a>(
    uuid: Uuid,
    from: &mut Unpacker<'a>,
    mut trace: &mut dyn Trace,
) -> Result<Option<ExtendedGame<'a>>> {
    ExtendedGame::decode(uuid.number(), from, &mut trace)
}

impl ExtendedObject {
    /// Returns the type number that this implementation uses to send objects with a UUID. Like in DDNet, the numbers
    /// count down from [`MAX_TYPE`]. Returns `None` if the UUID is unknown.
    pub fn type_of(uuid: u128) -> Option<u16> {
        let at = Self::DEFINITIONS.iter().position(|(known, _)| *known == uuid)?;
        MAX_TYPE.checked_sub(u16::try_from(at).ok()?)
    }
}

/// Returns the name from which the UUID was computed as a hash, if it is known. The reply to `what_is` contains it.
pub fn name_of(uuid: Uuid) -> Option<&'static str> {
    let number = uuid.number();
    NAMES.into_iter().flatten().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_has_a_unique_name() {
        let names = || NAMES.into_iter().flatten();
        for (id, name) in names() {
            assert!(name.contains('@'), "{name}");
            assert_eq!(names().filter(|other| other.0 == *id || other.1 == *name).count(), 1, "{name}");
        }
        let defined = ExtendedSystem::definitions().len()
            + ExtendedGame::definitions().len()
            + ExtendedObject::DEFINITIONS.len();
        assert_eq!(names().count(), defined);
    }
}
