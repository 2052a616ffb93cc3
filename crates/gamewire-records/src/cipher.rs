//! The records of one session, of either role.

use gamewire_machine::Role;

use crate::control::Control;
use crate::crypto::{Aead, TAG_BYTES};
use crate::noise::SessionKeys;
use crate::window::ReplayWindow;
use crate::wire::{HEADER_BYTES, Header, MAX_COUNTER, MAX_PACKET_BYTES, Packet};
use crate::{RecordError, SealError};

/// Number of forged records after which a session is closed (RFC 9001, section 6.6).
const MAX_FORGED: u64 = 1 << 36;

/// The keys and counters of a session.
pub(crate) struct Cipher {
    id: u32,
    seal: Aead,
    open: Aead,
    /// Counter of the next record to send.
    pub(crate) next: u64,
    window: ReplayWindow,
    forged: u64,
}

impl Cipher {
    pub(crate) fn new(id: u32, keys: &SessionKeys, role: Role) -> Self {
        let (seal, open) = match role {
            Role::Client => (&keys.client, &keys.server),
            Role::Server => (&keys.server, &keys.client),
        };
        let (seal, open) = (Aead::new(seal), Aead::new(open));
        Self { id, seal, open, next: 0, window: ReplayWindow::default(), forged: 0 }
    }

    /// Returns the connection id.
    pub(crate) const fn id(&self) -> u32 {
        self.id
    }

    /// Returns whether the session can be used no longer, because its counters are used up or because too many records
    /// were forged.
    pub(crate) const fn is_exhausted(&self) -> bool {
        self.next > MAX_COUNTER || self.forged >= MAX_FORGED
    }

    /// Replaces the content of `buffer` with a record that contains `packet`.
    pub(crate) fn seal(&mut self, packet: &[u8], buffer: &mut Vec<u8>) -> Result<(), SealError> {
        if packet.len() > MAX_PACKET_BYTES {
            return Err(SealError::TooLong);
        }
        self.seal_with(false, buffer, |buffer| buffer.extend_from_slice(packet))
    }

    /// Replaces the content of `buffer` with a control record.
    pub(crate) fn seal_control(&mut self, control: Control, buffer: &mut Vec<u8>) -> Result<(), SealError> {
        self.seal_with(true, buffer, |buffer| control.append(buffer))
    }

    fn seal_with(
        &mut self,
        is_control: bool,
        buffer: &mut Vec<u8>,
        append: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), SealError> {
        if self.is_exhausted() {
            return Err(SealError::Exhausted);
        }
        let header = Header { is_control, session: self.id, counter: self.next };
        Packet::Record(header).write(buffer);
        append(buffer);
        let (header, text) = buffer.split_at_mut_checked(HEADER_BYTES).ok_or(SealError::TooLong)?;
        let tag = self.seal.seal(self.next, header, text).ok_or(SealError::TooLong)?;
        buffer.extend_from_slice(&tag);
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    /// Decrypts a record to `text`. Returns whether its counter is higher than all before.
    ///
    /// # Errors
    /// [`RecordError::Replayed`] or [`RecordError::Forged`]. The session is unchanged, except for its count of forged
    /// records.
    pub(crate) fn open(
        &mut self,
        header: Header,
        record: &[u8],
        text: &mut Vec<u8>,
    ) -> Result<bool, RecordError> {
        if !self.window.is_new(header.counter) {
            return Err(RecordError::Replayed);
        }
        let (associated, rest) = record.split_at_checked(HEADER_BYTES).ok_or(RecordError::Malformed)?;
        let (encrypted, tag) = rest.split_last_chunk::<TAG_BYTES>().ok_or(RecordError::Malformed)?;
        text.clear();
        text.extend_from_slice(encrypted);
        if !self.open.open(header.counter, associated, text, tag) {
            self.forged = self.forged.saturating_add(1);
            return Err(RecordError::Forged);
        }
        let is_highest = self.window.is_highest(header.counter);
        self.window.mark(header.counter);
        Ok(is_highest)
    }
}
