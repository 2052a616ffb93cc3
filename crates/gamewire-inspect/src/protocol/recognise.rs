use gamewire_machine::Follow;

/// What carries a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Datagrams.
    Udp,
}

/// A follower that can tell its own protocol from others.
pub trait Recognise: Follow + Sized {
    /// A follower for the conversation that `data` belongs to, or `None` if that is no protocol it
    /// knows. Called with single datagrams of conversations that nobody has recognised so far.
    fn recognise(transport: Transport, data: &[u8]) -> Option<Self>;

    /// The protocol's name, the first word of its field names.
    fn protocol(&self) -> &'static str;

    /// Tells what the follower has counted in its protocol's own words.
    fn counters(&self, tell: &mut dyn FnMut(&'static str, u64));

    /// The memory it holds, in bytes; may err on the high side.
    fn held_bytes(&self) -> usize;
}
