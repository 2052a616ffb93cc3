use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gamewire::maps::MapCache;
use gamewire::teeworlds::client::view::EventView;
use gamewire::teeworlds::client::{CommandError, Event};
use gamewire::teeworlds::model::{Audience, ClientId, Input};
use gamewire::teeworlds::tee::vector::Vec2;
use gamewire::teeworlds::value::{Emoticon, Team};
use gamewire::teeworlds::{Dialect, Offer, PlayError, Player, PlayerOptions};
use pyo3::exceptions::{PyConnectionError, PyTimeoutError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyDict, PyList};

use super::describe;
use crate::convert::{columns, to_python};
use crate::error::{ClosedError, Error, io_error, value_error};
use crate::log;
use crate::waiting::{Deadline, interruptible};

/// Maximum time that a wait holds the player. Other threads can use it in between.
const MAX_HOLD: Duration = Duration::from_millis(10);

/// A player on a Teeworlds server. `gamewire.teeworlds.Player` is built on it.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct TeeworldsPlayer {
    /// Threads queue here for the player, so that a wait cannot take it again before a thread that waits for it.
    turn: Mutex<()>,
    player: Mutex<Player>,
}

#[pymethods]
impl TeeworldsPlayer {
    /// Begins to join a server: `host` or `host:port`. Without a dialect, it queries the version of the server first.
    #[new]
    #[pyo3(signature = (server, name, *, clan="", password="", skin=None, dialect=None, reconnects=false, maps=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        server: String,
        name: &str,
        clan: &str,
        password: &str,
        skin: Option<String>,
        dialect: Option<&str>,
        reconnects: bool,
        maps: Option<std::path::PathBuf>,
    ) -> PyResult<Self> {
        let mut options = PlayerOptions::new(name);
        options.clan = clan.to_owned();
        options.password = password.to_owned();
        options.skin = skin;
        options.offer = dialect.map(offer).transpose()?;
        options.reconnects = reconnects;
        options.map_cache = Some(maps.map_or_else(MapCache::of_user, MapCache::new));
        let player = interruptible(py, move || Player::connect_with(&server, options))?;
        Ok(Self { turn: Mutex::new(()), player: Mutex::new(player.map_err(play_error)?) })
    }

    /// Returns the next event as a dict; `None` after `timeout` seconds.
    #[pyo3(signature = (timeout=None))]
    fn next_event<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let deadline = Deadline::after(timeout)?;
        loop {
            let event = py.detach(|| self.wait(deadline.slice().min(MAX_HOLD)));
            log::deliver(py)?;
            let view = event.map_err(play_error)?.and_then(|event| EventView::new(&event));
            if let Some(view) = view {
                return to_python(py, &view).map(Some);
            }
            py.check_signals()?;
            if deadline.has_passed() {
                return Ok(None);
            }
        }
    }

    /// Says a line of chat: to `all`, the own `team`, or a player by id. At most one line a second is sent; more wait.
    #[pyo3(signature = (text, team=false, to=None))]
    fn say(&self, py: Python<'_>, text: &str, team: bool, to: Option<u8>) -> PyResult<()> {
        let audience = match (to, team) {
            (Some(to), _) => Audience::Whisper(Some(ClientId(to))),
            (None, true) => Audience::Team,
            (None, false) => Audience::All,
        };
        self.command(py, |player| player.queue_chat(audience, text))
    }

    /// Sets the input from the next tick on.
    #[expect(clippy::too_many_arguments, reason = "the fields of an input")]
    fn set_input(
        &self,
        py: Python<'_>,
        direction: i32,
        target_x: i32,
        target_y: i32,
        jump: bool,
        fire: i32,
        hook: bool,
        wanted_weapon: i32,
        next_weapon: i32,
        prev_weapon: i32,
    ) -> PyResult<()> {
        let player_flags = 0;
        let input = Input {
            direction,
            target_x,
            target_y,
            jump,
            fire,
            hook,
            player_flags,
            wanted_weapon,
            next_weapon,
            prev_weapon,
        };
        self.command(py, |player| {
            player.set_input(input);
            Ok(())
        })
    }

    fn emoticon(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let number = number_of(name, 0..=15, |number| Emoticon(number).name())?;
        self.command(py, |player| player.emoticon(Emoticon(number)))
    }

    fn set_team(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let number = number_of(name, -1..=1, |number| Team(number).name())?;
        self.command(py, |player| player.set_team(Team(number)))
    }

    #[pyo3(signature = (player=None))]
    fn spectate(&self, py: Python<'_>, player: Option<u8>) -> PyResult<()> {
        self.command(py, |own| own.spectate(player.map(ClientId)))
    }

    fn vote(&self, py: Python<'_>, yes: bool) -> PyResult<()> {
        self.command(py, |player| player.vote(if yes { 1 } else { -1 }))
    }

    fn call_vote(&self, py: Python<'_>, kind: &str, value: &str, reason: &str) -> PyResult<()> {
        self.command(py, |player| player.call_vote(kind, value, reason))
    }

    fn rcon_login(&self, py: Python<'_>, password: &str) -> PyResult<()> {
        self.command(py, |player| player.rcon_login(password))
    }

    fn rcon(&self, py: Python<'_>, line: &str) -> PyResult<()> {
        self.command(py, |player| player.queue_rcon(line))
    }

    fn kill(&self, py: Python<'_>) -> PyResult<()> {
        self.command(py, |player| player.kill())
    }

    /// Leaves the server.
    #[pyo3(signature = (reason=""))]
    fn close(&self, py: Python<'_>, reason: &str) -> PyResult<()> {
        self.command(py, |player| {
            player.disconnect(reason);
            Ok(())
        })
    }

    /// The dialect, such as `tw-0.7`; `None` before the server has answered.
    #[getter]
    fn dialect(&self, py: Python<'_>) -> Option<&'static str> {
        self.with(py, |player| player.dialect()).map(Dialect::name)
    }

    /// The id of the own player; `None` before it is in the game.
    #[getter]
    fn id(&self, py: Python<'_>) -> Option<u8> {
        self.with(py, |player| player.local_player_id()).map(|id| id.0)
    }

    /// Returns the players as dicts.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.with(py, |player| {
            player.players().iter().try_for_each(|it| list.append(describe::player(py, it)?))
        })?;
        Ok(list)
    }

    /// Returns the state of the game as a dict.
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with(py, |player| {
            let world = player.world();
            describe::game(py, world.tick, &world.game)
        })
    }

    /// True if the map is known, so that tees collide with it.
    #[getter]
    fn has_map(&self, py: Python<'_>) -> bool {
        self.with(py, |player| player.map().is_some())
    }

    /// Returns the first solid position between two positions; `None` if there is none, or no map.
    fn ray(&self, py: Python<'_>, start: (f32, f32), end: (f32, f32)) -> Option<(f32, f32)> {
        let vector = |(x, y)| Vec2::new(x, y);
        let hit = self.with(py, |player| player.map().and_then(|map| map.ray(vector(start), vector(end))));
        hit.map(|hit| (hit.at.x, hit.at.y))
    }

    /// Returns the characters, players, projectiles or pickups by column, each an array of one dimension. The characters
    /// are those at the tick of the snapshot; `predicted` at the tick of the next input; `received` as the server sent them.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let table = self.with(py, |player| {
            let world = player.world();
            match name {
                "characters" => Some(player.world_at(world.tick).character_columns()),
                "predicted" => Some(player.predicted().world.character_columns()),
                "received" => Some(world.character_columns()),
                "players" => Some(world.player_columns()),
                "projectiles" => Some(world.projectile_columns()),
                "pickups" => Some(world.pickup_columns()),
                _ => None,
            }
        });
        let table = table.ok_or_else(|| value_error(format!("unknown table {name:?}")))?;
        columns(py, table)
    }
}

