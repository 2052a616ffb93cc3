mod attacks;
mod golden;
mod handshake;
mod moving;
mod network;
mod records;
mod snow;
mod support;
