use std::fmt;

use gamewire_inspect::render::Escaped;

/// The reason why a text is not a server URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UrlError {
    NoScheme { text: String },
    UnknownScheme { scheme: String, known: Vec<&'static str> },
    NoHost { scheme: &'static str },
    Host { host: String },
    Brackets { host: String },
    Port { port: String },
    Rest { rest: String },
    WrongProtocol { url: String },
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let safe = |text: &String| Escaped(text.as_bytes()).to_string();
        match self {
            Self::NoScheme { text } => {
                write!(f, "missing scheme: write teeworlds://{}", safe(text))
            }
            Self::UnknownScheme { scheme, known } => {
                write!(f, "unknown scheme {}: use one of {}", safe(scheme), known.join(", "))
            }
            Self::NoHost { scheme } => write!(f, "missing host: write {scheme}://HOST"),
            Self::Host { host } => {
                write!(f, "invalid host {}: use a host name or an IP address", safe(host))
            }
            Self::Brackets { host } => {
                write!(f, "invalid IPv6 address {}: use brackets, [::1] or [::1]:8303", safe(host))
            }
            Self::Port { port } => write!(f, "invalid port {}: use a number from 1 to 65535", safe(port)),
            Self::WrongProtocol { url } => {
                write!(
                    f,
                    "unsupported protocol: only Teeworlds servers can be queried; use gamewire join {url}"
                )
            }
            Self::Rest { rest } => write!(f, "unexpected {} after host and port; remove it", safe(rest)),
        }
    }
}

impl std::error::Error for UrlError {}
