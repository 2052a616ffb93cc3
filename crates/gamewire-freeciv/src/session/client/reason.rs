use ::core::fmt;
use ::core::time::Duration;

use thiserror::Error;

use crate::delta::DeltaError;
use crate::frame::{FrameError, WriteError};
use crate::session::{CapabilityError, MissingCapability};

/// Why a connection is over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// The application closed it.
    #[error("left")]
    Left,
    /// The server does not let the client in.
    #[error("the server refuses: {}", words(.lack, .message))]
    Refused {
        /// The server's words.
        message: String,
        /// The capability for which it does, if that is why.
        lack: Option<MissingCapability>,
    },
    /// The server lets the client in although they do not fit together.
    #[error(transparent)]
    Capability(#[from] MissingCapability),
    /// The server's capabilities cannot be read.
    #[error("the server sent {0}")]
    Capabilities(#[from] CapabilityError),
    /// Nothing happened for too long while logging in.
    #[error("no progress for {} s while {phase}", after.as_secs_f64())]
    LoginDeadline {
        /// Where it stood.
        phase: Phase,
        /// How long it was waited for.
        after: Duration,
    },
    /// The server fell silent.
    #[error("nothing from the server for {} s", after.as_secs_f64())]
    Silent {
        /// For how long.
        after: Duration,
    },
    /// The server shuts down.
    #[error("the server shuts down")]
    Shutdown,
    /// The server closed the connection, or it broke.
    #[error("the connection ended {}while {phase}{}", cut(*.mid_packet), said(.last_message.as_deref()))]
    Ended {
        /// Where it stood.
        phase: Phase,
        /// Whether it ended in the middle of a packet or chunk.
        mid_packet: bool,
        /// What the server said right before.
        last_message: Option<String>,
    },
    /// The server's stream cannot be taken apart.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A packet of the server cannot be read.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// A packet of the server that has no place where the connection stands.
    #[error("{packet} while {phase}")]
    Unexpected {
        /// Its name.
        packet: &'static str,
        /// Where it stood.
        phase: Phase,
    },
    /// The server's chunks inflate to too much.
    #[error("chunks that inflate to more than {limit} bytes in a second")]
    Inflated {
        /// How much was allowed.
        limit: u64,
    },
    /// A packet of the application is longer than a server takes; what the server knows and what
    /// the client believes it to know would differ from then on.
    #[error("cannot send {0}")]
    Unsendable(#[from] WriteError),
    /// Too many bytes wait to be sent.
    #[error("more than {limit} bytes wait to be sent")]
    SendQueue {
        /// How many were allowed.
        limit: usize,
    },
    /// Too many events wait for the application.
    #[error("more than {limit} events wait to be taken")]
    EventQueue {
        /// How many were allowed.
        limit: usize,
    },
}

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The join request is on its way.
    Joining,
    /// The server waits for a password.
    Authenticating,
    /// The server has let the client in.
    Playing,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Joining => "joining",
            Self::Authenticating => "waiting for a password",
            Self::Playing => "playing",
        })
    }
}

fn words(lack: &Option<MissingCapability>, message: &str) -> String {
    match lack {
        Some(lack) => lack.to_string(),
        None if message.is_empty() => "it does not say why".to_owned(),
        None => message.to_owned(),
    }
}

const fn cut(is_cut: bool) -> &'static str {
    if is_cut { "in the middle of a packet " } else { "" }
}

fn said(last_words: Option<&str>) -> String {
    last_words.map_or_else(String::new, |words| format!("; the server's last words: {words}"))
}
