use serde::Serialize;

use super::super::event::Event;
use super::super::{ChangesView, ReplyView};
use super::{GameView, MeView, MeetingView, Name, VoteView, rule_name};
use crate::number::PhaseMode;
use crate::packets::EndgamePlayer;
use crate::session::client::CloseReason;
use crate::world::{Combat, Ending, Fighter, World};

/// An event as serde prints it, with its name in the field `event`. The lines of `gamewire play`
/// have the same names and fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names of the fields say everything that the variants do not")]
pub enum EventView<'w> {
    /// The server requests a password.
    PasswordRequested { message: &'w str },
    /// The server has accepted the agent.
    Joined { connection: i64, message: &'w str, capabilities: String },
    /// The agent has entered the game: commands are possible.
    State { game: GameView, me: Option<Box<MeView<'w>>> },
    /// The agent plays a player, or none.
    Playing { player: Option<u16>, name: Option<Name<'w>> },
    /// The agent observes a player, or the whole game.
    Watching { player: Option<u16>, name: Option<Name<'w>> },
    /// A message from the server. `number` is its kind in the protocol.
    Message { text: &'w str, number: i16, turn: i16, tile: Option<i32>, connection: Option<i16> },
    /// The changes since the last event of this kind.
    Changes(ChangesView<'w>),
    /// A turn began.
    Turn { turn: i16, year: i32, score: Option<i32>, gold: Option<u32> },
    /// A phase of the turn began, in a game with a phase for each player or team.
    Phase { phase: i16, is_my_phase: bool },
    /// A vote began, changed, was decided or was removed.
    Vote { number: u32, vote: Option<VoteView> },
    /// A diplomatic meeting began, changed or ended.
    Meeting { player: u16, meeting: Option<MeetingView> },
    /// Two units fought. `winner` is the id of the unit that survived.
    Combat { attacker: FighterView<'w>, defender: FighterView<'w>, winner: Option<u32> },
    /// The reply to a command.
    Reply {
        id: u64,
        #[serde(flatten)]
        reply: ReplyView<'w>,
    },
    /// The game has ended.
    GameEnded { turn: i16, players: Vec<RankView<'w>> },
    /// The own nation was destroyed.
    NationDestroyed { turn: i16 },
    /// The application polled too late, so that events were dropped.
    Missed { count: u64 },
    /// The connection is closed: by `us` or by the `server`. This is the last event.
    Closed { by: &'static str, reason: String },
}

/// A unit in a fight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FighterView<'w> {
    /// Id of the unit.
    pub unit: u32,
    /// Name of the type.
    pub r#type: Option<Name<'w>>,
    /// Number of the owner.
    pub owner: Option<u16>,
    /// Number of the tile.
    pub tile: Option<i32>,
    /// Hit points before the fight.
    pub hp_before: Option<u8>,
    /// Hit points after the fight; 0 if it was destroyed.
    pub hp: u8,
}

/// The result of a player at the end of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankView<'w> {
    /// Number of the player.
    pub player: u16,
    /// Name of the leader.
    pub name: Option<Name<'w>>,
    /// The final score.
    pub score: i32,
    /// True if the player won.
    pub won: bool,
}

impl<'w> EventView<'w> {
    /// Describes an event, with the world as it is now. Returns `None` for events that no line of `gamewire play` has:
    /// packets, pages of text, and phases of a game in which all players move at the same time.
    pub fn new(world: &'w World, event: &'w Event) -> Option<Self> {
        Some(match event {
            Event::Packet(_) | Event::Page(_) => return None,
            Event::PasswordRequested { message, .. } => Self::PasswordRequested { message },
            Event::Joined(joined) => Self::Joined {
                connection: joined.connection,
                message: &joined.message,
                capabilities: joined.capabilities.to_string(),
            },
            Event::RoleChanged(role) => {
                let player = role.player;
                let name = player.and_then(|player| world.player(player)).map(|it| it.name.to_str_lossy());
                if role.is_observer {
                    Self::Watching { player, name }
                } else {
                    Self::Playing { player, name }
                }
            }
            Event::Entered => {
                Self::State { game: GameView::new(world), me: MeView::new(world).map(Box::new) }
            }
            Event::Message(message) => Self::Message {
                text: message.text.trim_end(),
                number: message.event.0,
                turn: message.turn,
                tile: message.tile,
                connection: message.connection,
            },
            Event::Changed(changes) => Self::Changes(ChangesView::new(world, changes)),
            Event::TurnBegan { turn } => {
                let me = world.me();
                let (score, gold) = (me.map(|me| me.score), me.map(|me| me.gold));
                Self::Turn { turn: *turn, year: world.year(), score, gold }
            }
            Event::PhaseBegan { .. } if world.phase_mode() == PhaseMode::ALL => return None,
            Event::PhaseBegan { phase } => Self::Phase { phase: *phase, is_my_phase: world.is_my_phase() },
            Event::Fought(combat) => Self::combat(world, combat),
            Event::VoteChanged { vote: number } => {
                let vote = world.votes().find(|vote| vote.number == *number).map(VoteView::new);
                Self::Vote { number: *number, vote }
            }
            Event::MeetingChanged { with } => {
                Self::Meeting { player: *with, meeting: MeetingView::with(world, *with) }
            }
            Event::Reply { command, reply } => {
                Self::Reply { id: command.number(), reply: ReplyView::new(world, reply) }
            }
            Event::Ended(Ending::Destroyed) => Self::NationDestroyed { turn: world.turn() },
            Event::Ended(Ending::GameOver) => {
                let ranking = world.ranking().unwrap_or_default();
                let players = ranking.iter().map(|player| RankView::new(world, player)).collect();
                Self::GameEnded { turn: world.turn(), players }
            }
            Event::Missed { count } => Self::Missed { count: *count },
            Event::Closed(reason) => {
                let by = if *reason == CloseReason::Left { "us" } else { "server" };
                Self::Closed { by, reason: reason.to_string() }
            }
        })
    }

    fn combat(world: &'w World, combat: &Combat) -> Self {
        let Combat { attacker, defender } = combat;
        Self::Combat {
            attacker: FighterView::new(world, attacker),
            defender: FighterView::new(world, defender),
            winner: combat.winner().map(|winner| winner.unit),
        }
    }
}

impl<'w> FighterView<'w> {
    fn new(world: &'w World, fighter: &Fighter) -> Self {
        let unit_type = fighter.type_id.and_then(|id| world.rulesets().unit_types.get(id));
        Self {
            unit: fighter.unit,
            r#type: unit_type.map(rule_name),
            owner: fighter.owner,
            tile: fighter.tile,
            hp_before: fighter.hp_before,
            hp: fighter.hp,
        }
    }
}

impl<'w> RankView<'w> {
    fn new(world: &'w World, player: &EndgamePlayer) -> Self {
        Self {
            player: player.player_id,
            name: world.player(player.player_id).map(|known| known.name.to_str_lossy()),
            score: player.score,
            won: player.winner,
        }
    }
}
