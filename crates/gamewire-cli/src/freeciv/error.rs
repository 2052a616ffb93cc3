//! Error messages for the end of a session.

use gamewire_freeciv::session::MissingCapability;
use gamewire_freeciv::session::client::{CloseReason, Phase};
use gamewire_inspect::render::Escaped;

/// Returns the error message; `None` if the client disconnected itself. `received` is the number of received bytes.
pub(crate) fn error_message(reason: &CloseReason, server: &str, received: u64) -> Option<String> {
    Some(match reason {
        CloseReason::Left => return None,
        CloseReason::Refused { message, missing, capabilities } => {
            let why = missing.as_ref().map_or_else(|| quoted(message), lacking);
            let theirs = capabilities.as_ref().filter(|_| missing.is_some());
            let theirs = theirs.map(|theirs| format!("; the server has {}", quoted(theirs.as_str())));
            format!("{server} rejected the connection: {why}{}", theirs.unwrap_or_default())
        }
        CloseReason::Capability(lack) => format!("{server} is incompatible: {}", lacking(lack)),
        CloseReason::UnknownVersion { version } => format!(
            "unsupported version of {server}: {}; use --definition with its packets.def",
            Escaped(version.as_bytes())
        ),
        CloseReason::LoginTimeout { phase: Phase::Joining, after } if received > 0 => format!(
            "{server} stalled: {received} bytes came, but no reply to the join within {} s; it is overloaded, or not a \
             Freeciv server",
            after.as_secs_f32()
        ),
        CloseReason::LoginTimeout { phase: Phase::Joining, .. } => {
            format!("no answer from {server}: is it a Freeciv server?")
        }
        CloseReason::LoginTimeout { .. } => format!("timed out before a password was sent to {server}"),
        CloseReason::IdleTimeout { after } => {
            format!("timed out after {} s waiting for {server}", after.as_secs())
        }
        CloseReason::Shutdown => format!("{server} is shutting down"),
        CloseReason::Ended { phase: Phase::Joining, mid_packet: false, last_message: None } => format!(
            "{server} closed the connection before it answered; a Freeciv server does so if too many connections come \
             from one host: its setting maxconnectionsperhost is 4 by default, 0 is no limit"
        ),
        CloseReason::Ended { phase, mid_packet, last_message } => {
            let how =
                if *mid_packet { "broke in the middle of a packet" } else { "was closed by the server" };
            let words = last_message.as_deref().map(|words| format!("; its last message: {}", quoted(words)));
            format!("the connection to {server} {how} while {phase}{}", words.unwrap_or_default())
        }
        // The reason may contain text of the server.
        other => {
            let why = Escaped(other.to_string().as_bytes()).to_string();
            format!("the connection to {server} was closed: {why}")
        }
    })
}

fn lacking(lack: &MissingCapability) -> String {
    let shown = |word: &str| Escaped(word.as_bytes()).to_string();
    match lack {
        MissingCapability::Ours(word) => format!(
            "it requires the capability {}, which this client does not have; for a version of Freeciv other than \
             3.0, 3.1 and 3.2 use --definition with its packets.def, and --capabilities with all that the server has",
            shown(word)
        ),
        MissingCapability::Theirs(word) => {
            format!("it does not have the capability {}, which this client requires", shown(word))
        }
    }
}

fn quoted(words: &str) -> String {
    match words {
        "" => "no reason given".to_owned(),
        words => format!("`{}`", Escaped(words.trim_end().as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gamewire_freeciv::session::Capabilities;

    use super::*;

    #[test]
    fn every_other_close_is_an_error_that_names_the_server() {
        let ended = |is_cut, words: Option<&str>| CloseReason::Ended {
            phase: Phase::Playing,
            mid_packet: is_cut,
            last_message: words.map(str::to_owned),
        };
        let refused = |message: &str, missing| CloseReason::Refused {
            message: message.to_owned(),
            missing,
            capabilities: Some(Capabilities::parse("+x y").unwrap()),
        };
        let late = |phase| CloseReason::LoginTimeout { phase, after: Duration::from_secs(10) };
        assert_eq!(error_message(&CloseReason::Left, "S", 0), None);
        for (reason, expected) in [
            (refused("no\x1b[2J\n", None), r"S rejected the connection: `no\x1b[2J`"),
            (refused("", None), "S rejected the connection: no reason given"),
            (
                refused("old", Some(MissingCapability::Theirs("x".into()))),
                "S rejected the connection: it does not have the capability x, which this client requires; the \
                 server has `+x y`",
            ),
            (
                CloseReason::Capability(MissingCapability::Ours("y".into())),
                "S is incompatible: it requires the capability y, which this client does not have; for a version of \
                 Freeciv other than 3.0, 3.1 and 3.2 use --definition with its packets.def, and --capabilities \
                 with all that the server has",
            ),
            (
                CloseReason::UnknownVersion { version: "Freeciv-3.9-network".into() },
                "unsupported version of S: Freeciv-3.9-network; use --definition with its packets.def",
            ),
            (late(Phase::Joining), "no answer from S: is it a Freeciv server?"),
            (late(Phase::Authenticating), "timed out before a password was sent to S"),
            (ended(true, None), "the connection to S broke in the middle of a packet while playing"),
            (
                ended(false, Some("cut by\u{7}")),
                r"the connection to S was closed by the server while playing; its last message: `cut by\x07`",
            ),
            (
                CloseReason::Ended { phase: Phase::Joining, mid_packet: false, last_message: None },
                "S closed the connection before it answered; a Freeciv server does so if too many connections come \
                 from one host: its setting maxconnectionsperhost is 4 by default, 0 is no limit",
            ),
            (CloseReason::Shutdown, "S is shutting down"),
        ] {
            assert_eq!(error_message(&reason, "S", 0).as_deref(), Some(expected));
        }
        assert_eq!(
            error_message(&late(Phase::Joining), "S", 50_000).as_deref(),
            Some(
                "S stalled: 50000 bytes came, but no reply to the join within 10 s; it is overloaded, or not a Freeciv \
                 server"
            )
        );
    }
}
