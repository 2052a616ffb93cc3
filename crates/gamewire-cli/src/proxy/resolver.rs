//! The server's name is resolved again while the proxy runs, because its address may change.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use gamewire_proxy::relay::Control;

use crate::output::{Output, Value, event};
use crate::url::HostPort;

const INTERVAL: Duration = Duration::from_secs(10);

/// Starts a thread that resolves a name every few seconds, as long as the proxy runs. If `server` is not one of its
/// addresses any more, new clients get another one. An error leaves the address as it is.
pub(super) fn start(name: HostPort, mut server: SocketAddr, control: Control, output: Output) {
    if !name.is_name() {
        return;
    }
    thread::spawn(move || {
        loop {
            thread::sleep(INTERVAL);
            let Ok(addresses) = name.resolve() else { continue };
            let Some(other) = other_address(server, &addresses) else { continue };
            let to = Value::Escaped(other.to_string());
            if control.set_server(other).is_err() || output.emit(&event!("server_changed", to: to)).is_err() {
                return;
            }
            server = other;
        }
    });
}

/// Returns the address to use if `server` is not one of the addresses: if possible, one of its family.
fn other_address(server: SocketAddr, addresses: &[SocketAddr]) -> Option<SocketAddr> {
    if addresses.contains(&server) {
        return None;
    }
    let same_family = addresses.iter().find(|address| address.is_ipv4() == server.is_ipv4());
    same_family.or_else(|| addresses.first()).copied()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_replaced_only_if_the_name_has_lost_it() {
        let [old, new, six] = ["192.0.2.1:1", "192.0.2.2:1", "[::1]:1"].map(|text| text.parse().unwrap());
        assert_eq!(other_address(old, &[new, old]), None);
        assert_eq!(other_address(old, &[]), None);
        assert_eq!(other_address(old, &[six, new]), Some(new));
        assert_eq!(other_address(old, &[six]), Some(six));
    }
}
