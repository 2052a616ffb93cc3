use core::time::Duration;

use gamewire_machine::limited_network;

use super::Event;
use super::ServerState;
use crate::Dialect;
use crate::link::{CloseReason, Link, Outbox};

const FULL: &str = "This server is full";
/// Reason for an address that may be forged. Clients of DDNet try again if it contains this word.
const UNPROVEN_FULL: &str = "full";
/// Time after which a client with a possibly forged address gives way to a new one.
const DISPLACED_AFTER: Duration = Duration::from_secs(1);

impl ServerState {
    /// Puts a connection into a slot, and returns the slot. Returns `None` if a limit is reached, and closes the
    /// connection with a reason. If its address may be forged (`is_proven` is false), the server sends at most a short
    /// reason.
    pub(super) fn accept(&mut self, mut link: Link, is_proven: bool) -> Option<usize> {
        let address = link.peer();
        if let Some(slot) = self.peers.slot(address) {
            // The same client has restarted and verified its address again.
            self.remove(slot, CloseReason::PeerClosed { reason: "reconnected".into() });
        }
        let max = self.config.max_clients_per_address;
        let network = limited_network(address.ip());
        let same = self.peers.addresses().filter(|known| limited_network(known.ip()) == network).count();
        let is_limited = !self.join_limiter.try_acquire(self.peers.clock.now(), address);
        let refusal = if is_limited {
            Some("Too many connections in a short time".to_owned())
        } else if self.events.is_full() {
            // The application does not poll. Essential events must not accumulate.
            Some(FULL.to_owned())
        } else if same >= usize::from(max) {
            Some(format!("Only {max} players with the same IP are allowed"))
        } else if self.peers.free_slot(link.dialect()).is_none() && !self.displace() {
            Some(FULL.to_owned())
        } else {
            None
        };
        if let Some(reason) = refusal {
            if !is_proven {
                // Drop the CONNECTACCEPT.
                link.transmits = Outbox::new();
                if is_limited {
                    return None;
                }
            }
            let reason = if is_proven { &reason } else { UNPROVEN_FULL };
            link.close_with(Some(reason.as_bytes()));
            self.peers.send_rest_of(&mut link);
            return None;
        }
        let dialect = link.dialect();
        let slot = self.peers.insert(link)?;
        let id = self.peers.get(slot)?.id;
        self.events.push(Event::Connected { id, address, dialect });
        Some(slot)
    }
}

impl ServerState {
    /// Removes a client with an unproven address: it connected without a token at least [`DISPLACED_AFTER`] ago and has
    /// not sent a message since. Returns whether there was one.
    fn displace(&mut self) -> bool {
        let now = self.peers.clock.now();
        let silent = self.peers.iter().find(|peer| {
            peer.link.dialect() == Dialect::V06
                && peer.link.unconfirmed_since().is_some_and(|since| now >= since + DISPLACED_AFTER)
        });
        let slot = silent.map(|peer| usize::from(peer.id.0));
        if let Some(slot) = slot {
            self.remove(slot, CloseReason::Timeout);
        }
        slot.is_some()
    }
}
