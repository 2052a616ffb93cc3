//! The messages of clients of 0.6.

use gamewire_wire::Writer;

use crate::session::extended;
use crate::session::message::{Audience, ClientId, ClientMessage, Input, Profile};
use crate::session::ranges::{check_emoticon, check_team, wire_id};
use crate::session::{ClientMessageCodec, EncodeError};
use crate::shared::data::SizedInput;
use crate::shared::pack::Text;
use crate::v06::V06;
use crate::v06::message::game::{
    ClCallVote, ClChangeInfo, ClEmoticon, ClKill, ClSay, ClSetSpectatorMode, ClSetTeam, ClStartInfo, ClVote,
};
use crate::v06::message::system::{
    EnterGame, Info, Ping, PingReply, RconAuth, RconCmd, Ready, RequestMapData,
};
use crate::v06::message::{Game, Message, System, system};
use crate::v06::object::PlayerInput;
use crate::v06::value::PlayerFlags;

/// Maximum client id of this version.
pub(super) const MAX_CLIENT_ID: i32 = 127;
/// The skin of a client without a skin name.
pub(super) const SKIN: Text<'static> = Text::new("default");
/// The color that clients send while custom colors are off.
pub(super) const COLOR: i32 = 65408;

impl ClientMessageCodec for V06 {
    const NET_VERSION: &'static str = "0.6 626fce9a778df4d4";

    fn decode_client_message<'a>(message: &Message<'a>) -> ClientMessage<'a> {
        match message {
            Message::System(message) => read_system(message),
            Message::Game(message) => read_game(message),
            Message::ExtendedSystem(message) => extended::to_client_message(message),
            Message::ExtendedGame(_) | Message::Unknown(_) => ClientMessage::Other,
        }
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        if let Some(message) = extended::from_client_message(message) {
            return Ok(Message::ExtendedSystem(message).encode(to)?);
        }
        match *message {
            ClientMessage::Info { version, password, .. } => {
                system(Info { version, password: Some(password) }, to)
            }
            ClientMessage::RequestMapData { piece } => {
                let chunk =
                    piece.ok_or(EncodeError::missing_field("request_map_data", "the number of the piece"))?;
                system(RequestMapData { chunk }, to)
            }
            ClientMessage::Ready => system(Ready {}, to),
            ClientMessage::EnterGame => system(EnterGame {}, to),
            ClientMessage::Input { ack_snapshot, intended_tick, ref input, .. } => {
                let input = SizedInput { input: write_input(input), extra: &[] };
                system(system::Input { ack_snapshot, intended_tick, input }, to)
            }
            ClientMessage::RconCmd(cmd) => system(RconCmd { cmd }, to),
            ClientMessage::RconAuth { password } => {
                // The client does not read the list of commands.
                system(RconAuth { unused: Text::new(""), password, request_commands: Some(0) }, to)
            }
            ClientMessage::Ping => system(Ping {}, to),
            ClientMessage::PingReply => system(PingReply {}, to),
            ClientMessage::Say { audience, text } => {
                let team = match audience {
                    Audience::All => false,
                    Audience::Team => true,
                    // A line of chat would be sent to all players.
                    Audience::Whisper(_) => return Err(EncodeError::no_message("whisper")),
                };
                game(ClSay { team, text }, to)
            }
            ClientMessage::SetTeam(team) => game(ClSetTeam { team: check_team(team, "set_team")? }, to),
            ClientMessage::Spectate(target) => game(
                ClSetSpectatorMode {
                    spectator_id: wire_id(target, MAX_CLIENT_ID, "set_spectator_mode", "spectator_id")?,
                },
                to,
            ),
            ClientMessage::StartInfo(Profile { name, clan, country, skin }) => {
                let skin = or_default(skin);
                let (use_custom_color, color_body, color_feet) = (false, COLOR, COLOR);
                game(ClStartInfo { name, clan, country, skin, use_custom_color, color_body, color_feet }, to)
            }
            ClientMessage::ChangeInfo(Profile { name, clan, country, skin }) => {
                let skin = or_default(skin);
                let (use_custom_color, color_body, color_feet) = (false, COLOR, COLOR);
                game(ClChangeInfo { name, clan, country, skin, use_custom_color, color_body, color_feet }, to)
            }
            ClientMessage::Kill => game(ClKill {}, to),
            ClientMessage::Emoticon(emoticon) => game(ClEmoticon { emoticon: check_emoticon(emoticon)? }, to),
            ClientMessage::Vote(vote) => {
                game(ClVote { vote: EncodeError::check(vote, &(-1..=1), "vote", "vote")? }, to)
            }
            ClientMessage::CallVote { kind, value, reason } => game(ClCallVote { kind, value, reason }, to),
            ClientMessage::ClientVersion { .. }
            | ClientMessage::PingEx(_)
            | ClientMessage::PongEx(_)
            | ClientMessage::ItIs { .. }
            | ClientMessage::IDontKnow(_)
            | ClientMessage::Other => Err(EncodeError::no_message("other")),
        }
    }

    /// Servers of 0.6 do not check the integers of an input.
    fn skips_range_check(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}

