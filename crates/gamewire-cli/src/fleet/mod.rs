//! `--nats`: a proxy as a part of a fleet. The proxy publishes its conversations and figures, and its page shows the
//! conversations and figures of the other proxies. Game packets never wait for NATS.

#[cfg_attr(not(feature = "fleet"), path = "member_stub.rs")]
mod member;
#[cfg(feature = "fleet")]
mod observer;
mod options;
#[cfg(feature = "fleet")]
mod publisher;
#[cfg(feature = "fleet")]
mod records;
#[cfg(feature = "fleet")]
mod refusals;
#[cfg(feature = "fleet")]
mod state;
#[cfg(feature = "fleet")]
mod subject;

pub(crate) use member::Fleet;
pub(crate) use options::NatsOptions;
