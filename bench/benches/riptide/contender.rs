//! What is compared: a server and its clients, all in this process.

/// A server and its clients that send each other reliable messages of [`BYTES`] bytes.
pub(crate) trait Contender {
    /// One frame of a game: everybody takes what has come and sends what there is to be sent. The
    /// server sends so many new messages to each client, and each client so many to the server.
    fn frame(&mut self, messages: usize);

    /// What was sent and what has arrived.
    fn tally(&self) -> &Tally;
}

/// How long a message is, without what the protocol puts before it.
pub(crate) const BYTES: usize = 64;

/// One message.
pub(crate) type Message = [u8; BYTES];

/// Counts messages and knows them again: each arrives once and whole.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    sent: u64,
    arrived: u64,
    sum_sent: u64,
    sum_arrived: u64,
}

impl Tally {
    /// The next message: unlike any other, so that nobody can send the same bytes again.
    pub(crate) fn compose(&mut self) -> Message {
        self.sent += 1;
        self.sum_sent = self.sum_sent.wrapping_add(self.sent);
        let mut message = [0x5a; BYTES];
        message[..8].copy_from_slice(&self.sent.to_le_bytes());
        message
    }

    /// A message has arrived. It is the same code for all: not inlined into how one of them delivers.
    #[inline(never)]
    pub(crate) fn take(&mut self, message: &[u8]) {
        let message: &Message = message.try_into().expect("a whole message");
        let number = u64::from_le_bytes(message[..8].try_into().expect("8 of 64 bytes"));
        assert_eq!(message[BYTES - 1], 0x5a, "the end of a message");
        self.arrived += 1;
        self.sum_arrived = self.sum_arrived.wrapping_add(number);
    }

    /// How many have arrived so far.
    pub(crate) const fn arrived(&self) -> u64 {
        self.arrived
    }

    /// Whether nothing is under way.
    pub(crate) const fn is_settled(&self) -> bool {
        self.sent == self.arrived
    }

    /// Fails unless all that was sent has arrived, once.
    pub(crate) fn check(&self, name: &str) {
        assert_eq!((self.sent, self.sum_sent), (self.arrived, self.sum_arrived), "what {name} delivered");
    }
}
