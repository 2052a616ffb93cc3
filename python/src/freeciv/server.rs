use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use gamewire::freeciv::{self as api, LocalServerConfig};
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;

use crate::error::{Error, value_error};
use crate::waiting::{duration, interruptible};

/// A freeciv-server of this machine, which ends with this object or this program.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct LocalServer {
    /// `None` after it was closed.
    server: Mutex<Option<api::LocalServer>>,
    #[pyo3(get)]
    host: String,
    #[pyo3(get)]
    port: u16,
    #[pyo3(get)]
    folder: PathBuf,
}

#[pymethods]
impl LocalServer {
    #[new]
    #[pyo3(signature = (*, program=None, ruleset=None, load=None, map_seed=None, game_seed=None, size=None, ai_fill=None,
        ai_level=None, end_turn=None, turn_seconds=0, settings=Vec::new(), start_timeout=30.0, parent_folder=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        program: Option<PathBuf>,
        ruleset: Option<String>,
        load: Option<PathBuf>,
        map_seed: Option<u32>,
        game_seed: Option<u32>,
        size: Option<u32>,
        ai_fill: Option<u32>,
        ai_level: Option<String>,
        end_turn: Option<u32>,
        turn_seconds: u32,
        settings: Vec<(String, String)>,
        start_timeout: f64,
        parent_folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let start_timeout = duration(start_timeout)?;
        let config = LocalServerConfig {
            program,
            ruleset,
            load,
            map_seed,
            game_seed,
            size,
            ai_fill,
            ai_level,
            end_turn,
            turn_seconds,
            settings,
            start_timeout,
            parent_folder,
            ..LocalServerConfig::default()
        };
        let server = interruptible(py, move || api::LocalServer::start(&config))?.map_err(start_error)?;
        let address = server.address();
        Ok(Self {
            host: address.ip().to_string(),
            port: address.port(),
            folder: server.folder().to_owned(),
            server: Mutex::new(Some(server)),
        })
    }

    /// Ends the server and removes its folder. A second call does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.lock().take()));
    }

    /// Returns whether the server has ended.
    fn has_ended(&self, py: Python<'_>) -> bool {
        py.detach(|| self.lock().as_mut().is_none_or(api::LocalServer::has_ended))
    }

    /// Returns the end of the server's output; empty after it was closed.
    fn last_lines(&self, py: Python<'_>) -> String {
        py.detach(|| self.lock().as_ref().map(api::LocalServer::last_lines).unwrap_or_default())
    }
}

impl LocalServer {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<api::LocalServer>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn start_error(error: api::LocalServerError) -> PyErr {
    use api::LocalServerError::{Folder, NoProgram, Rejected, Setting, Start};
    match &error {
        NoProgram => PyFileNotFoundError::new_err(error.to_string()),
        Start { source, .. } | Folder { source, .. } if source.kind() == ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        Setting { .. } | Rejected { .. } => value_error(error),
        _ => Error::new_err(error.to_string()),
    }
}
