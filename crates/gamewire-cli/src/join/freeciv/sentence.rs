//! Why it ended, in one sentence.

use gamewire_freeciv::session::Lack;
use gamewire_freeciv::session::client::{Phase, Reason};
use gamewire_inspect::render::Escaped;

/// What went wrong; nothing when we left ourselves.
pub(super) fn sentence(reason: &Reason, server: &str) -> Option<String> {
    Some(match reason {
        Reason::Left => return None,
        Reason::Refused { message, lack } => {
            let why = lack.as_ref().map_or_else(|| quoted(message), lacking);
            format!("{server} refuses: {why}")
        }
        Reason::Capability(lack) => format!("{server} does not fit: {}", lacking(lack)),
        Reason::LoginDeadline { phase: Phase::Joining, .. } => {
            format!("{server} does not answer: is a server of Freeciv there?")
        }
        Reason::LoginDeadline { .. } => format!("{server} got no password in time"),
        Reason::Silent { after } => format!("{server} has been silent for {} s", after.as_secs()),
        Reason::Shutdown => format!("{server} shuts down"),
        Reason::Ended { phase, is_cut, last_words } => {
            let how = if *is_cut { "broke in the middle of a packet" } else { "was closed by the server" };
            let words = last_words.as_deref().map(|words| format!("; its last words: {}", quoted(words)));
            format!("the connection to {server} {how} while {phase}{}", words.unwrap_or_default())
        }
        // It may quote the server.
        other => {
            let why = Escaped(other.to_string().as_bytes()).to_string();
            format!("the connection to {server} cannot go on: {why}")
        }
    })
}

fn lacking(lack: &Lack) -> String {
    let shown = |word: &str| Escaped(word.as_bytes()).to_string();
    match lack {
        Lack::Ours(word) => format!(
            "it insists on the capability {}, which we lack: another version of Freeciv needs its \
             --definition and --capabilities",
            shown(word)
        ),
        Lack::Theirs(word) => format!("it lacks the capability {}, on which we insist", shown(word)),
    }
}

fn quoted(words: &str) -> String {
    match words {
        "" => "without a reason".to_owned(),
        words => format!("`{}`", Escaped(words.trim_end().as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_end_but_our_own_is_one_sentence_that_names_the_server() {
        let ended = |is_cut, words: Option<&str>| Reason::Ended {
            phase: Phase::Playing,
            is_cut,
            last_words: words.map(str::to_owned),
        };
        let refused = |message: &str, lack| Reason::Refused { message: message.to_owned(), lack };
        let late = |phase| Reason::LoginDeadline { phase, after: Duration::from_secs(10) };
        assert_eq!(sentence(&Reason::Left, "S"), None);
        for (reason, expected) in [
            (refused("no\x1b[2J\n", None), r"S refuses: `no\x1b[2J`"),
            (refused("", None), "S refuses: without a reason"),
            (
                refused("old", Some(Lack::Theirs("x".into()))),
                "S refuses: it lacks the capability x, on which we insist",
            ),
            (
                Reason::Capability(Lack::Ours("y".into())),
                "S does not fit: it insists on the capability y, which we lack: another version of Freeciv \
                 needs its --definition and --capabilities",
            ),
            (late(Phase::Joining), "S does not answer: is a server of Freeciv there?"),
            (late(Phase::Authenticating), "S got no password in time"),
            (ended(true, None), "the connection to S broke in the middle of a packet while playing"),
            (
                ended(false, Some("cut by\u{7}")),
                r"the connection to S was closed by the server while playing; its last words: `cut by\x07`",
            ),
            (Reason::Shutdown, "S shuts down"),
        ] {
            assert_eq!(sentence(&reason, "S").as_deref(), Some(expected));
        }
    }
}
