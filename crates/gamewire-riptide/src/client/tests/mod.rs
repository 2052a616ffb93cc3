mod closing;
mod handshake;
mod hostile;
mod messages;
mod rejoin;
mod streams;
mod support;
