use std::fmt;
use std::str::FromStr;

use super::freeciv::{self, FreecivUrl};
use super::host_port::UrlError;
use super::riptide::{self, RiptideUrl};
use super::teeworlds::{self, TeeworldsUrl};

/// A server URL of any protocol, such as `tw-0.7+udp://host:8303`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Url {
    Teeworlds(TeeworldsUrl),
    Riptide(RiptideUrl),
    Freeciv(FreecivUrl),
}

/// Every scheme.
fn schemes() -> Vec<&'static str> {
    let riptide = riptide::SCHEMES.iter().map(|(scheme, ..)| *scheme);
    teeworlds::schemes().chain(riptide).chain(freeciv::SCHEMES).collect()
}

impl FromStr for Url {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        let Some((given, rest)) = text.split_once("://") else {
            return Err(UrlError::NoScheme { text: text.into() });
        };
        let of_teeworlds = teeworlds::SCHEMES.iter().find(|(scheme, _)| scheme.eq_ignore_ascii_case(given));
        if let Some((scheme, dialect)) = of_teeworlds {
            return TeeworldsUrl::parse(scheme, *dialect, rest).map(Self::Teeworlds);
        }
        let of_riptide = riptide::SCHEMES.iter().find(|(scheme, ..)| scheme.eq_ignore_ascii_case(given));
        if let Some(scheme) = of_riptide {
            return RiptideUrl::parse(*scheme, rest).map(Self::Riptide);
        }
        let of_freeciv = freeciv::SCHEMES.iter().find(|scheme| scheme.eq_ignore_ascii_case(given));
        match of_freeciv {
            Some(scheme) => FreecivUrl::parse(scheme, rest).map(Self::Freeciv),
            None => Err(UrlError::UnknownScheme { scheme: given.into(), known: schemes() }),
        }
    }
}

impl FromStr for TeeworldsUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        match text.parse() {
            Ok(Url::Teeworlds(url)) => Ok(url),
            Ok(other @ (Url::Riptide(_) | Url::Freeciv(_))) => {
                Err(UrlError::WrongProtocol { url: other.to_string() })
            }
            Err(UrlError::UnknownScheme { scheme, .. }) => {
                Err(UrlError::UnknownScheme { scheme, known: teeworlds::schemes().collect() })
            }
            Err(other) => Err(other),
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Teeworlds(url) => url.fmt(f),
            Self::Riptide(url) => url.fmt(f),
            Self::Freeciv(url) => url.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamewire_riptide::Format;
    use gamewire_teeworlds::Dialect;

    use super::*;
    use crate::url::UrlTransport;

    fn parsed(text: &str) -> (Option<Dialect>, String) {
        match text.parse().unwrap() {
            Url::Teeworlds(url) => (url.dialect, url.to_string()),
            other => panic!("{other} is none of Teeworlds"),
        }
    }

    fn refused(text: &str) -> String {
        text.parse::<Url>().unwrap_err().to_string()
    }

    #[test]
    fn every_scheme_names_its_dialect() {
        for (text, dialect) in [
            ("tw-0.6+udp://h:1", Some(Dialect::Tken)),
            ("tw-0.6.4+udp://h:1", Some(Dialect::V06)),
            ("tw-0.6.5+udp://h:1", Some(Dialect::V065)),
            ("tw-0.7+udp://h:1", Some(Dialect::V07)),
            ("teeworlds://h:1", None),
        ] {
            assert_eq!(parsed(text), (dialect, text.into()));
        }
        assert_eq!(parsed("TW-0.7+UDP://h:1").0, Some(Dialect::V07));
    }

