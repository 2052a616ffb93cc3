use gamewire_riptide::{DisconnectReason, RejectReason};

/// Returns the original's name of a reason.
pub(crate) const fn reject_reason(reason: RejectReason) -> &'static str {
    match reason {
        RejectReason::NoConnection => "NoConnection",
        RejectReason::AlreadyConnected => "AlreadyConnected",
        RejectReason::Pending => "Pending",
        RejectReason::ServerFull => "ServerFull",
        RejectReason::Rejected => "Rejected",
        RejectReason::Custom => "Custom",
        RejectReason::Other(_) => "Unknown",
    }
}

/// Returns the original's name of a reason.
pub(crate) const fn disconnect_reason(reason: DisconnectReason) -> &'static str {
    match reason {
        DisconnectReason::NeverConnected => "NeverConnected",
        DisconnectReason::ConnectionRejected => "ConnectionRejected",
        DisconnectReason::TransportError => "TransportError",
        DisconnectReason::TimedOut => "TimedOut",
        DisconnectReason::Kicked => "Kicked",
        DisconnectReason::ServerStopped => "ServerStopped",
        DisconnectReason::Disconnected => "Disconnected",
        DisconnectReason::PoorConnection => "PoorConnection",
        DisconnectReason::Other(_) => "Unknown",
    }
}
