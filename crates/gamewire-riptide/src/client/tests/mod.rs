mod closing;
mod handshake;
mod hostile;
mod messages;
mod streams;
mod support;
