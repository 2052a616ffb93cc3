use gamewire_riptide::ClientId;
use gamewire_riptide::message::IntoOutcome;

/// What a server's `on` takes: every function of the server, whom a message comes from, and the
/// message, that returns nothing or a `Result`.
///
/// A trait of its own, so that `server.on::<PlayerMove>(...)` names nothing but the message.
pub trait ServerHandler<S, T>: FnMut(&mut S, ClientId, T) -> <Self as ServerHandler<S, T>>::Answer {
    /// What it returns.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, ClientId, T) -> A> ServerHandler<S, T> for H {
    type Answer = A;
}

/// What a client's `on` takes: every function of the client and a message, that returns nothing or
/// a `Result`.
pub trait ClientHandler<S, T>: FnMut(&mut S, T) -> <Self as ClientHandler<S, T>>::Answer {
    /// What it returns.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, T) -> A> ClientHandler<S, T> for H {
    type Answer = A;
}
