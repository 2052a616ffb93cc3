//! Help texts for URLs.

/// Help for Teeworlds URLs.
pub(crate) const TEEWORLDS_HELP: &str = concat!("URLs:\n", teeworlds!(), "\n", host!("Default: 8303."));

/// Help for URLs of servers that can be queried.
pub(crate) const INFO_HELP: &str = concat!(
    "URLs:\n",
    teeworlds!(),
    "\n",
    freeciv!(),
    "\n",
    host!("Default: 8303 for Teeworlds, 5556 for Freeciv.")
);

/// Help for Riptide URLs.
pub(crate) const RIPTIDE_HELP: &str = concat!("URLs:\n", riptide!(), "\n", host!("Default: 7777."));

/// Help for Freeciv URLs.
pub(crate) const FREECIV_HELP: &str = concat!("URLs:\n", freeciv!(), "\n", host!("Default: 5556."));

/// Help for URLs of every protocol.
pub(crate) const JOIN_HELP: &str = concat!(
    "URLs:\n",
    teeworlds!(),
    "\n",
    riptide!(),
    "\n",
    freeciv!(),
    "\n",
    host!("Default: 8303 for Teeworlds, 7777 for Riptide, 5556 for Freeciv.")
);

macro_rules! teeworlds {
    () => {
        "  teeworlds://HOST         any dialect: detected by a query
  tw-0.7+udp://HOST        0.7
  tw-0.6+udp://HOST        0.6, with the tokens of the server: DDNet's, those of 0.6.5, or none
  tw-0.6-tken+udp://HOST   only 0.6 with DDNet's tokens
  tw-0.6.5+udp://HOST      only 0.6 with the tokens of 0.6.5
  tw-0.6.4+udp://HOST      only 0.6 without tokens"
    };
}

macro_rules! riptide {
    () => {
        "  riptide://HOST           Riptide 2.1 and later over UDP, as riptide-2.1+udp://HOST
  riptide-2.1+udps://HOST  over encrypted UDP, with --key
  riptide-2.1+tcp://HOST   over TCP; riptide-2.1+ws://HOST over WebSocket, port 7778
  riptide-2.1+wss://HOST   over WebSocket and TLS, port 7779
  riptide-2.0+udp://HOST   Riptide 2.0 over UDP; riptide-2.0+tcp://HOST over TCP"
    };
}

macro_rules! freeciv {
    () => {
        "  freeciv://HOST           Freeciv 3.0, 3.1 or 3.2, the server's version; others with --definition
  freeciv-3.1+tcp://HOST   only Freeciv 3.1; likewise freeciv-3.0 and freeciv-3.2"
    };
}

macro_rules! host {
    ($port:literal) => {
        concat!("  HOST is a name, 192.0.2.1 or [2001:db8::1]; a port may follow, as in HOST:8304. ", $port)
    };
}

use {freeciv, host, riptide, teeworlds};
