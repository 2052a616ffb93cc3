//! The log of the drivers: see the feature `tracing` in the documentation of the crate.

use gamewire_machine::Machine;

/// Writes a line to the log with the feature `tracing`, otherwise nothing.
macro_rules! log {
    ($level:ident, $($line:tt)+) => {{
        #[cfg(feature = "tracing")]
        tracing::$level!(target: "gamewire", $($line)+);
        #[cfg(not(feature = "tracing"))]
        let _ = format_args!($($line)+);
    }};
}
pub(crate) use log;

/// Logs what [`Machine::log_line`] says of an event. Drivers do that with every event; so should a driver of your own.
/// Without the feature `tracing` it does nothing.
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