    #[test]
    fn riptide_has_two_formats_and_two_transports() {
        for (text, format, transport, whole) in [
            ("riptide://h", Format::V21, UrlTransport::Udp, "riptide-2.1+udp://h:7777"),
            ("riptide-2.1+udp://h", Format::V21, UrlTransport::Udp, "riptide-2.1+udp://h:7777"),
            ("riptide-2.1+tcp://h:1", Format::V21, UrlTransport::Tcp, "riptide-2.1+tcp://h:1"),
            ("riptide-2.0+udp://[::1]", Format::V20, UrlTransport::Udp, "riptide-2.0+udp://[::1]:7777"),
            ("riptide-2.0+tcp://h", Format::V20, UrlTransport::Tcp, "riptide-2.0+tcp://h:7777"),
        ] {
            let Url::Riptide(url) = text.parse().unwrap() else { panic!("{text} is none of Riptide") };
            assert_eq!((url.format, url.transport, url.to_string().as_str()), (format, transport, whole));
        }
    }

    #[test]
    fn freeciv_has_one_version_and_a_port_of_its_own() {
        for (text, whole) in [
            ("freeciv://h", "freeciv://h:5556"),
            ("freeciv-3.0+tcp://h:5557/", "freeciv-3.0+tcp://h:5557"),
            ("FREECIV://[::1]", "freeciv://[::1]:5556"),
        ] {
            let Url::Freeciv(url) = text.parse().unwrap() else { panic!("{text} is none of Freeciv") };
            assert_eq!(url.to_string(), whole);
        }
    }

    #[test]
    fn the_port_may_be_left_out_and_a_slash_may_end_it() {
        for text in ["teeworlds://example.org", "teeworlds://example.org/", "teeworlds://example.org:8303/"] {
            assert_eq!(parsed(text).1, "teeworlds://example.org:8303");
        }
    }

    #[test]
    fn addresses_of_both_families_need_no_resolver() {
        for (text, address) in [
            ("tw-0.7+udp://192.0.2.1", "192.0.2.1:8303"),
            ("tw-0.7+udp://[2001:db8::1]", "[2001:db8::1]:8303"),
            ("tw-0.7+udp://[::1]:9000", "[::1]:9000"),
        ] {
            let url: TeeworldsUrl = text.parse().unwrap();
            assert_eq!(url.place.resolve().unwrap(), [address.parse().unwrap()]);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        for (text, error) in [
            ("localhost:8303", "missing scheme: write teeworlds://localhost:8303"),
            (
                "tw-0.8+udp://h",
                "unknown scheme tw-0.8+udp: use one of teeworlds, tw-0.6+udp, tw-0.6.4+udp, tw-0.6.5+udp, tw-0.7+udp, \
                 riptide-2.1+udp, riptide-2.1+tcp, riptide-2.0+udp, riptide-2.0+tcp, riptide, \
                 freeciv, freeciv-3.0+tcp",
            ),
            ("teeworlds://", "missing host: write teeworlds://HOST"),
            ("tw-0.7+udp://:8303", "missing host: write tw-0.7+udp://HOST"),
            ("teeworlds://h:0", "invalid port 0: use a number from 1 to 65535"),
            ("teeworlds://h:65536", "invalid port 65536: use a number from 1 to 65535"),
            ("teeworlds://h:+1", "invalid port +1: use a number from 1 to 65535"),
            ("teeworlds://h:", "invalid port : use a number from 1 to 65535"),
            ("teeworlds://::1", "invalid IPv6 address ::1: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[::1", "invalid IPv6 address [::1: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[h]", "invalid IPv6 address [h]: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://[::1]8303", "invalid IPv6 address [::1]8303: use brackets, [::1] or [::1]:8303"),
            ("teeworlds://h/path", "unexpected /path after host and port; remove it"),
            ("teeworlds://me@h", "invalid host me@h: use a host name or an IP address"),
            ("teeworlds://192.0.2.256", "invalid host 192.0.2.256: use a host name or an IP address"),
            ("teeworlds://a\x1bb", r"invalid host a\x1bb: use a host name or an IP address"),
        ] {
            assert_eq!(refused(text), error, "{text}");
        }
    }
}
