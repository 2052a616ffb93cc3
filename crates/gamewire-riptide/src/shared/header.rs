//! The kinds of packets. Their numbers differ by version: `wire/header.rs` of each has them.

/// What a packet is, as its header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Header {
    /// A message that may get lost.
    Unreliable,
    /// What of the other side's reliable messages arrived; in 2.1 it may name one more.
    Ack,
    /// 2.0: an ack that names one more message.
    AckExtra,
    /// A client asks for a connection; or a server says that its answer is pending.
    Connect,
    /// A server refuses.
    Reject,
    /// A client asks whether the server is there, and is answered.
    Heartbeat,
    /// A side leaves.
    Disconnect,
    /// 2.1: a message whose fate its sender is told.
    Notify,
    /// A message that is sent until it is acknowledged.
    Reliable,
    /// A server takes a client, which repeats it.
    Welcome,
    /// Another client came.
    ClientConnected,
    /// Another client left.
    ClientDisconnected,
    /// A number without a meaning: handled as reliable, then dropped.
    Unknown(u8),
}

impl Header {
    /// The original's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreliable => "Unreliable",
            Self::Ack => "Ack",
            Self::AckExtra => "AckExtra",
            Self::Connect => "Connect",
            Self::Reject => "Reject",
            Self::Heartbeat => "Heartbeat",
            Self::Disconnect => "Disconnect",
            Self::Notify => "Notify",
            Self::Reliable => "Reliable",
            Self::Welcome => "Welcome",
            Self::ClientConnected => "ClientConnected",
            Self::ClientDisconnected => "ClientDisconnected",
            Self::Unknown(_) => "unknown",
        }
    }
}

/// The numbers of a version's headers, in both directions.
macro_rules! header_numbers {
    ($($number:literal => $header:ident)+) => {
        /// The header with this number.
        #[must_use]
        pub const fn header(number: u8) -> Header {
            match number {
                $($number => Header::$header,)+
                other => Header::Unknown(other),
            }
        }

        /// The number of a header, if this version has it.
        #[must_use]
        pub const fn number(header: Header) -> Option<u8> {
            match header {
                $(Header::$header => Some($number),)+
                Header::Unknown(number) => match self::header(number) {
                    Header::Unknown(_) => Some(number),
                    _ => None,
                },
                #[allow(unreachable_patterns, reason = "each version lacks another one")]
                _ => None,
            }
        }
    };
}

/// Numbers that stand for a reason, with the original's names.
macro_rules! reasons {
    ($($module:ident: $(#[doc = $doc:literal])+ { $($number:literal => $constant:ident $name:literal $(#[doc = $text:literal])+)+ })+) => {$(
        $(#[doc = $doc])+
        pub mod $module {
            $($(#[doc = $text])+ pub const $constant: u8 = $number;)+

            /// The original's name of a number.
            #[must_use]
            pub const fn name(number: u8) -> Option<&'static str> {
                match number {
                    $($number => Some($name),)+
                    _ => None,
                }
            }
        }
    )+};
}

pub(crate) use {header_numbers, reasons};
