//! `--nats`: a proxy as a part of a fleet. It publishes its conversations and figures, and its page shows those of others.
//! Game packets never wait for NATS.

mod member;
mod observer;
mod options;
mod publisher;
mod records;
mod state;
mod subject;

pub(crate) use member::Fleet;
pub(crate) use options::NatsOptions;
pub(crate) use state::Identity;
