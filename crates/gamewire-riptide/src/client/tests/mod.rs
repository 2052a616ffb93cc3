mod closing;
mod handshake;
mod hostile;
mod messages;
mod rejoin;
mod session;
mod streams;
mod support;
