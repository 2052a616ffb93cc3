use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use gamewire::freeciv::Challenge;
use gamewire::freeciv::agent::view::{
    EventView, MapLayers, Part, WorldView, city_columns, player_columns, unit_columns,
};
use gamewire::freeciv::agent::{Agent, AgentConfig, Command, CommandId, Event, ExecuteError};
use gamewire::freeciv::raw::codec::ProtocolVersion;
use gamewire::freeciv::session::client::ClientConfig;
use gamewire::freeciv::session::codec::Definition;
use gamewire::machine::Instant;
use gamewire::net::DriverConfig;
use gamewire::net::blocking::Driver;
use numpy::{IntoPyArray as _, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{add_layers, columns, to_python};
use crate::error::{ClosedError, Error, connect_error, connection_error, value_error};
use crate::shared::Shared;
use crate::waiting::{Deadline, duration, interruptible};

/// A player on a Freeciv server: the agent of the library over a socket. `gamewire.freeciv.Player` is built on it.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct FreecivPlayer {
    agent: Shared<Agent>,
    rights: Mutex<Rights>,
    /// False if the events `changes` are left out. Programs that read arrays do not need them.
    changes: bool,
}

/// The request for all rights at a server on this machine.
#[derive(Default)]
struct Rights {
    /// Name of the challenge file that the server has sent.
    file: String,
    /// The file, which the server reads when it gets the request.
    challenge: Option<Challenge>,
}

