use crate::shared::definition::Definition;
use crate::shared::extended::{ExtendedGame, ExtendedObject, ExtendedSystem};
use crate::shared::packet::{CHUNK_DEFINITION, PACKET_DEFINITION};
use crate::{v06, v07};

/// Returns the definitions of all headers, messages and objects of all dialects. A name that both
/// versions have occurs once per version.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    [PACKET_DEFINITION, CHUNK_DEFINITION].into_iter().chain(
        [
            v06::wire::control::ControlMessage::DEFINITIONS,
            v06::wire::connless::Connless::DEFINITIONS,
            v06::message::System::DEFINITIONS,
            v06::message::Game::DEFINITIONS,
            v06::object::Object::DEFINITIONS,
            v07::wire::control::ControlMessage::DEFINITIONS,
            v07::wire::connless::Connless::DEFINITIONS,
            v07::message::System::DEFINITIONS,
            v07::message::Game::DEFINITIONS,
            v07::object::Object::DEFINITIONS,
            ExtendedSystem::DEFINITIONS,
            ExtendedGame::DEFINITIONS,
            ExtendedObject::DEFINITIONS,
        ]
        .into_iter()
        .flatten()
        .copied(),
    )
}
