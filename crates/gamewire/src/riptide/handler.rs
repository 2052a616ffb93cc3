use gamewire_riptide::ClientId;
use gamewire_riptide::message::IntoOutcome;

/// A handler of a server: a function of the server, the sender and the message that returns nothing or a `Result`.
///
/// It is a trait of its own, so that `server.on::<PlayerMove>(...)` names only the message.
pub trait ServerHandler<S, T>: FnMut(&mut S, ClientId, T) -> <Self as ServerHandler<S, T>>::Answer {
    /// The handler's return type.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, ClientId, T) -> A> ServerHandler<S, T> for H {
    type Answer = A;
}

/// A handler of a client: a function of the client and the message that returns nothing or a `Result`.
pub trait ClientHandler<S, T>: FnMut(&mut S, T) -> <Self as ClientHandler<S, T>>::Answer {
    /// The handler's return type.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, T) -> A> ClientHandler<S, T> for H {
    type Answer = A;
}
