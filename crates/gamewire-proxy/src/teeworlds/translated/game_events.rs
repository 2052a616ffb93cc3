//! Game events that 0.7 sends as numbers, and 0.6 as texts and sounds.

use gamewire_teeworlds::model::{ClientId, Roster};
use gamewire_teeworlds::raw::v06;
use gamewire_teeworlds::raw::v07::value::GameEvent;
use gamewire_teeworlds::value::Sound;

/// The texts and the sound that a 0.6 client receives instead of an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// A chat line.
    pub(super) line: Option<String>,
    /// A text at the center of the screen.
    pub(super) broadcast: Option<&'static str>,
    pub(super) sound: Option<Sound>,
}

/// Returns the texts and the sound for an event with its parameters; `None` if the kind is unknown.
pub(super) fn shown(kind: GameEvent, numbers: &[i32], roster: &Roster) -> Option<Shown> {
    let number = |at: usize| numbers.get(at).copied().unwrap_or(-1);
    let name = |at: usize| {
        let player = ClientId::from_wire(number(at)).and_then(|id| roster.player(id));
        player.map_or_else(|| "?".to_owned(), |player| player.name.to_string())
    };
    let flag = |at: usize| if number(at) == 0 { "red" } else { "blue" };
    let line = |line: String| Shown { line: Some(line), ..Shown::default() };
    let broadcast = |text| Shown { broadcast: Some(text), ..Shown::default() };
    let sound = |sound| Shown { sound: Some(sound), ..Shown::default() };
    Some(match kind {
        GameEvent::TEAM_SWAP => line("The teams were swapped".into()),
        GameEvent::SPEC_INVALIDID => line("There is no such player to watch".into()),
        GameEvent::TEAM_SHUFFLE => line("The teams were shuffled".into()),
        GameEvent::TEAM_BALANCE => line("The teams were balanced".into()),
        GameEvent::TEAM_BALANCE_VICTIM => broadcast("You were moved to the other team to balance them"),
        GameEvent::TEAM_ALL => line("Everyone was moved to another team".into()),
        GameEvent::CTF_DROP => sound(Sound::CTF_DROP),
        GameEvent::CTF_RETURN => sound(Sound::CTF_RETURN),
        GameEvent::CTF_GRAB => sound(Sound::CTF_GRAB_PL),
        GameEvent::CTF_CAPTURE => {
            let line = format!("The {} flag was captured by '{}'", flag(0), name(1));
            Shown { line: Some(line), sound: Some(Sound::CTF_CAPTURE), broadcast: None }
        }
        GameEvent::GAME_PAUSED => line(format!("'{}' paused the game", name(0))),
        _ => return None,
    })
}

/// Returns a message that plays a sound for all players.
pub(super) const fn sound_message(sound_id: Sound) -> v06::game::SvSoundGlobal {
    v06::game::SvSoundGlobal { sound_id }
}
