use gamewire::teeworlds::model::world::{Game, Player};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Describes a player.
pub(super) fn player<'py>(py: Python<'py>, player: &Player) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("id", player.id.0)?;
    dict.set_item("name", player.name.to_string())?;
    dict.set_item("clan", player.clan.to_string())?;
    dict.set_item("country", player.country)?;
    dict.set_item("local", player.local)?;
    match player.team.name() {
        Some(name) => dict.set_item("team", name)?,
        None => dict.set_item("team", player.team.0)?,
    }
    dict.set_item("score", player.score)?;
    dict.set_item("latency", player.latency)?;
    Ok(dict)
}

/// Describes the kind, state and limits of a game.
pub(super) fn game<'py>(py: Python<'py>, tick: i32, game: &Game) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("tick", tick)?;
    dict.set_item("start_tick", game.start_tick)?;
    dict.set_item("end_tick", game.end_tick)?;
    dict.set_item("is_over", game.is_over)?;
    dict.set_item("is_sudden_death", game.is_sudden_death)?;
    dict.set_item("is_paused", game.is_paused)?;
    dict.set_item("is_warmup", game.is_warmup)?;
    dict.set_item("team_scores", game.team_scores.map(|scores| (scores.red, scores.blue)))?;
    Ok(dict)
}
