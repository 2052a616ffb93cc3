use gamewire_wire::{Result, Writer};

use crate::model::ServerInfo;
use crate::v07::{Message, system};

impl ServerInfo {
    /// Writes the server info message of 0.7 as the content of one chunk. A server sends it to each player that enters.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full.
    pub fn encode_message_07(&self, to: &mut Writer<'_>) -> Result<()> {
        let info = system::ServerInfo {
            version: self.version.as_text(),
            name: self.name.as_text(),
            hostname: self.hostname.as_text(),
            map: self.map.as_text(),
            game_type: self.game_type.as_text(),
            flags: self.password.into(),
            skill_level: self.skill_level.unwrap_or(1),
            num_players: self.num_players,
            max_players: self.max_players,
            num_clients: self.num_clients,
            max_clients: self.max_clients,
        };
        Message::System(info.into()).encode(to)
    }
}
