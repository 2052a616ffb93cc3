use core::time::Duration;

use gamewire_machine::Instant;

use super::CloseReason;
use super::client::ClientCore;
use super::state::SessionState;
use crate::session::codec::SessionPacket;

/// Maximum age of a chat line that is quoted as the server's reason to close the connection.
const LAST_MESSAGE_AGE: Duration = Duration::from_secs(5);

impl ClientCore {
    pub(super) fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        let reason = match &mut self.state {
            SessionState::Joining(joining) if joining.deadline <= now => {
                self.login_timeout(self.config.login_timeout)
            }
            SessionState::Authenticating { deadline } if *deadline <= now => {
                self.login_timeout(self.config.password_timeout)
            }
            SessionState::Playing(playing) if playing.idle_at <= now => {
                Some(CloseReason::IdleTimeout { after: self.config.idle_timeout })
            }
            SessionState::Playing(playing) => match (playing.heartbeat_at, self.config.heartbeat) {
                (Some(at), Some(interval)) if at <= now => {
                    playing.heartbeat_at = Some(now + interval.max(Duration::from_millis(1)));
                    self.send(SessionPacket::Heartbeat, &[]).err().map(CloseReason::from)
                }
                _ => None,
            },
            SessionState::Joining(_) | SessionState::Authenticating { .. } | SessionState::Closed(_) => None,
        };
        if let Some(reason) = reason {
            self.close(reason);
        }
    }

    fn login_timeout(&self, after: Duration) -> Option<CloseReason> {
        self.state.phase().map(|phase| CloseReason::LoginTimeout { phase, after })
    }

    /// Handles the end of the server's stream, which may be in the middle of a packet.
    pub(super) fn on_end(&mut self, now: Instant, mid_packet: bool) {
        let now = self.clock.advance(now);
        let Some(phase) = self.state.phase() else { return };
        let last = self.last_message.take().filter(|(at, _)| now.since(*at) <= LAST_MESSAGE_AGE);
        let last_message = last.map(|(_, message)| message);
        self.close(CloseReason::Ended { phase, mid_packet, last_message });
    }
}