fn read_system<'a>(message: &System<'a>) -> ClientMessage<'a> {
    match *message {
        System::Info(Info { version, password }) => {
            ClientMessage::Info { version, password: password.unwrap_or_default(), client_version: None }
        }
        System::RequestMapData(RequestMapData { chunk }) => {
            ClientMessage::RequestMapData { piece: Some(chunk) }
        }
        System::Ready(Ready {}) => ClientMessage::Ready,
        System::EnterGame(EnterGame {}) => ClientMessage::EnterGame,
        System::Input(system::Input { ack_snapshot, intended_tick, input }) => ClientMessage::Input {
            ack_snapshot,
            intended_tick,
            input: read_input(&input.input),
            ping_correction: 0,
        },
        System::RconCmd(RconCmd { cmd }) => ClientMessage::RconCmd(cmd),
        System::RconAuth(RconAuth { password, .. }) => ClientMessage::RconAuth { password },
        System::Ping(Ping {}) => ClientMessage::Ping,
        System::PingReply(PingReply {}) => ClientMessage::PingReply,
        _ => ClientMessage::Other,
    }
}

fn read_game<'a>(message: &Game<'a>) -> ClientMessage<'a> {
    match *message {
        Game::ClSay(ClSay { team, text }) => {
            ClientMessage::Say { audience: if team { Audience::Team } else { Audience::All }, text }
        }
        Game::ClSetTeam(ClSetTeam { team }) => ClientMessage::SetTeam(team),
        Game::ClSetSpectatorMode(ClSetSpectatorMode { spectator_id }) => {
            ClientMessage::Spectate(ClientId::from_wire(spectator_id))
        }
        Game::ClStartInfo(ClStartInfo { name, clan, country, skin, .. }) => {
            ClientMessage::StartInfo(Profile { name, clan, country, skin })
        }
        Game::ClChangeInfo(ClChangeInfo { name, clan, country, skin, .. }) => {
            ClientMessage::ChangeInfo(Profile { name, clan, country, skin })
        }
        Game::ClKill(ClKill {}) => ClientMessage::Kill,
        Game::ClEmoticon(ClEmoticon { emoticon }) => ClientMessage::Emoticon(emoticon),
        Game::ClVote(ClVote { vote }) => ClientMessage::Vote(vote),
        Game::ClCallVote(ClCallVote { kind, value, reason }) => {
            ClientMessage::CallVote { kind, value, reason }
        }
        _ => ClientMessage::Other,
    }
}

fn or_default(skin: Text<'_>) -> Text<'_> {
    if skin.as_bytes().is_empty() { SKIN } else { skin }
}

const fn read_input(input: &PlayerInput) -> Input {
    Input {
        direction: input.direction,
        target_x: input.target_x,
        target_y: input.target_y,
        jump: input.jump != 0,
        fire: input.fire,
        hook: input.hook != 0,
        player_flags: input.player_flags.0,
        wanted_weapon: input.wanted_weapon,
        next_weapon: input.next_weapon,
        prev_weapon: input.prev_weapon,
    }
}

fn write_input(input: &Input) -> PlayerInput {
    PlayerInput {
        direction: input.direction,
        target_x: input.target_x,
        target_y: input.target_y,
        jump: input.jump.into(),
        fire: input.fire,
        hook: input.hook.into(),
        player_flags: PlayerFlags(input.player_flags),
        wanted_weapon: input.wanted_weapon,
        next_weapon: input.next_weapon,
        prev_weapon: input.prev_weapon,
    }
}

fn system<'a>(message: impl Into<System<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::System(message.into()).encode(to)?)
}

fn game<'a>(message: impl Into<Game<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::Game(message.into()).encode(to)?)
}