impl TeeworldsPlayer {
    fn with<R>(&self, py: Python<'_>, use_it: impl FnOnce(&mut Player) -> R) -> R {
        let turn = self.turn.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let mut player = self.player.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        drop(turn);
        use_it(&mut player)
    }

    /// Executes a command and sends its message.
    fn command(
        &self,
        py: Python<'_>,
        command: impl FnOnce(&mut Player) -> Result<(), CommandError>,
    ) -> PyResult<()> {
        let result = self.with(py, |player| {
            command(player).map_err(|error| Error::new_err(error.to_string()))?;
            player.wait(Duration::ZERO).map_err(play_error)
        });
        log::deliver(py)?;
        result
    }

    /// Receives and sends, and waits for at most `timeout` for an event.
    fn wait(&self, timeout: Duration) -> Result<Option<Event>, PlayError> {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
        drop(turn);
        let mut updated = player.update();
        let mut event = player.poll_event();
        if event.is_none() && updated.is_ok() {
            player.wait(timeout)?;
            updated = player.update();
            event = player.poll_event();
        }
        // The last events come before the error that the connection is closed.
        if event.is_none() {
            updated?;
        }
        Ok(event)
    }
}

/// Returns the exception for a player that could not join or continue.
pub(super) fn play_error(error: PlayError) -> PyErr {
    match error {
        PlayError::Io(error) => io_error(&error),
        PlayError::Closed(reason) => ClosedError::new_err(reason.to_string()),
        PlayError::Timeout { .. } => PyTimeoutError::new_err(error.to_string()),
        error => PyConnectionError::new_err(error.to_string()),
    }
}

fn offer(name: &str) -> PyResult<Offer> {
    let dialects = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
    let known = dialects.into_iter().find(|dialect| dialect.name() == name);
    known.map(Offer::from).ok_or_else(|| {
        let names = dialects.map(Dialect::name).join(", ");
        value_error(format!("unknown dialect {name:?}: use one of {names}"))
    })
}

/// Returns the number in `numbers` with this name.
fn number_of(
    name: &str,
    mut numbers: std::ops::RangeInclusive<i32>,
    name_of: impl Fn(i32) -> Option<&'static str>,
) -> PyResult<i32> {
    let known: Vec<_> = numbers.clone().filter_map(&name_of).collect();
    let number = numbers.find(|number| name_of(*number) == Some(name));
    number.ok_or_else(|| value_error(format!("unknown name {name:?}: use one of {}", known.join(", "))))
}
