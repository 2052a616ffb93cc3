use crate::delta::DeltaErrorKind;

/// A packet that cannot be read or written.
#[derive(Clone, Copy)]
pub(super) struct CodecFailure {
    /// The place of what it was read or written over, if it is that which is wrong.
    pub(super) place: Option<u32>,
    /// What stands in the way beside the bytes.
    pub(super) kind: Option<DeltaErrorKind>,
}

impl From<DeltaErrorKind> for CodecFailure {
    fn from(fault: DeltaErrorKind) -> Self {
        Self { place: None, kind: Some(fault) }
    }
}
