use ::core::time::Duration;

use gamewire_machine::StreamId;

use super::stage::PeerState;
use super::{CloseReason, Server};
use crate::delta::Value;
use crate::session::codec::SessionPacket;

const PING_INFO: &str = "PACKET_CONN_PING_INFO";

impl Server {
    /// A client's time has come; whether it was pinged.
    pub(super) fn is_late(&mut self, stream: StreamId) -> bool {
        let (now, config) = (self.now, &self.config);
        let Some(peer) = self.peers.get_mut(&stream) else { return false };
        let done = match &mut peer.stage {
            PeerState::Joining { .. } => Err(CloseReason::LoginDeadline { after: config.login_deadline }),
            PeerState::Deciding { .. } | PeerState::Authenticating { .. } | PeerState::Checking { .. } => {
                Err(CloseReason::LoginDeadline { after: config.password_deadline })
            }
            PeerState::Waiting { tries, .. } if tries.deadline <= now => {
                Err(CloseReason::LoginDeadline { after: config.password_deadline })
            }
            PeerState::Waiting { tries, .. } if tries.are_over() => {
                peer.refuse(&self.capabilities, "too many wrong passwords".to_owned())
            }
            PeerState::Waiting { user, tries, message, .. } => {
                let (request, message) = (tries.request.number(), core::mem::take(message));
                peer.stage = PeerState::Authenticating { user: user.clone(), tries: *tries };
                peer.ask(request, &message)
            }
            PeerState::Playing(playing) => match playing.ping.since {
                Some(since) if since + config.ping_timeout <= now => {
                    Err(CloseReason::PingTimeout { after: config.ping_timeout })
                }
                since => {
                    playing.ping.since = since.or(Some(now));
                    playing.ping.next = now + config.ping_interval.max(Duration::from_millis(1));
                    // Even when a request takes long, and what is said meanwhile is frozen.
                    peer.send(SessionPacket::Ping, &[]).map(|()| peer.link.flush())
                }
            },
            PeerState::Closed => Ok(()),
        };
        let is_pinged = done.is_ok() && peer.playing().is_some();
        self.with(stream, |_, _| done);
        is_pinged
    }

    /// Tells all clients how long the answers to pings took.
    pub(super) fn tell_ping_times(&mut self) {
        let (mut ids, mut sixths, mut sevenths) = (Vec::new(), Vec::new(), Vec::new());
        for peer in self.peers.values() {
            if let Some(took) = peer.playing().and_then(|playing| playing.ping.took) {
                let micros = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
                ids.push(Value::Int(peer.id.0.into()));
                sixths.push(Value::Scaled(micros / 10));
                sevenths.push(Value::Scaled(micros));
            }
        }
        if ids.is_empty() {
            return;
        }
        let count = Value::Int(i64::try_from(ids.len()).unwrap_or(i64::MAX));
        // Which of the two forms a client gets depends on its capabilities.
        let fields = [
            ("connections_8", count.clone()),
            ("connections_16", count),
            ("conn_id_old", Value::List(ids.clone())),
            ("conn_id_new", Value::List(ids)),
            ("ping_time_7", Value::List(sevenths)),
            ("ping_time_6", Value::List(sixths)),
        ];
        for client in self.clients() {
            // A definition without that packet goes without.
            let _ = self.send_fields(client, PING_INFO, &fields);
        }
    }
}
