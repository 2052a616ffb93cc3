use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_machine::Role;
use gamewire_net::blocking::Driver;
use gamewire_riptide::command::UserData;
use gamewire_riptide::layout::{MessageKind, MessageLayouts};
use gamewire_riptide::message::Message;
use gamewire_riptide::server::{Event, Server};
use gamewire_riptide::{ClientId, ConnectionId, DisconnectReason, RejectReason, SendError};

use super::command::{Command, HELP};
use super::describe::{Origin, certificate_reloaded, client, origin_refused, transport_name};
use super::drain::{Draining, drained, draining};
use super::forwarded::Forwarded;
use super::options::RiptideRelay;
use super::relay::Relay;
use super::reports::Reports;
use super::stats::RelayStats;
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::exit_status::{Failure, note, warn};
use crate::messages;
use crate::output::{Output, event};
use crate::riptide::{PayloadFormatter, reason_name, user_data, with_exceeded};
use crate::tls::Certificate;

/// A relay server: accepts clients, relays their messages, and executes commands of standard input.
pub(super) struct RelayServer<'p> {
    host: Driver<Server>,
    plan: &'p Plan,
    output: Output,
    stats: RelayStats,
    reports: Reports,
    draining: Option<Draining>,
    /// The certificate of `--wss`.
    certificate: Option<Certificate>,
}

impl<'p> RelayServer<'p> {
    pub(super) fn new(
        host: Driver<Server>,
        plan: &'p Plan,
        output: Output,
        reports: Reports,
        certificate: Option<Certificate>,
    ) -> Self {
        Self { host, plan, output, stats: RelayStats::default(), reports, draining: None, certificate }
    }

