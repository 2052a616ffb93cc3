use core::error::Error;
use core::fmt;

use super::operation::Operation;

/// A property of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// No input and no order of calls makes a machine panic.
    NoPanic,
    /// A rejected datagram has no effect.
    RejectLeavesNoTrace,
    /// After `handle_timeout(t)` no timer is due at or before `t`, and there is no busy loop.
    TimerAdvances,
    /// Equal seeds and inputs give equal bytes.
    SameBytes,
    /// Unproven peers use little memory.
    BoundedMemory,
    /// A peer ends exactly once.
    SingleClose,
    /// No operation, such as a jump of the clock, causes a burst of datagrams.
    BoundedOutput,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPanic => "nothing makes it panic",
            Self::RejectLeavesNoTrace => "a rejected datagram has no effect",
            Self::TimerAdvances => "after a timeout the next timer is later",
            Self::SameBytes => "equal seeds and inputs give equal bytes",
            Self::BoundedMemory => "unproven peers use little memory",
            Self::SingleClose => "a peer closes exactly once",
            Self::BoundedOutput => "nothing causes a burst of datagrams",
        })
    }
}

/// A violation of the contract, and the operations that cause it.
#[derive(Clone, Debug)]
pub struct ContractViolation {
    /// The property that was violated.
    pub clause: Property,
    /// A description of the violation.
    pub detail: String,
    /// The seed of the machines.
    pub seed: u64,
    /// The operations, shrunk as much as possible. Empty if the property has a separate test.
    pub operations: Vec<Operation>,
}

impl fmt::Display for ContractViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clause, detail, seed, operations } = self;
        write!(f, "broken: {clause}: {detail}\nseed {seed}")?;
        if operations.is_empty() {
            return Ok(());
        }
        write!(f, "; it breaks after these operations:")?;
        operations.iter().try_for_each(|operation| write!(f, "\n  {operation:?}"))
    }
}

impl Error for ContractViolation {}

/// A violation during operations, before the property's name is known.
#[derive(Clone, Debug)]
pub(super) struct Violation {
    pub(super) clause: Property,
    pub(super) detail: String,
}

impl Violation {
    pub(super) fn new(clause: Property, detail: impl Into<String>) -> Self {
        Self { clause, detail: detail.into() }
    }
}
