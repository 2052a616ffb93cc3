use clap::Args;

/// The options of a fleet.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options for a fleet")]
pub(crate) struct NatsOptions {
    /// NATS server, such as nats://127.0.0.1:4222, to which conversations and figures are published; the page shows those of
    /// all proxies there (feature fleet)
    #[arg(long, value_name = "URL")]
    pub(crate) nats: Option<String>,
    /// Name of this proxy in the fleet [default: where it listens, and its process] (feature fleet)
    #[arg(long, value_name = "NAME", requires = "nats")]
    pub(crate) nats_name: Option<String>,
    /// Publish the packets that match FILTER, too, as JSON (feature fleet)
    #[arg(long, value_name = "FILTER", requires = "nats")]
    pub(crate) nats_records: Option<String>,
}
