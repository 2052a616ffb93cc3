//! Information about a Freeciv server. The server sends it only to clients that have joined.

use std::io::{self, Write};
use std::time::Instant as Monotonic;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::packets::PlayerInfo;
use gamewire_freeciv::play::{Event, Player};
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::world::{GameState, World};
use gamewire_inspect::render::{self, Escaped};
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use serde_json::{Value, json};

use super::Info;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::{Connector, client_config, error_message};

/// The name under which the command joins.
const NAME: &str = "gamewire-info";
/// The bit of a player's flags that marks a player of the server's AI.
const AI: usize = 0;

impl Info {
    /// Joins a Freeciv server, prints its information and leaves.
    pub(super) fn run_freeciv(&self, version: Option<ProtocolVersion>) -> Result<ExitStatus, Failure> {
        let mut config = client_config(version, NAME);
        config.login_timeout = self.timeout;
        let player = || Player::new(config.clone(), Instant::ZERO);
        let mut driver = Connector::new(&self.url, self.timeout, None, None)?.connect(player)?;
        let joined = self.wait(&mut driver)?;
        let fields = object(&self.url.to_string(), &joined, driver.machine().world());
        driver.machine_mut().close();
        // Send the disconnect. Further events are ignored.
        driver.next_event(std::time::Duration::ZERO).map_err(Failure::socket)?;
        let mut out = io::stdout().lock();
        if self.json {
            render::write_json(&mut out, &fields)?
        } else {
            write_text(&mut out, &fields)?
        }
        Ok(ExitStatus::Success)
    }

    /// Waits until the server has accepted the client and sent the initial packets.
    fn wait(&self, driver: &mut Driver<Player>) -> Result<Box<Joined>, Failure> {
        let end = Monotonic::now().checked_add(self.timeout);
        let (url, mut reply) = (self.url.to_string(), None);
        loop {
            let left = end.map_or(self.timeout, |end| end.saturating_duration_since(Monotonic::now()));
            match driver.next_event(left).map_err(Failure::socket)? {
                Some(Event::Joined(joined)) => reply = Some(joined),
                Some(Event::Ready) => {
                    if let Some(joined) = reply.take() {
                        return Ok(joined);
                    }
                }
                Some(Event::PasswordRequested { .. }) => {
                    return Err(Failure::Failed(format!(
                        "{url} asks for a password; use gamewire join {url}"
                    )));
                }
                Some(Event::Closed(reason)) => {
                    let received = driver.stats().streams.received_bytes;
                    let words = error_message(&reason, &url, received);
                    return Err(Failure::Failed(
                        words.unwrap_or_else(|| format!("{url} closed the connection")),
                    ));
                }
                None if left.is_zero() => {
                    let received = driver.stats().streams.received_bytes;
                    let how =
                        if reply.is_some() { "it accepted the join" } else { "it did not reply to the join" };
                    return Err(Failure::Failed(format!(
                        "{url} stalled: {how}, and {received} bytes came within {:?}",
                        self.timeout
                    )));
                }
                _ => {}
            }
        }
    }
}

/// Returns the server's information as an object.
fn object(url: &str, joined: &Joined, world: &World) -> Value {
    let state = match world.state() {
        GameState::Over => "over",
        GameState::Running => "running",
        // A client without a player cannot know whether a saved game waits for its start.
        GameState::Pregame if !world.is_state_known() => "started",
        GameState::Pregame => "pregame",
    };
    let size = world.map().geometry().map(|shape| [shape.xsize(), shape.ysize()]);
    let mut object = json!({
        "url": url,
        "version": world.version().to_string(),
        "capabilities": joined.capabilities.to_string(),
        "message": joined.message.trim_end(),
        "state": state,
        "turn": (world.turn() > 0).then(|| world.turn()),
        "year": (world.turn() > 0).then(|| world.year()),
        "map_size": size,
        "connections": world.connections().len().saturating_sub(1),
        "players": world.players().map(|player| entry(player, world)).collect::<Vec<_>>(),
    });
    if let Some(fields) = object.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn entry(player: &PlayerInfo, world: &World) -> Value {
    let nation = world.rulesets().nations.get(player.nation);
    json!({
        "number": player.playerno,
        "name": player.name.to_str_lossy(),
        "user": player.username.to_str_lossy(),
        "nation": nation.map(|nation| nation.rule_name.to_str_lossy()),
        "is_alive": player.is_alive,
        "is_ai": player.flags.iter_ones().any(|bit| bit == AI),
        "is_connected": player.is_connected,
    })
}

/// Writes the object as text. Everything that the server sent is escaped.
fn write_text(out: &mut impl Write, object: &Value) -> io::Result<()> {
    let text = |value: &Value| match value {
        Value::String(text) => Escaped(text.as_bytes()).to_string(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    };
    writeln!(out, "{}", text(&object["url"]))?;
    for name in ["version", "capabilities", "message", "state", "turn", "year", "map_size", "connections"] {
        if let Some(value) = object.get(name) {
            writeln!(out, "  {:<12} {}", name.replace('_', " "), text(value))?;
        }
    }
    let players = object["players"].as_array().map(Vec::as_slice).unwrap_or_default();
    writeln!(out, "  {:<12} {}", "players", players.len())?;
    for player in players {
        let is = |name: &str| player[name].as_bool() == Some(true);
        let notes = [("is_ai", "AI"), ("is_connected", "connected")];
        let dead = if is("is_alive") { "" } else { "  dead" };
        let notes: String =
            notes.iter().filter(|(name, _)| is(name)).map(|(_, note)| format!("  {note}")).collect();
        let (name, nation, user) = (text(&player["name"]), text(&player["nation"]), text(&player["user"]));
        writeln!(out, "    {name} ({nation}), user {user}{notes}{dead}")?;
    }
    Ok(())
}
