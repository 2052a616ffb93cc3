//! The compared contenders: each is a server and its clients in this process.

/// A server and clients that send each other reliable messages of [`BYTES`] bytes.
pub(crate) trait Contender {
    /// Runs one frame of a game, in which every peer receives and sends. The server sends `messages` new messages to
    /// each client, and each client sends `messages` to the server.
    fn frame(&mut self, messages: usize);

    /// Returns the counts of sent and received messages.
    fn counting(&self) -> &Tally;
}

/// Bytes of a message, without the protocol's headers.
pub(crate) const BYTES: usize = 64;

/// One message.
pub(crate) type Message = [u8; BYTES];

/// Counts messages, and checks that each message arrives once and complete.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    sent: u64,
    arrived: u64,
    sum_sent: u64,
    sum_arrived: u64,
}

impl Tally {
    /// Returns the next message, which differs from all others, so that no library can send the same bytes again.
    pub(crate) fn compose(&mut self) -> Message {
        self.sent += 1;
        self.sum_sent = self.sum_sent.wrapping_add(self.sent);
        let mut message = [0x5a; BYTES];
        message[..8].copy_from_slice(&self.sent.to_le_bytes());
        message
    }

    /// Counts a received message. Not inlined, so that all contenders run the same code.
    #[inline(never)]
    pub(crate) fn take(&mut self, message: &[u8]) {
        let message: &Message = message.try_into().expect("a whole message");
        let number = u64::from_le_bytes(message[..8].try_into().expect("8 of 64 bytes"));
        assert_eq!(message[BYTES - 1], 0x5a, "the end of a message");
        self.arrived += 1;
        self.sum_arrived = self.sum_arrived.wrapping_add(number);
    }

    /// Returns the number of messages received.
    pub(crate) const fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Returns whether no message is in flight.
    pub(crate) const fn is_settled(&self) -> bool {
        self.sent == self.arrived
    }

    /// Fails unless every message arrived once.
    pub(crate) fn check(&self, name: &str) {
        assert_eq!((self.sent, self.sum_sent), (self.arrived, self.sum_arrived), "what {name} delivered");
    }
}
