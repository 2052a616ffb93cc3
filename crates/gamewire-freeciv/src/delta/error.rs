use core::fmt;

use gamewire_wire::CodecError;
use thiserror::Error;

/// Why a packet cannot be decoded or encoded: where, in what, and what stands around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaError {
    /// The type of the packet.
    pub number: u16,
    /// Its name in the definition; empty for a type that it does not have.
    pub packet: String,
    /// The field; `None` where the packet as a whole is wrong.
    pub field: Option<FieldContext>,
    /// What is wrong.
    pub fault: DeltaErrorKind,
    /// The packet before it in the same direction.
    pub previous: Option<String>,
}

/// A field and the fields around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldContext {
    /// Its name.
    pub name: String,
    /// Its bit in the bitvector; `None` for keys and in packets without bitvector.
    pub bit: Option<usize>,
    /// The element of the array in which it went wrong.
    pub element: Option<usize>,
    /// The field that was read or written before it, with the byte of the body where it began.
    pub before: Option<(String, usize)>,
    /// The field that would have come next.
    pub after: Option<String>,
}

/// What is wrong with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DeltaErrorKind {
    /// The bytes or values; offsets count in the body.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The definition has no such type.
    #[error("no such type")]
    Unknown,
    /// The other side sends it.
    #[error("a type that the other side sends")]
    Direction,
    /// Its fields depend on capabilities that are not known yet.
    #[error("a type that depends on capabilities before these are agreed on")]
    Variant,
    /// More remembered packets than the limit.
    #[error("more than {limit} packets to remember")]
    Baselines {
        /// [`DeltaLimits::baselines`](super::DeltaLimits::baselines).
        limit: usize,
    },
    /// More memory for remembered packets than the limit.
    #[error("more than {limit} bytes to remember")]
    Memory {
        /// [`DeltaLimits::bytes`](super::DeltaLimits::bytes).
        limit: usize,
    },
}

impl DeltaError {
    /// Of a packet as a whole.
    pub(crate) fn of_packet(
        number: u16,
        packet: Option<&str>,
        fault: DeltaErrorKind,
        previous: Option<&str>,
    ) -> Self {
        let packet = packet.unwrap_or_default().to_owned();
        Self { number, packet, field: None, fault, previous: previous.map(str::to_owned) }
    }
}

impl fmt::Display for DeltaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.packet.as_str() {
            "" => write!(f, "packet {}", self.number)?,
            name => write!(f, "{name}")?,
        }
        if let Some(field) = &self.field {
            write!(f, ".{}", field.name)?;
            if let Some(element) = field.element {
                write!(f, "[{element}]")?;
            }
            if let Some(bit) = field.bit {
                write!(f, " (bit {bit})")?;
            }
        }
        write!(f, ": {}", self.fault)?;
        if let Some(field) = &self.field {
            match &field.before {
                Some((name, start)) => write!(f, "; behind {name} at byte {start}")?,
                None => f.write_str("; the first field")?,
            }
            if let Some(name) = &field.after {
                write!(f, ", before {name}")?;
            }
        }
        self.previous.as_ref().map_or(Ok(()), |name| write!(f, "; the packet before was {name}"))
    }
}

impl core::error::Error for DeltaError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.fault {
            DeltaErrorKind::Codec(error) => Some(error),
            _ => None,
        }
    }
}