    /// Disconnects the clients and prints the summary.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.leave();
        if let Some(draining) = &self.draining {
            self.output.emit(&drained(draining.remaining.unwrap_or_default()))?;
        }
        while self.next_event(Duration::ZERO)? {}
        self.report_limited()?;
        self.report_refused_origins()?;
        // The status is removed before the summary is printed.
        drop(self.reports);
        self.stats.rejected_full = self.host.machine().rejected_full();
        self.stats.rejected_draining = self.host.machine().rejected_closed();
        Ok(self.output.print_summary(self.stats.summary(self.host.stats()))?)
    }

    /// Waits at most `wait` for the next event and handles it. Returns true if there was one.
    fn next_event(&mut self, wait: Duration) -> Result<bool, Failure> {
        let event = next_event(&mut self.host, wait).map_err(Failure::server_socket)?;
        event.map_or(Ok(false), |event| self.handle_event(event).map(|()| true))
    }

    /// Prints the number of messages that the relay budget has held back since the last call.
    fn report_limited(&mut self) -> Result<(), Failure> {
        let (dropped, deferred) = (self.host.machine().relay_dropped(), self.host.machine().relay_deferred());
        let new_dropped = dropped.saturating_sub(self.stats.rate_limited);
        let new_deferred = deferred.saturating_sub(self.stats.deferred);
        (self.stats.rate_limited, self.stats.deferred) = (dropped, deferred);
        if new_dropped > 0 || new_deferred > 0 {
            self.output.emit(&event!("relay_limited", dropped: new_dropped, deferred: new_deferred))?;
        }
        Ok(())
    }

    /// Prints the origin that was refused last, if another one was refused since the last call.
    fn report_refused_origins(&mut self) -> Result<(), Failure> {
        let stats = self.host.machine().websocket_stats();
        let refused = stats.refused_origins.saturating_sub(self.stats.refused_origins);
        if let Some(origin) = stats.last_refused_origin.as_ref().filter(|_| refused > 0) {
            self.stats.refused_origins = stats.refused_origins;
            self.output.emit(&origin_refused(origin, refused))?;
        }
        Ok(())
    }

    /// Uses the files of the certificate if they have changed since the last call.
    fn reload_certificate(&mut self) -> Result<(), Failure> {
        let Some(certificate) = &mut self.certificate else { return Ok(()) };
        if certificate.reload() {
            self.output.emit(&certificate_reloaded(certificate.path()))?;
        }
        Ok(())
    }

    fn kick(&mut self, client: ClientId, data: Option<&UserData>) -> Result<(), CommandError> {
        let format = self.host.machine().client(client).map(|view| view.format());
        let format = format.ok_or_else(|| CommandError::Rejected(format!("no client {client}")))?;
        let data = data.map(|data| data.message(format)).transpose().map_err(|error| {
            CommandError::Rejected(format!(
                "cannot encode the values for {client} in Riptide {format}: {error}"
            ))
        })?;
        let kicked = self.host.machine_mut().disconnect_client(client, data.as_ref());
        done(&format!("kick {client}"), kicked)
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::ConnectionRequested { connection, from, address, format, data } => self.decide(
                connection,
                &Origin { transport: transport_name(self.host.machine(), from), address, format },
                &data,
            ),
            // `decide` has already reported the rejection.
            Event::ConnectionFailed { reason: DisconnectReason::ConnectionRejected, .. } => Ok(()),
            Event::ConnectionFailed { .. } => {
                self.stats.failed = self.stats.failed.saturating_add(1);
                Ok(())
            }
            Event::ClientConnected { client, from, address, format, .. } => {
                let there = u64::try_from(self.host.machine().client_count()).unwrap_or(u64::MAX);
                self.stats.clients = self.stats.clients.saturating_add(1);
                self.stats.peak_clients = self.stats.peak_clients.max(there);
                let transport = transport_name(self.host.machine(), from);
                let origin = Origin { transport, address, format };
                self.output.emit(&origin.describe(event!("client_connected", client: client.0)))
            }
            Event::ClientDisconnected { client, reason, exceeded } => {
                self.stats.count_disconnected(reason);
                let event = event!("client_disconnected", client: client.0, reason: reason_name(&reason));
                self.output.emit(&with_exceeded(event, exceeded))
            }
            Event::ClientAddressChanged { client, from, to } => {
                let (from, to) = (from.to_string(), to.to_string());
                self.output.emit(&event!("address_changed", client: client.0, from: from, to: to))
            }
            Event::MessageReceived { client, message } => self.message(client, &message),
            _ => Ok(()),
        }
    }

    /// Accepts a client if its connect data meets the requirement and the server is not full. Otherwise rejects the
    /// client.
    fn decide(&mut self, connection: ConnectionId, origin: &Origin, data: &Message) -> Result<(), Failure> {
        let plan = self.plan;
        let is_expected =
            plan.require_data.as_ref().is_none_or(|expected| expected.equals(data, origin.format));
        let server = self.host.machine_mut();
        let reason = if !is_expected {
            // Data that the format cannot encode is omitted.
            let answer = plan.reject_data.as_ref().and_then(|answer| answer.message(origin.format).ok());
            if let Err(error) = server.reject(connection, answer.as_ref()) {
                warn(format_args!("cannot reject a client: {error}"));
            }
            if answer.is_some() { RejectReason::Custom } else { RejectReason::Rejected }
        } else if server.accept(connection).is_none() {
            RejectReason::ServerFull
        } else {
            return Ok(());
        };
        self.stats.refused = self.stats.refused.saturating_add(1);
        let mut event = origin.describe(event!("refused"));
        event.fields.push(("reason", reason_name(&reason).into()));
        self.output.emit(&self.content().data(event, MessageKind::Connect, Some(data)))
    }

    fn message(&mut self, client: ClientId, message: &Message) -> Result<(), Failure> {
        let plan = self.plan;
        self.stats.messages.increment(message.mode());
        if plan.prints_messages {
            let event = self.content().message(event!("message", client: client.0), message);
            self.output.emit(&event)?;
        }
        if plan.relay.holds(message.id()) {
            let forwarded = Forwarded::new(message, &plan.layouts);
            if self.host.machine_mut().relay(&forwarded, client) {
                self.stats.relayed.increment(message.mode());
            }
            if forwarded.is_untranslatable() {
                self.stats.untranslated = self.stats.untranslated.saturating_add(1);
            }
        } else if plan.echo {
            // A client that has disconnected needs no echo.
            if self.host.machine_mut().send(message, client).is_ok() {
                self.stats.echoed.increment(message.mode());
            }
        }
        Ok(())
    }

    fn content(&self) -> PayloadFormatter<'p> {
        PayloadFormatter { layouts: &self.plan.layouts, sender: Role::Client }
    }
}

