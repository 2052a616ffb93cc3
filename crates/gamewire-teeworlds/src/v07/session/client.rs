//! The messages of clients of 0.7.

use gamewire_wire::Writer;

use crate::session::extended;
use crate::session::message::{Audience, ClientId, ClientMessage, Input, Profile};
use crate::session::ranges::{check_emoticon, check_team, wire_id};
use crate::session::{ClientMessageCodec, EncodeError};
use crate::shared::data::{SizedInput, Texts};
use crate::shared::pack::Text;
use crate::v07::V07;
use crate::v07::message::game::{
    ClCallVote, ClEmoticon, ClKill, ClSay, ClSetSpectatorMode, ClSetTeam, ClSkinChange, ClStartInfo, ClVote,
};
use crate::v07::message::system::{
    EnterGame, Info, Ping, PingReply, RconAuth, RconCmd, Ready, RequestMapData,
};
use crate::v07::message::{Game, Message, System, system};
use crate::v07::object::PlayerInput;
use crate::v07::value::{ChatMode, PlayerFlags, SpecMode};

/// Maximum client id of this version.
pub(super) const MAX_CLIENT_ID: i32 = 63;
/// The name of the default parts of a skin.
const STANDARD: Text<'static> = Text::new("standard");

/// Returns the parts of a skin with a body and the default marking, decoration, hands, feet and eyes.
pub(super) fn skin_parts(body: Text<'_>) -> [Text<'_>; 6] {
    let body = if body.as_bytes().is_empty() { STANDARD } else { body };
    [body, Text::new(""), Text::new(""), STANDARD, STANDARD, STANDARD]
}

impl ClientMessageCodec for V07 {
    const NET_VERSION: &'static str = "0.7 802f1be60a05665f";

    fn decode_client_message<'a>(message: &Message<'a>) -> ClientMessage<'a> {
        match message {
            Message::System(message) => read_system(message),
            Message::Game(message) => read_game(message).unwrap_or(ClientMessage::Other),
            Message::ExtendedSystem(message) => extended::to_client_message(message),
            Message::ExtendedGame(_) | Message::Unknown(_) => ClientMessage::Other,
        }
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        if let Some(message) = extended::from_client_message(message) {
            return Ok(Message::ExtendedSystem(message).encode(to)?);
        }
        match *message {
            ClientMessage::Info { version, password, client_version } => {
                system(Info { version, password: Some(password), client_version }, to)
            }
            ClientMessage::RequestMapData { .. } => system(RequestMapData {}, to),
            ClientMessage::Ready => system(Ready {}, to),
            ClientMessage::EnterGame => system(EnterGame {}, to),
            ClientMessage::Input { ack_snapshot, intended_tick, ref input, ping_correction } => {
                EncodeError::check(ack_snapshot, &(-1..=i32::MAX), "input", "ack_snapshot")?;
                let input = SizedInput { input: write_input(input)?, extra: &[] };
                let ping_correction = Some(ping_correction);
                system(system::Input { ack_snapshot, intended_tick, input, ping_correction }, to)
            }
            ClientMessage::RconCmd(cmd) => system(RconCmd { cmd }, to),
            ClientMessage::RconAuth { password } => system(RconAuth { password }, to),
            ClientMessage::Ping => system(Ping {}, to),
            ClientMessage::PingReply => system(PingReply {}, to),
            ClientMessage::Say { audience, text } => {
                let (mode, target) = match audience {
                    Audience::All => (ChatMode::ALL, None),
                    Audience::Team => (ChatMode::TEAM, None),
                    Audience::Whisper(Some(target)) => (ChatMode::WHISPER, Some(target)),
                    Audience::Whisper(None) => {
                        return Err(EncodeError::missing_field("whisper", "whom it is for"));
                    }
                };
                game(ClSay { mode, target: wire_id(target, MAX_CLIENT_ID, "say", "target")?, text }, to)
            }
            ClientMessage::SetTeam(team) => game(ClSetTeam { team: check_team(team, "set_team")? }, to),
            ClientMessage::Spectate(target) => {
                let spec_mode = if target.is_some() { SpecMode::PLAYER } else { SpecMode::FREEVIEW };
                let spectator_id = wire_id(target, MAX_CLIENT_ID, "set_spectator_mode", "spectator_id")?;
                game(ClSetSpectatorMode { spec_mode, spectator_id }, to)
            }
            ClientMessage::StartInfo(Profile { name, clan, country, skin }) => {
                let skin_part_names = &skin_parts(skin);
                let message = ClStartInfo {
                    name,
                    clan,
                    country,
                    skin_part_names: Texts::new(skin_part_names),
                    use_custom_colors: [false; 6],
                    skin_part_colors: [0; 6],
                };
                game(message, to)
            }
            ClientMessage::ChangeInfo(Profile { skin, .. }) => {
                let skin_part_names = &skin_parts(skin);
                let message = ClSkinChange {
                    skin_part_names: Texts::new(skin_part_names),
                    use_custom_colors: [false; 6],
                    skin_part_colors: [0; 6],
                };
                game(message, to)
            }
            ClientMessage::Kill => game(ClKill {}, to),
            ClientMessage::Emoticon(emoticon) => game(ClEmoticon { emoticon: check_emoticon(emoticon)? }, to),
            ClientMessage::Vote(vote) => {
                game(ClVote { vote: EncodeError::check(vote, &(-1..=1), "vote", "vote")? }, to)
            }
            ClientMessage::CallVote { kind, value, reason } => {
                game(ClCallVote { kind, value, reason, force: false }, to)
            }
            ClientMessage::ClientVersion { .. }
            | ClientMessage::PingEx(_)
            | ClientMessage::PongEx(_)
            | ClientMessage::ItIs { .. }
            | ClientMessage::IDontKnow(_)
            | ClientMessage::Other => Err(EncodeError::no_message("other")),
        }
    }

    /// Servers of 0.7 check every number.
    fn skips_range_check(_: &Message<'_>) -> bool {
        false
    }
}

