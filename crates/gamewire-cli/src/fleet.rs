//! `--nats`: a proxy as a part of a fleet. The proxy publishes its conversations and figures, and its page shows the
//! conversations and figures of the other proxies. Game packets never wait for NATS.

#[cfg_attr(not(feature = "fleet"), path = "fleet/member_stub.rs")]
mod member;
#[cfg(feature = "fleet")]
mod observer;
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

use clap::Args;

pub(crate) use self::member::Fleet;

/// The options of a fleet.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options for a fleet")]
pub(crate) struct NatsOptions {
    /// Publish conversations and figures to this NATS server, such as nats://127.0.0.1:4222; the page shows them for all
    /// proxies that publish there (feature fleet)
    #[arg(long, value_name = "URL")]
    pub(crate) nats: Option<String>,
    /// Name of this proxy in the fleet [default: its listen address and process id] (feature fleet)
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub(crate) nats_name: Option<String>,
    /// Publish the packets that match FILTER, too, as JSON (feature fleet)
    #[arg(long, value_name = "FILTER", requires = "nats")]
    pub(crate) nats_records: Option<String>,
}
