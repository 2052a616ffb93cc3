use crate::delta::DeltaFault;

/// A packet that cannot be read or written.
#[derive(Clone, Copy)]
pub(super) struct Refusal {
    /// The place of what it was read or written over, if it is that which is wrong.
    pub(super) place: Option<u32>,
    /// What stands in the way beside the bytes.
    pub(super) fault: Option<DeltaFault>,
}

impl From<DeltaFault> for Refusal {
    fn from(fault: DeltaFault) -> Self {
        Self { place: None, fault: Some(fault) }
    }
}
