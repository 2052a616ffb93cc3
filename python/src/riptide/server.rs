use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use gamewire::machine::Instant;
use gamewire::net::Transports;
use gamewire::net::blocking::Driver;
use gamewire::riptide::server::Server;
use gamewire::riptide::{ClientId, ConnectionId, ServerConfig};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::client::{buffers, open_error, send_error};
use super::event::{data, of_server};
use super::message::RiptideMessage;
use super::settings::{apply, milliseconds};
use crate::error::value_error;
use crate::shared::Shared;
use crate::waiting::Deadline;

/// A server of Riptide over sockets. It accepts clients of 2.0 and 2.1.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct RiptideServer {
    server: Shared<Server>,
    #[pyo3(get)]
    port: u16,
}

#[pymethods]
impl RiptideServer {
    /// Listens on a port; 0 selects a free one. Without a host, it listens on all addresses.
    #[new]
    #[pyo3(signature = (port, max_clients, *, host="", transport="udp_and_tcp", decides=false, max_payload_size=1225,
        delivery_events=false, settings=None, buffer_size=1048576))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        port: u16,
        max_clients: u16,
        host: &str,
        transport: &str,
        decides: bool,
        max_payload_size: usize,
        delivery_events: bool,
        settings: Option<&Bound<'_, PyDict>>,
        buffer_size: usize,
    ) -> PyResult<Self> {
        let transports = match transport {
            "udp" => Transports::Udp,
            "tcp" => Transports::Tcp,
            "udp_and_tcp" => Transports::UdpAndTcp,
            _ => {
                return Err(value_error(format!(
                    "unknown transport {transport:?}: use udp, tcp or udp_and_tcp"
                )));
            }
        };
        if max_clients == 0 {
            return Err(value_error("invalid max_clients 0: use 1 to 65534"));
        }
        let mut config = ServerConfig::new(max_clients);
        config.handle_connection = decides;
        config.max_payload_size = max_payload_size;
        config.delivery_events = delivery_events;
        if let Some(settings) = settings {
            apply(&mut config.settings, settings)?;
        }
        let machine = Server::new(config, Instant::ZERO);
        let local = SocketAddr::new(address(host)?, port);
        let driver = Driver::listen_with(local, transports, machine, buffers(buffer_size));
        let driver = driver.map_err(|error| open_error(&error))?;
        Ok(Self { port: driver.local_addr().port(), server: Shared::new(driver)? })
    }

    /// Returns the next event as a dict; `None` after `timeout` seconds.
    #[pyo3(signature = (timeout=None))]
    fn next_event<'py>(&self, py: Python<'py>, timeout: Option<f64>) -> PyResult<Option<Bound<'py, PyDict>>> {
        match self.server.next_event(py, Deadline::after(timeout)?)? {
            Some(event) => of_server(py, event),
            None => Ok(None),
        }
    }

    /// Receives and sends without waiting. Returns the events in order.
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for event in self.server.update(py)? {
            if let Some(event) = of_server(py, event)? {
                list.append(event)?;
            }
        }
        Ok(list)
    }

    /// Accepts a connection request. Returns the id of the client; `None` if no such request waits, or the server is full.
    fn accept(&self, py: Python<'_>, connection: u64) -> Option<u16> {
        self.server.with(py, |driver| driver.machine_mut().accept(ConnectionId(connection))).map(|id| id.0)
    }

    /// Rejects a connection request, with optional data.
    #[pyo3(signature = (connection, message=None))]
    fn reject(&self, py: Python<'_>, connection: u64, message: Option<&RiptideMessage>) -> PyResult<()> {
        let message = data(message);
        let reject = |server: &mut Server| server.reject(ConnectionId(connection), message.as_ref());
        self.server.with(py, |driver| reject(driver.machine_mut())).map_err(send_error)
    }

    /// Sends a message to a client. Returns its sequence id, unless it is unreliable.
    fn send(&self, py: Python<'_>, message: &RiptideMessage, client: u16) -> PyResult<Option<u16>> {
        let message = message.lock().clone();
        let send = |server: &mut Server| server.send(&message, ClientId(client));
        self.server.with(py, |driver| send(driver.machine_mut())).map_err(send_error)
    }

    /// Sends a message to all clients, but one. A client whose send buffer is full is left out.
    #[pyo3(signature = (message, but=None))]
    fn send_to_all(&self, py: Python<'_>, message: &RiptideMessage, but: Option<u16>) {
        let message = message.lock().clone();
        self.server.with(py, |driver| match but {
            None => drop(driver.machine_mut().send_to_all(&message)),
            Some(but) => drop(driver.machine_mut().send_to_all_except(&message, ClientId(but))),
        });
    }

    /// Relays a message of a client to all other clients, within its budget.
    fn relay(&self, py: Python<'_>, message: &RiptideMessage, from_client: u16) {
        let message = message.lock().clone();
        self.server.with(py, |driver| driver.machine_mut().relay(&message, ClientId(from_client)));
    }

    /// Sends what is queued, without waiting.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.server.flush(py)
    }

    /// Disconnects a client, with optional data.
    #[pyo3(signature = (client, message=None))]
    fn disconnect_client(
        &self,
        py: Python<'_>,
        client: u16,
        message: Option<&RiptideMessage>,
    ) -> PyResult<()> {
        let message = data(message);
        let disconnect = |server: &mut Server| server.disconnect_client(ClientId(client), message.as_ref());
        self.server.with(py, |driver| disconnect(driver.machine_mut())).map_err(send_error)
    }

    /// Relays messages with an id to all other clients, or no longer.
    fn set_relay(&self, py: Python<'_>, id: u16, is_relayed: bool) {
        self.server.with(py, |driver| {
            let filter = driver.machine_mut().relay_filter_mut();
            if is_relayed { filter.enable_relay(id) } else { filter.disable_relay(id) }
        });
    }

    /// Returns the ids of the connected clients.
    fn clients(&self, py: Python<'_>) -> Vec<u16> {
        self.server.with(py, |driver| driver.machine().clients().map(|client| client.id().0).collect())
    }

    /// Returns the round trip of a client and the smoothed one, in milliseconds, -1 before the first one; `None` if there
    /// is no such client.
    fn round_trip(&self, py: Python<'_>, client: u16) -> Option<(i64, i64)> {
        self.server.with(py, |driver| {
            let client = driver.machine().client(ClientId(client))?;
            Some((milliseconds(client.rtt()), milliseconds(client.smooth_rtt())))
        })
    }

    /// Returns the counters of a client; `None` if there is no such client.
    fn metrics<'py>(&self, py: Python<'py>, client: u16) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.server.with(py, |driver| {
            let client = driver.machine().client(ClientId(client));
            client.map(|client| super::metrics::metrics(py, client.metrics())).transpose()
        })
    }

    /// Changes settings of a client.
    fn set_settings(&self, py: Python<'_>, client: u16, changes: &Bound<'_, PyDict>) -> PyResult<()> {
        self.server.with(py, |driver| {
            let id = ClientId(client);
            let Some(mut settings) = driver.machine().client(id).map(|client| *client.settings()) else {
                return Ok(());
            };
            apply(&mut settings, changes)?;
            driver.machine_mut().set_settings(id, settings).map_err(send_error)
        })
    }

    /// Disconnects all clients and accepts no more.
    fn stop(&self, py: Python<'_>) -> PyResult<()> {
        self.server.with(py, |driver| driver.machine_mut().stop());
        self.server.flush(py)
    }
}

/// Returns the address to listen on. Some systems have no IPv6.
fn address(host: &str) -> PyResult<IpAddr> {
    if !host.is_empty() {
        return host
            .parse()
            .map_err(|_| value_error(format!("invalid host {host:?}: expected an IP address")));
    }
    Ok(match UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)) {
        Ok(_) => Ipv6Addr::UNSPECIFIED.into(),
        Err(_) => Ipv4Addr::UNSPECIFIED.into(),
    })
}
