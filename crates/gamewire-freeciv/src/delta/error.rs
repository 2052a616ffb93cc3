use core::fmt;

use gamewire_wire::CodecError;
use thiserror::Error;

/// The error for a packet that cannot be decoded or encoded, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaError {
    /// Type of the packet.
    pub number: u16,
    /// Name of the packet in the definition; empty for an unknown type.
    pub packet: String,
    /// The field, or `None` if the error concerns the whole packet.
    pub field: Option<FieldContext>,
    /// The kind of error.
    pub kind: DeltaErrorKind,
    /// Name of the previous packet in the same direction.
    pub previous: Option<String>,
}

/// A field and its neighbors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldContext {
    /// Name of the field.
    pub name: String,
    /// Bit in the bitvector; `None` for keys and in packets without a bitvector.
    pub bit: Option<usize>,
    /// Index of the wrong array element.
    pub element: Option<usize>,
    /// Name and offset in the body of the field before it.
    pub before: Option<(String, usize)>,
    /// Name of the field after it.
    pub after: Option<String>,
}

/// A kind of error in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DeltaErrorKind {
    /// A value is wrong. The offset is relative to the start of the body.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The definition has no packet of this type.
    #[error("unknown packet type")]
    Unknown,
    /// Packets of this type are sent in the other direction only.
    #[error("packet type of the other direction")]
    Direction,
    /// The fields depend on capabilities that are not negotiated yet.
    #[error("packet type depends on capabilities that are not negotiated yet")]
    Variant,
    /// There are more baselines than the limit.
    #[error("more than {limit} baselines")]
    Baselines {
        /// [`DeltaLimits::baselines`](super::DeltaLimits::baselines).
        limit: usize,
    },
    /// The baselines take more memory than the limit.
    #[error("baselines of more than {limit} bytes")]
    Memory {
        /// [`DeltaLimits::bytes`](super::DeltaLimits::bytes).
        limit: usize,
    },
}

impl DeltaError {
    /// Creates an error that concerns the whole packet.
    pub(crate) fn of_packet(
        number: u16,
        packet: Option<&str>,
        kind: DeltaErrorKind,
        previous: Option<&str>,
    ) -> Self {
        let packet = packet.unwrap_or_default().to_owned();
        Self { number, packet, field: None, kind, previous: previous.map(str::to_owned) }
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
        write!(f, ": {}", self.kind)?;
        if let Some(field) = &self.field {
            match &field.before {
                Some((name, start)) => write!(f, "; after {name} at byte {start}")?,
                None => f.write_str("; the first field")?,
            }
            if let Some(name) = &field.after {
                write!(f, ", before {name}")?;
            }
        }
        self.previous.as_ref().map_or(Ok(()), |name| write!(f, "; previous packet: {name}"))
    }
}

impl core::error::Error for DeltaError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            DeltaErrorKind::Codec(error) => Some(error),
            _ => None,
        }
    }
}
