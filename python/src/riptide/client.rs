use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use gamewire::machine::Instant;
use gamewire::net::DriverConfig;
use gamewire::net::blocking::Driver;
use gamewire::riptide::client::Client;
use gamewire::riptide::{ClientConfig, ConnectionState};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::event::{data, of_client};
use super::message::RiptideMessage;
use super::settings::{apply, format, milliseconds};
use crate::error::{ClosedError, connect_error, connection_error, io_error, value_error};
use crate::shared::Shared;
use crate::waiting::{Deadline, interruptible};

/// Maximum time to open a TCP stream.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);

/// A client of Riptide over a socket.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct RiptideClient {
    client: Shared<Client>,
}

#[pymethods]
impl RiptideClient {
    /// Starts to connect. Over TCP, it blocks until the stream is open.
    #[new]
    #[pyo3(signature = (host, port, *, transport="udp", version="2.1", data=None, attempts=5, max_payload_size=1225,
        delivery_events=false, settings=None, buffer_size=1048576))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        host: String,
        port: u16,
        transport: &str,
        version: &str,
        data: Option<&RiptideMessage>,
        attempts: u32,
        max_payload_size: usize,
        delivery_events: bool,
        settings: Option<&Bound<'_, PyDict>>,
        buffer_size: usize,
    ) -> PyResult<Self> {
        let mut config = ClientConfig::new(format(version)?);
        config.connect_data = self::data(data);
        config.link.max_connection_attempts = attempts;
        config.max_payload_size = max_payload_size;
        config.delivery_events = delivery_events;
        if let Some(settings) = settings {
            apply(&mut config.settings, settings)?;
        }
        let driver = buffers(buffer_size);
        let is_udp = match transport {
            "udp" => true,
            "tcp" => false,
            _ => return Err(value_error(format!("unknown transport {transport:?}: use udp or tcp"))),
        };
        let driver = interruptible(py, move || {
            let resolved = (host.as_str(), port).to_socket_addrs();
            let servers: Vec<SocketAddr> = resolved
                .map_err(|error| connection_error(format!("cannot resolve {host:?}: {error}")))?
                .collect();
            let failed = |error| connect_error(&host, port, &error);
            if !is_udp {
                let machine = Client::connect_over_transport(&config, Instant::ZERO).map_err(value_error)?;
                return Driver::connect_any(&servers, TCP_TIMEOUT, machine, driver).map_err(failed);
            }
            let [server, others @ ..] = servers.as_slice() else {
                return Err(connection_error(format!("{host:?} has no address")));
            };
            let machine = Client::connect(&config, *server, Instant::ZERO).map_err(value_error)?;
            // A socket has addresses of one family.
            let others = others.iter().copied().filter(|other| other.is_ipv4() == server.is_ipv4());
            let local = if server.is_ipv4() {
                (Ipv4Addr::UNSPECIFIED, 0).into()
            } else {
                (Ipv6Addr::UNSPECIFIED, 0).into()
            };
            Driver::bind_with(local, machine.with_alternatives(others), driver).map_err(failed)
        })??;
        Ok(Self { client: Shared::new(driver)? })
    }

    /// Returns the next event as a dict; `None` after `timeout` seconds.
    #[pyo3(signature = (timeout=None))]
    fn next_event<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyDict>>> {
        match self.client.next_event(py, Deadline::after(timeout)?)? {
            Some(event) => of_client(py, event),
            None => Ok(None),
        }
    }

    /// Receives and sends without waiting. Returns the events in order.
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for event in self.client.update(py)? {
            if let Some(event) = of_client(py, event)? {
                list.append(event)?;
            }
        }
        Ok(list)
    }

    /// Sends a message. Returns its sequence id, unless it is unreliable.
    fn send(&self, py: Python<'_>, message: &RiptideMessage) -> PyResult<Option<u16>> {
        let message = message.lock().clone();
        self.client.with(py, |driver| driver.machine_mut().send(&message)).map_err(send_error)
    }

    /// Sends what is queued, without waiting.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.client.flush(py)
    }

    /// Disconnects. Does nothing if the connection is closed.
    fn disconnect(&self, py: Python<'_>) -> PyResult<()> {
        self.client.with(py, |driver| driver.machine_mut().disconnect());
        self.client.flush(py)
    }

    #[getter]
    fn id(&self, py: Python<'_>) -> Option<u16> {
        self.client.with(py, |driver| driver.machine().id()).map(|id| id.0)
    }

    /// The round trip in milliseconds; -1 before the first one.
    #[getter]
    fn rtt(&self, py: Python<'_>) -> i64 {
        milliseconds(self.client.with(py, |driver| driver.machine().rtt()))
    }

    /// The smoothed round trip in milliseconds; -1 before the first one.
    #[getter]
    fn smooth_rtt(&self, py: Python<'_>) -> i64 {
        milliseconds(self.client.with(py, |driver| driver.machine().smooth_rtt()))
    }

    /// 0: not connected, 1: connecting, 2: pending, 3: connected.
    #[getter]
    fn state(&self, py: Python<'_>) -> u8 {
        match self.client.with(py, |driver| driver.machine().state()) {
            ConnectionState::Ended => 0,
            ConnectionState::Connecting => 1,
            ConnectionState::Pending | ConnectionState::Accepted => 2,
            ConnectionState::Connected => 3,
        }
    }

    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.client.with(py, |driver| super::metrics::metrics(py, driver.machine().metrics()))
    }

    /// Changes settings of the connection.
    fn set_settings(&self, py: Python<'_>, changes: &Bound<'_, PyDict>) -> PyResult<()> {
        self.client.with(py, |driver| {
            let mut settings = *driver.machine().settings();
            apply(&mut settings, changes)?;
            driver.machine_mut().set_settings(settings);
            Ok(())
        })
    }
}

/// Returns the configuration of a driver with buffers of a size in bytes.
pub(super) fn buffers(size: usize) -> DriverConfig {
    DriverConfig { receive_buffer: Some(size), send_buffer: Some(size), ..DriverConfig::default() }
}

/// Returns the exception for a message that was not sent.
pub(super) fn send_error(error: gamewire::riptide::SendError) -> PyErr {
    match error {
        gamewire::riptide::SendError::NotConnected => ClosedError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// Returns the exception for sockets that cannot be opened.
pub(super) fn open_error(error: &gamewire::net::OpenError) -> PyErr {
    io_error(&std::io::Error::other(error.to_string()))
}
