use core::time::Duration;
use std::io;
use std::net::{IpAddr, SocketAddr};

use gamewire_net::DriverConfig;
use gamewire_teeworlds::Offer;
use gamewire_teeworlds::client::{ClientConfig, MapPolicy};

use super::PlayError;
use crate::system::at_least_one;

/// The default port of servers.
const DEFAULT_PORT: u16 = 8303;

/// Options of a [`Player`](super::Player).
#[derive(Debug)]
pub struct PlayerOptions {
    /// Name; the games accept 15 bytes.
    pub name: String,
    /// Clan; the games accept 11 bytes.
    pub clan: String,
    /// Password of the server.
    pub password: String,
    /// Name of the skin; `None` for the default of the dialect.
    pub skin: Option<String>,
    /// Policy for the server's map. With [`MapPolicy::Ask`] use `connect_with`, because joining waits for the map.
    pub maps: MapPolicy,
    /// Folder of maps. If it is set, the player loads each map from there, or downloads it and stores it there, so that
    /// predictions use it. `maps` is then ignored. Default: none.
    #[cfg(feature = "map")]
    pub map_cache: Option<crate::maps::MapCache>,
    /// The rules of the game on the map. With `None`, Teeworlds 0.7.5 in dialect 0.7, DDNet 20.1 with DDNet's tokens,
    /// and Teeworlds 0.6.5 otherwise.
    #[cfg(feature = "map")]
    pub rules: Option<gamewire_tee::rules::Rules>,
    /// The dialects to offer. With `None`, the client first queries the server's information: it offers
    /// [`Offer::Any06`] to a server that replies in 0.6, and 0.7 to any other one.
    pub offer: Option<Offer>,
    /// Reconnect after 2 s when the server requests it or the connection is lost. Default: off.
    pub reconnects: bool,
    /// Target for the time from the arrival of an input to its tick; up to 500 ms. The games use 10 ms.
    pub input_margin: Duration,
    /// Configuration of the driver: a tap, buffer sizes, link conditions.
    pub driver: DriverConfig,
}

impl PlayerOptions {
    /// Creates the options of a player with this name; the games accept 15 bytes.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            clan: String::new(),
            password: String::new(),
            skin: None,
            maps: MapPolicy::Assume,
            #[cfg(feature = "map")]
            map_cache: None,
            #[cfg(feature = "map")]
            rules: None,
            offer: None,
            reconnects: false,
            input_margin: Duration::from_millis(10),
            driver: DriverConfig::default(),
        }
    }

    /// Sets the folder of maps. With [`MapCache::of_user`](crate::maps::MapCache::of_user), all programs share it.
    #[cfg(feature = "map")]
    #[must_use]
    pub fn with_map_cache(self, cache: crate::maps::MapCache) -> Self {
        Self { map_cache: Some(cache), ..self }
    }

    /// Returns the policy for the server's map.
    const fn map_policy(&self) -> MapPolicy {
        #[cfg(feature = "map")]
        if self.map_cache.is_some() {
            return MapPolicy::Ask;
        }
        self.maps
    }

    pub(super) fn config(&self, offer: Offer) -> ClientConfig {
        let mut config = ClientConfig::new(offer, &self.name, crate::seed());
        config.clan.clone_from(&self.clan);
        config.password.clone_from(&self.password);
        config.maps = self.map_policy();
        config.input_margin = self.input_margin;
        if let Some(skin) = &self.skin {
            config.skin.clone_from(skin);
        }
        config
    }
}

/// Splits `host`, `host:port`, an IPv6 address, or `[address]:port`.
pub(super) fn host_and_port(server: &str) -> Result<(&str, u16), PlayError> {
    let failed = || PlayError::Resolve {
        server: server.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidInput, "invalid port: use a number from 1 to 65535"),
    };
    if server.parse::<IpAddr>().is_ok() {
        return Ok((server, DEFAULT_PORT));
    }
    if let Ok(address) = server.parse::<SocketAddr>() {
        let host = server.rsplit_once(':').map_or(server, |(host, _)| host);
        return Ok((host.trim_start_matches('[').trim_end_matches(']'), address.port()));
    }
    match server.rsplit_once(':') {
        Some((host, port)) => match port.parse() {
            Ok(port) if port > 0 => Ok((host, port)),
            _ => Err(failed()),
        },
        None => Ok((server, DEFAULT_PORT)),
    }
}

/// Returns the addresses of a server, or the error of the resolver.
pub(super) fn addresses(
    server: &str,
    resolved: io::Result<impl Iterator<Item = SocketAddr>>,
) -> Result<Vec<SocketAddr>, PlayError> {
    resolved.and_then(at_least_one).map_err(|source| PlayError::Resolve { server: server.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_may_leave_out_its_port() {
        for (server, expected) in [
            ("example.org", ("example.org", 8303)),
            ("example.org:8304", ("example.org", 8304)),
            ("192.0.2.1", ("192.0.2.1", 8303)),
            ("192.0.2.1:1", ("192.0.2.1", 1)),
            ("2001:db8::1", ("2001:db8::1", 8303)),
            ("[2001:db8::1]:8305", ("2001:db8::1", 8305)),
        ] {
            assert_eq!(host_and_port(server).unwrap(), expected, "{server}");
        }
        for server in ["example.org:", "example.org:0", "example.org:http", "example.org:65536"] {
            assert!(matches!(host_and_port(server), Err(PlayError::Resolve { .. })), "{server}");
        }
    }
}
