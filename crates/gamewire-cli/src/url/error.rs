use std::fmt;

use gamewire_inspect::render::Escaped;

/// Why a text is no such URL.
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
                write!(f, "a URL begins with its scheme: write teeworlds://{}", safe(text))
            }
            Self::UnknownScheme { scheme, known } => {
                write!(f, "there is no scheme {}: use one of {}", safe(scheme), known.join(", "))
            }
            Self::NoHost { scheme } => write!(f, "the URL names no host: write {scheme}://HOST"),
            Self::Host { host } => {
                write!(f, "{} is neither a host name nor an IP address", safe(host))
            }
            Self::Brackets { host } => {
                write!(
                    f,
                    "an IPv6 address stands in brackets, [::1] or [::1]:8303, and not as {}",
                    safe(host)
                )
            }
            Self::Port { port } => write!(f, "a port is a number from 1 to 65535, and not {}", safe(port)),
            Self::WrongProtocol { url } => {
                write!(f, "{url} is not of Teeworlds, and only its servers can be asked: join it instead")
            }
            Self::Rest { rest } => write!(f, "nothing may follow host and port: leave out {}", safe(rest)),
        }
    }
}

impl std::error::Error for UrlError {}
