use ::core::time::Duration;

use super::peer::{Peer, PeerResult};
use super::state::PeerState;
use super::{ClientId, CloseReason, Server, ServerConfig};
use crate::delta::Value;

use gamewire_machine::Instant;

use crate::session::codec::SessionPacket;

const PING_INFO: &str = "PACKET_CONN_PING_INFO";

impl Server {
    /// Runs the timers that are due.
    pub(super) fn fire_timers(&mut self) {
        let now = self.clock.now();
        let settings = std::sync::Arc::clone(&self.settings);
        let mut has_pinged = false;
        while let Some(client) = self.timers.pop_due(now).and_then(ClientId::from_timer_key) {
            self.update(client, |peer| peer.on_timeout(now, &settings.config));
            has_pinged |= self.peers.get(client).is_some_and(|peer| peer.playing().is_some());
        }
        if has_pinged {
            self.broadcast_ping_times();
        }
    }

    /// Sends the round-trip times of all clients to all clients.
    fn broadcast_ping_times(&mut self) {
        let (mut ids, mut sixths, mut sevenths) = (Vec::new(), Vec::new(), Vec::new());
        for peer in self.peers.iter() {
            if let Some(round_trip) = peer.playing().and_then(|playing| playing.ping.round_trip) {
                let micros = i64::try_from(round_trip.as_micros()).unwrap_or(i64::MAX);
                ids.push(Value::Int(peer.id.0.into()));
                sixths.push(Value::Scaled(micros / 10));
                sevenths.push(Value::Scaled(micros));
            }
        }
        if ids.is_empty() {
            return;
        }
        let count = Value::Int(i64::try_from(ids.len()).unwrap_or(i64::MAX));
        // The packet contains both forms of the fields. The client's capabilities select one.
        let fields = [
            ("connections_8", count.clone()),
            ("connections_16", count),
            ("conn_id_old", Value::List(ids.clone())),
            ("conn_id_new", Value::List(ids)),
            ("ping_time_7", Value::List(sevenths)),
            ("ping_time_6", Value::List(sixths)),
        ];
        for client in self.clients() {
            // Ignore errors, because not every definition has this packet.
            let _ = self.send_fields(client, PING_INFO, &fields);
        }
    }
}

impl Peer {
    fn on_timeout(&mut self, now: Instant, config: &ServerConfig) -> PeerResult {
        let late = |after| Err(CloseReason::LoginTimeout { after });
        match &mut self.state {
            PeerState::Joining { .. } => late(config.login_timeout),
            PeerState::Deciding { .. } | PeerState::Authenticating { .. } | PeerState::Checking { .. } => {
                late(config.password_timeout)
            }
            PeerState::Delaying { attempts, .. } if attempts.deadline <= now => late(config.password_timeout),
            PeerState::Delaying { attempts, .. } if attempts.are_used_up() => {
                self.refuse("too many wrong passwords".to_owned())
            }
            PeerState::Delaying { user, attempts, message, .. } => {
                let (request, message) = (attempts.request.number(), core::mem::take(message));
                self.state = PeerState::Authenticating { user: user.clone(), attempts: *attempts };
                self.ask_password(request, &message)
            }
            PeerState::Playing(playing) => match playing.ping.since {
                Some(since) if since + config.ping_timeout <= now => {
                    Err(CloseReason::PingTimeout { after: config.ping_timeout })
                }
                since => {
                    playing.ping.since = since.or(Some(now));
                    playing.ping.next = now + config.ping_interval.max(Duration::from_millis(1));
                    self.send(SessionPacket::Ping, &[])?;
                    // Send the ping now, even if a long request has frozen the queue.
                    self.queue.flush();
                    Ok(None)
                }
            },
        }
    }
}