fn read_system<'a>(message: &System<'a>) -> ClientMessage<'a> {
    match *message {
        System::Info(Info { version, password, client_version }) => {
            ClientMessage::Info { version, password: password.unwrap_or_default(), client_version }
        }
        System::RequestMapData(RequestMapData {}) => ClientMessage::RequestMapData { piece: None },
        System::Ready(Ready {}) => ClientMessage::Ready,
        System::EnterGame(EnterGame {}) => ClientMessage::EnterGame,
        System::Input(system::Input { ack_snapshot, intended_tick, input, ping_correction }) => {
            ClientMessage::Input {
                ack_snapshot,
                intended_tick,
                input: read_input(&input.input),
                ping_correction: ping_correction.unwrap_or(0),
            }
        }
        System::RconCmd(RconCmd { cmd }) => ClientMessage::RconCmd(cmd),
        System::RconAuth(RconAuth { password }) => ClientMessage::RconAuth { password },
        System::Ping(Ping {}) => ClientMessage::Ping,
        System::PingReply(PingReply {}) => ClientMessage::PingReply,
        _ => ClientMessage::Other,
    }
}

fn read_game<'a>(message: &Game<'a>) -> Option<ClientMessage<'a>> {
    Some(match *message {
        Game::ClSay(ClSay { mode, target, text }) => {
            let audience = match mode {
                ChatMode::ALL => Audience::All,
                ChatMode::TEAM => Audience::Team,
                ChatMode::WHISPER => Audience::Whisper(Some(ClientId::from_wire(target)?)),
                _ => return None,
            };
            ClientMessage::Say { audience, text }
        }
        Game::ClSetTeam(ClSetTeam { team }) => ClientMessage::SetTeam(team),
        Game::ClSetSpectatorMode(ClSetSpectatorMode { spec_mode, spectator_id }) => match spec_mode {
            SpecMode::FREEVIEW => ClientMessage::Spectate(None),
            SpecMode::PLAYER => ClientMessage::Spectate(Some(ClientId::from_wire(spectator_id)?)),
            _ => return None,
        },
        Game::ClStartInfo(ClStartInfo { name, clan, country, skin_part_names, .. }) => {
            let skin = skin_part_names.iter().next().unwrap_or_default();
            ClientMessage::StartInfo(Profile { name, clan, country, skin })
        }
        Game::ClKill(ClKill {}) => ClientMessage::Kill,
        Game::ClEmoticon(ClEmoticon { emoticon }) => ClientMessage::Emoticon(emoticon),
        Game::ClVote(ClVote { vote }) => ClientMessage::Vote(vote),
        Game::ClCallVote(ClCallVote { kind, value, reason, .. }) => {
            ClientMessage::CallVote { kind, value, reason }
        }
        _ => return None,
    })
}

const fn read_input(input: &PlayerInput) -> Input {
    Input {
        direction: input.direction,
        target_x: input.target_x,
        target_y: input.target_y,
        jump: input.jump,
        fire: input.fire,
        hook: input.hook,
        player_flags: input.player_flags.0,
        wanted_weapon: input.wanted_weapon,
        next_weapon: input.next_weapon,
        prev_weapon: input.prev_weapon,
    }
}

fn write_input(input: &Input) -> Result<PlayerInput, EncodeError> {
    let check = |value, range, field| EncodeError::check(value, &range, "input", field);
    Ok(PlayerInput {
        direction: check(input.direction, -1..=1, "direction")?,
        target_x: input.target_x,
        target_y: input.target_y,
        jump: input.jump,
        fire: input.fire,
        hook: input.hook,
        player_flags: PlayerFlags(check(input.player_flags, 0..=127, "player_flags")?),
        wanted_weapon: check(input.wanted_weapon, 0..=6, "wanted_weapon")?,
        next_weapon: input.next_weapon,
        prev_weapon: input.prev_weapon,
    })
}

fn system<'a>(message: impl Into<System<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::System(message.into()).encode(to)?)
}

fn game<'a>(message: impl Into<Game<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::Game(message.into()).encode(to)?)
}
