use crate::RecordError;

/// Counters of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerStats {
    /// Sessions opened: the client has sent its first record.
    pub opened: u64,
    /// Sessions that moved to another address of their client.
    pub moved: u64,
    /// Challenges sent to new addresses.
    pub challenges: u64,
    /// Sessions closed because their token had too many.
    pub superseded: u64,
    /// Initiations with a wrong key.
    pub wrong_key: u64,
    /// Initiations with a wrong or expired cookie.
    pub wrong_cookie: u64,
    /// Initiations refused because of a limit.
    pub full: u64,
    /// Forged records.
    pub forged: u64,
    /// Replayed records.
    pub replayed: u64,
    /// Records with an unknown connection id.
    pub unknown_session: u64,
    /// Other invalid datagrams.
    pub malformed: u64,
}

impl ServerStats {
    pub(crate) const fn count(&mut self, error: RecordError) {
        let counter = match error {
            RecordError::WrongKey => &mut self.wrong_key,
            RecordError::WrongCookie => &mut self.wrong_cookie,
            RecordError::Full => &mut self.full,
            RecordError::Forged => &mut self.forged,
            RecordError::Replayed => &mut self.replayed,
            RecordError::UnknownSession => &mut self.unknown_session,
            RecordError::NotARecord
            | RecordError::Malformed
            | RecordError::OutOfTurn
            | RecordError::UnsupportedVersion(_)
            | RecordError::UnknownAddress => &mut self.malformed,
        };
        *counter = counter.saturating_add(1);
    }
}
