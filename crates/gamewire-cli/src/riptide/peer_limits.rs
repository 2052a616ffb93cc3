use std::time::Duration;

use clap::Args;
use gamewire_riptide::{ConnectionLimit, ConnectionSettings, ExceededLimit};

use crate::output::{OutputEvent, Value};

/// Limits of a connection.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PeerLimits {
    /// Close a connection after this time without a heartbeat of the peer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = crate::duration::parse)]
    peer_timeout: Duration,
    /// Close a connection if a message was sent N times without an ack; the C# library does so after 15 [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_attempts: Option<u16>,
}

impl PeerLimits {
    /// Returns the settings of a connection.
    pub(crate) fn settings(self) -> ConnectionSettings {
        ConnectionSettings {
            timeout_time: self.peer_timeout,
            can_quality_disconnect: self.max_attempts.is_some(),
            max_send_attempts: self.max_attempts,
            ..ConnectionSettings::default()
        }
    }
}

/// Adds the limit that a connection exceeded to the event of its end.
pub(crate) fn with_exceeded(mut event: OutputEvent, exceeded: Option<ExceededLimit>) -> OutputEvent {
    let Some(ExceededLimit { limit, silence, rtt, .. }) = exceeded else { return event };
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    event.fields.push(("limit", Value::Keyword(limit.name())));
    if let ConnectionLimit::SendAttempts { seq_id, attempts } = limit {
        event.fields.extend([("seq_id", seq_id.into()), ("attempts", attempts.into())]);
    }
    event.fields.push(("silence_ms", millis(silence).into()));
    event.fields.extend(rtt.map(|rtt| ("round_trip_ms", millis(rtt).into())));
    event
}
