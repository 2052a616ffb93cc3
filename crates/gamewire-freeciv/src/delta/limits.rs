/// What the remembered packets of one direction may cost; over it the connection is given up,
/// since a forgotten packet would be a silent desync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaLimits {
    /// How many packets are remembered, over all types and keys.
    pub baselines: usize,
    /// About how many bytes they take.
    pub bytes: usize,
}

impl DeltaLimits {
    /// 262,144 packets in 128 MiB: more than a game on the largest maps people play on.
    pub const DEFAULT: Self = Self { baselines: 1 << 18, bytes: 128 << 20 };
}

impl Default for DeltaLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