#[pymethods]
impl FreecivPlayer {
    /// Connects to a server, and begins to join it.
    #[new]
    #[pyo3(signature = (host, port, name, *, version=None, password=None, start=false, take=None, timeout=30.0,
        changes=true))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        host: String,
        port: u16,
        name: String,
        version: Option<&str>,
        password: Option<String>,
        start: bool,
        take: Option<String>,
        timeout: f64,
        changes: bool,
    ) -> PyResult<Self> {
        gamewire::freeciv::session::check_name(&name)
            .map_err(|error| value_error(format!("invalid name {name:?}: {error}")))?;
        let timeout = duration(timeout)?;
        let mut client = match version {
            None => ClientConfig::new(name),
            Some(version) => ClientConfig::of(Definition::of(protocol_version(version)?), name),
        };
        client.password = password;
        client.login_timeout = timeout;
        let config = AgentConfig { client, starts: start, takes: take };
        let driver = interruptible(py, move || {
            let servers: Vec<SocketAddr> = (host.as_str(), port)
                .to_socket_addrs()
                .map_err(|error| connection_error(format!("cannot resolve {host:?}: {error}")))?
                .collect();
            let agent = Agent::new(config, Instant::ZERO).map_err(value_error)?;
            Driver::connect_any(&servers, timeout, agent, DriverConfig::default())
                .map_err(|error| connect_error(&host, port, &error))
        })??;
        Ok(Self { agent: Shared::new(driver)?, rights: Mutex::default(), changes })
    }

    /// Returns the next event as a dict; `None` after `timeout` seconds.
    #[pyo3(signature = (timeout=None))]
    fn next_event<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let deadline = Deadline::after(timeout)?;
        loop {
            let Some(event) = self.agent.next_event(py, deadline)? else { return Ok(None) };
            if let Event::Joined(joined) = &event {
                self.rights.lock().unwrap_or_else(PoisonError::into_inner).file =
                    joined.challenge_file.clone();
            }
            if matches!(event, Event::Changed(_)) && !self.changes {
                continue;
            }
            let described = self.agent.with(py, |driver| {
                let view = EventView::new(driver.machine().world(), &event);
                view.map(|view| to_python(py, &view)).transpose()
            })?;
            if described.is_some() {
                return Ok(described);
            }
        }
    }

    /// Executes a command, which is a dict with the name of the command as its only key. Returns the number of the
    /// command, which its reply has, too; `None` if too many commands have no reply yet.
    fn execute(&self, py: Python<'_>, command: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
        let command: Command = pythonize::depythonize(command).map_err(value_error)?;
        number_of(self.agent.with(py, |driver| driver.machine_mut().execute(&command)))
    }

    /// Requests all rights of the server, whose user has the home `home` on this machine. Returns the number of the
    /// command, as `execute` does.
    fn request_rights(&self, py: Python<'_>, home: PathBuf) -> PyResult<Option<u64>> {
        let mut rights = self.rights.lock().unwrap_or_else(PoisonError::into_inner);
        let challenge =
            Challenge::write(&home, &rights.file).map_err(|error| Error::new_err(error.to_string()))?;
        let request = challenge.request();
        rights.challenge = Some(challenge);
        number_of(self.agent.with(py, |driver| driver.machine_mut().order(&request)))
    }

    /// Returns the name of the rights that the server has given, such as `basic` or `hack`, and removes the file of a
    /// request for more.
    fn rights(&self, py: Python<'_>) -> Option<String> {
        self.rights.lock().unwrap_or_else(PoisonError::into_inner).challenge = None;
        let level = |driver: &mut Driver<Agent>| {
            driver.machine().world().my_access_level()?.name().map(str::to_owned)
        };
        self.agent.with(py, level)
    }

    /// Returns the neighbors of a tile, as numbers of directions and of tiles.
    fn neighbors(&self, py: Python<'_>, tile: i32) -> Vec<(i8, i32)> {
        self.agent.with(py, |driver| {
            let geometry = driver.machine().world().map().geometry();
            let around = geometry.into_iter().flat_map(|geometry| geometry.neighbors(tile));
            around.map(|(direction, tile)| (direction.number(), tile)).collect()
        })
    }

    /// Sends the password that the server requests.
    fn send_password(&self, py: Python<'_>, password: &str) -> PyResult<()> {
        self.agent.with(py, |driver| driver.machine_mut().send_password(password)).map_err(value_error)
    }

    /// Leaves the server. Commands without a reply get one; the last event follows.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.agent.with(py, |driver| driver.machine_mut().close());
        self.agent.flush(py)
    }

    /// Returns parts of the world, by name, as a dict.
    fn world<'py>(&self, py: Python<'py>, parts: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let parts: Vec<Part> = pythonize::depythonize(parts).map_err(value_error)?;
        self.agent.with(py, |driver| to_python(py, &WorldView::new(driver.machine().world(), &parts)))
    }

    /// Returns the layers of the map by name, each an array of the shape (rows, columns), and `extras`, an array of the
    /// shape (extras, rows, columns); `None` before the server has sent the size of the map.
    fn map<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(map) = self.agent.with(py, |driver| MapLayers::new(driver.machine().world())) else {
            return Ok(None);
        };
        let (MapLayers { columns, rows, layers, extras }, arrays) = (map, PyDict::new(py));
        add_layers(&arrays, layers, [rows, columns])?;
        let count = extras.len();
        arrays.set_item("extras", extras.concat().into_pyarray(py).reshape([count, rows, columns])?)?;
        Ok(Some(arrays))
    }

    /// Returns the units, cities or players by column, each an array of one dimension.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let describe = match name {
            "units" => unit_columns,
            "cities" => city_columns,
            "players" => player_columns,
            _ => return Err(value_error(format!("unknown table {name:?}: use units, cities or players"))),
        };
        columns(py, self.agent.with(py, |driver| describe(driver.machine().world())))
    }
}

fn number_of(command: Result<CommandId, ExecuteError>) -> PyResult<Option<u64>> {
    match command {
        Ok(id) => Ok(Some(id.number())),
        Err(ExecuteError::Full) => Ok(None),
        Err(error @ ExecuteError::Closed) => Err(ClosedError::new_err(error.to_string())),
        Err(error) => Err(Error::new_err(error.to_string())),
    }
}

fn protocol_version(name: &str) -> PyResult<ProtocolVersion> {
    ProtocolVersion::ALL
        .into_iter()
        .find(|version| version.to_string() == name)
        .ok_or_else(|| value_error(format!("unknown version {name:?}: use 3.0, 3.1 or 3.2")))
}
