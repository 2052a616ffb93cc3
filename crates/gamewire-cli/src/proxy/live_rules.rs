use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_proxy::rules::RulesChange;

use super::bridge_kind::BridgeKind;
use super::options::Proxy;
use crate::exit_status::{Failure, warn};
use crate::interrupt::Hangup;
use crate::output::{Output, OutputEvent, Value, event};

/// The rules of a running proxy. SIGHUP makes the proxy read their file again.
pub(super) struct LiveRules<'p> {
    pub(super) proxy: &'p Proxy,
    pub(super) bridges: &'p BridgeKind,
    pub(super) settings: ProtocolConfig,
    pub(super) hangup: Hangup,
}

impl LiveRules<'_> {
    /// Reads the file again if a SIGHUP has arrived. If the file has an error, prints it and keeps the rules.
    pub(super) fn read_again_on_request(&self, output: &Output) -> Result<(), Failure> {
        if !self.hangup.take() {
            return Ok(());
        }
        match self.proxy.bridges(&self.settings) {
            Ok(new) => {
                if let Some(change) = self.bridges.replace_rules(&new) {
                    output.emit(&rules_changed(change))?;
                }
            }
            Err(Failure::Usage(error) | Failure::Failed(error)) => {
                if output.is_json() {
                    output.emit(&event!("rules_rejected", error: error))?;
                } else {
                    warn(format_args!("the rules stay as they are: {error}"));
                }
            }
            Err(failure @ Failure::Output(_)) => return Err(failure),
        }
        Ok(())
    }
}

fn rules_changed(change: RulesChange) -> OutputEvent {
    let number = |count: usize| Value::Number(i64::try_from(count).unwrap_or(i64::MAX));
    event!(
        "rules_changed",
        rules: number(change.rules),
        added: number(change.added),
        removed: number(change.removed)
    )
}
