use crate::delta::DeltaLimits;
use crate::frame::FrameLimits;

/// What following one conversation may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowLimits {
    /// Of the stream of each direction. Chunks within chunks are refused whatever it says.
    pub frame: FrameLimits,
    /// Of what is remembered in each direction.
    pub delta: DeltaLimits,
    /// How many groups and fields are told of one run of bytes; what comes behind is followed, and
    /// only counted.
    pub max_trace_nodes: usize,
}

impl FollowLimits {
    /// The defaults of frames and of the delta protocol, and a million groups and fields in a run.
    pub const DEFAULT: Self =
        Self { frame: FrameLimits::DEFAULT, delta: DeltaLimits::DEFAULT, max_trace_nodes: 1 << 20 };
}

impl Default for FollowLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