impl Controlled for RelayServer<'_> {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        self.host.waker()
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        if self.reports.are_due() {
            self.report_limited()?;
            self.report_refused_origins()?;
            self.reload_certificate()?;
            self.reports.update(&self.host, &self.stats);
        }
        self.next_event(wait).map(drop)
    }

    fn wake_at(&self) -> Option<Instant> {
        let drain_end = self.draining.as_ref().and_then(|draining| draining.end);
        self.reports.due_at().into_iter().chain(drain_end).min()
    }

    fn takes_lines(&self) -> bool {
        true
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        let parse = if is_json { Command::parse_json } else { Command::parse };
        parse(line, &self.plan.layouts)
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Help => note(HELP),
            Command::Clients => {
                let server = self.host.machine();
                for view in server.clients() {
                    self.output.emit(&client(server, &view))?;
                }
            }
            Command::Kick(client, data) => self.kick(client, data.as_ref())?,
            Command::Send(client, message) => {
                let sent = self.host.machine_mut().send(&message, client);
                if sent == Err(SendError::Full) {
                    return Err(CommandError::Full);
                }
                done(&format!("send the message to {client}"), sent)?;
            }
            Command::All(message) => {
                done(
                    "send the message to all clients",
                    self.host.machine_mut().send_to_all(&message).all_sent(),
                )?;
            }
            Command::Stop => return Err(CommandError::Leave),
        }
        Ok(())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn drain(&mut self) -> Result<bool, Failure> {
        let Some(time) = self.plan.drain else { return Ok(false) };
        let clients = self.host.machine().client_count();
        if self.draining.is_none() {
            self.host.machine_mut().set_accepts_clients(false);
            self.draining = Some(Draining::begin(time));
            // Report it now, because a second is long for a program that asks whether new clients are accepted.
            self.reports.update(&self.host, &self.stats);
            self.output.emit(&draining(clients, time))?;
        }
        Ok(self.draining.as_ref().is_some_and(|draining| draining.continues(clients)))
    }

    fn leave(&mut self) {
        if let Some(draining) = &mut self.draining {
            draining.remaining.get_or_insert_with(|| self.host.machine().client_count());
        }
        self.host.machine_mut().stop();
    }

    fn is_over(&self) -> bool {
        !self.host.machine().is_running()
    }
}

fn done<T>(what: &str, done: Result<T, SendError>) -> Result<(), CommandError> {
    done.map(drop).map_err(|error| {
        CommandError::Rejected(match error {
            SendError::NotConnected => format!("cannot {what}: no such client"),
            error => format!("cannot {what}: {error}"),
        })
    })
}

/// The policy of a relay for clients and messages.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) layouts: MessageLayouts,
    pub(super) relay: Relay,
    pub(super) echo: bool,
    /// Connect data that clients must send.
    pub(super) require_data: Option<UserData>,
    /// Data to send to rejected clients.
    pub(super) reject_data: Option<UserData>,
    /// Maximum time that clients may stay after a signal. `None` if a signal disconnects them.
    pub(super) drain: Option<Duration>,
    /// True if messages are printed.
    pub(super) prints_messages: bool,
}

impl Plan {
    pub(super) fn of(options: &RiptideRelay) -> Result<Self, Failure> {
        let layouts = options.messages.as_deref().map(messages::load).transpose()?.unwrap_or_default();
        let data = |option: &str, text: Option<&String>| {
            text.map(|text| user_data(option, text, &layouts)).transpose()
        };
        Ok(Self {
            require_data: data("--require-data", options.require_data.as_ref())?,
            reject_data: data("--reject-data", options.reject_data.as_ref())?,
            relay: options.relay.clone(),
            echo: options.echo,
            drain: options.drain,
            prints_messages: !options.quiet,
            layouts,
        })
    }
}
