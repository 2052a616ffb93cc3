use crate::packets::Packet;
use crate::world::{GameState, World};

/// A kind of order, by what shows that the server executed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OrderKind {
    /// Packets other than messages.
    #[default]
    Packet,
    /// A line that starts with `/`: also that the server logged no error.
    Command,
    /// The command `/start`: also that all connected players are ready.
    Start,
}

impl OrderKind {
    /// Returns the kind of a packet.
    pub(super) fn of(packet: &Packet<'_>) -> Self {
        match packet {
            Packet::ChatMsgReq(line) => Self::of_line(&line.message),
            _ => Self::Packet,
        }
    }

    /// Returns the kind of a line of chat. The server accepts the start of a command's name, if it is unique.
    pub(super) fn of_line(line: &[u8]) -> Self {
        let Some(command) = line.trim_ascii_start().strip_prefix(b"/") else { return Self::Packet };
        let word = command.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if word.len() > 1 && b"start".starts_with(&word.to_ascii_lowercase()) {
            Self::Start
        } else {
            Self::Command
        }
    }

    /// Returns whether packets other than messages show that the server executed the order. `has_error` is true if it
    /// logged an error.
    pub(super) fn is_shown(self, world: &World, has_error: bool) -> bool {
        match self {
            Self::Packet => true,
            Self::Command => !has_error,
            Self::Start => !has_error && is_starting(world),
        }
    }
}

/// Returns whether the game runs, or starts because all connected players are ready.
fn is_starting(world: &World) -> bool {
    let mut connected = world.players().filter(|player| player.is_connected);
    world.state() == GameState::Running || connected.all(|player| player.is_ready)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;
    use crate::packets::PlayerInfo;

    #[test]
    fn the_server_accepts_the_start_of_the_command_start() {
        for line in ["/start", " / start", "/st", "/START now"] {
            assert_eq!(OrderKind::of_line(line.as_bytes()), OrderKind::Start, "{line}");
        }
        for line in ["/s", "/starting", "/set timeout 0", "/", "/load start"] {
            assert_eq!(OrderKind::of_line(line.as_bytes()), OrderKind::Command, "{line}");
        }
        assert_eq!(OrderKind::of_line(b"start"), OrderKind::Packet);
    }

    #[test]
    fn a_game_starts_when_all_connected_players_are_ready() {
        let mut world = World::new();
        let mut set = |playerno: u16, is_ready: bool, is_connected: bool| {
            let player = PlayerInfo { playerno, is_ready, is_connected, ..PlayerInfo::default() };
            world.apply(&(&player).into());
            OrderKind::Start.is_shown(&world, false)
        };
        assert!(set(0, true, true));
        assert!(!set(1, false, true), "another player is not ready");
        assert!(set(1, true, true));
        assert!(set(2, false, false), "players of the server's AI need not be ready");
        assert!(!OrderKind::Start.is_shown(&world, true), "an error was logged");
    }
}
