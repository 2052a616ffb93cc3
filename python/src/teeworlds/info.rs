use gamewire::teeworlds::ServerAnswer;
use gamewire::teeworlds::model::{ClientEntry, ServerInfo};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::player::play_error;
use crate::waiting::interruptible;

/// Queries the information of a server. Returns its answers, one for each format, as dicts.
#[pyfunction]
pub(crate) fn query_info(py: Python<'_>, server: String) -> PyResult<Bound<'_, PyList>> {
    let answers = interruptible(py, move || gamewire::teeworlds::query_info(&server))?.map_err(play_error)?;
    let list = PyList::empty(py);
    for answer in &answers {
        list.append(describe(py, answer)?)?;
    }
    Ok(list)
}

fn describe<'py>(py: Python<'py>, answer: &ServerAnswer) -> PyResult<Bound<'py, PyDict>> {
    let ServerAnswer { address, format, info, round_trip } = answer;
    let ServerInfo { version, name, hostname, map, map_file, game_type, .. } = info;
    let dict = PyDict::new(py);
    dict.set_item("address", address.to_string())?;
    dict.set_item("format", format.name())?;
    dict.set_item("round_trip_ms", round_trip.as_secs_f64() * 1e3)?;
    let texts = [("version", version), ("name", name), ("hostname", hostname), ("map", map)];
    for (name, text) in texts.into_iter().chain([("game_type", game_type)]) {
        dict.set_item(name, text.to_string())?;
    }
    dict.set_item("map_crc", map_file.map(|file| format!("{:08x}", file.crc)))?;
    dict.set_item("map_size", map_file.map(|file| file.size))?;
    dict.set_item("password", info.password)?;
    dict.set_item("scores_are_times", info.scores_are_times)?;
    dict.set_item("skill_level", info.skill_level)?;
    dict.set_item("num_players", info.num_players)?;
    dict.set_item("max_players", info.max_players)?;
    dict.set_item("num_clients", info.num_clients)?;
    dict.set_item("max_clients", info.max_clients)?;
    let clients = PyList::empty(py);
    for entry in &info.clients {
        clients.append(client(py, entry)?)?;
    }
    dict.set_item("clients", clients)?;
    Ok(dict)
}

fn client<'py>(py: Python<'py>, entry: &ClientEntry) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", entry.name.to_string())?;
    dict.set_item("clan", entry.clan.to_string())?;
    dict.set_item("country", entry.country)?;
    dict.set_item("score", entry.score)?;
    dict.set_item("is_player", entry.is_player)?;
    dict.set_item("is_bot", entry.is_bot)?;
    Ok(dict)
}
