//! The log of the drivers. The documentation of the crate describes it, at the feature `tracing`.

use gamewire_machine::Machine;

/// Writes a line to the log with the feature `tracing`. Does nothing without it.
macro_rules! log {
    ($level:ident, $($line:tt)+) => {{
        #[cfg(feature = "tracing")]
        tracing::$level!(target: "gamewire", $($line)+);
        #[cfg(not(feature = "tracing"))]
        let _ = format_args!($($line)+);
    }};
}
pub(crate) use log;

/// Logs the [`Machine::log_line`] of an event. Drivers call this for every event, and custom drivers should do the
/// same. Does nothing without the feature `tracing`.
#[inline]
pub fn log_event<M: Machine>(event: &M::Event) {
    #[cfg(feature = "tracing")]
    if tracing::enabled!(target: "gamewire", tracing::Level::WARN) {
        write::<M>(event);
    }
    #[cfg(not(feature = "tracing"))]
    let _ = event;
}

#[cfg(feature = "tracing")]
fn write<M: Machine>(event: &M::Event) {
    use gamewire_machine::LogLevel;

    let Some(line) = M::log_line(event) else { return };
    match line.level {
        LogLevel::Debug => log!(debug, "{}", line.text),
        LogLevel::Info => log!(info, "{}", line.text),
        LogLevel::Warning => log!(warn, "{}", line.text),
    }
}
