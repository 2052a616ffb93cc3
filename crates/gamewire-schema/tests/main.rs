//! The integration tests. They are one program, because each program links the whole crate.
#![cfg(feature = "compiler")]

mod definitions;
mod diagnostics;
mod freeciv;
mod hostile;
mod mutations;
#[path = "../../gamewire-teeworlds/tests/support/random.rs"]
#[allow(unreachable_pub, reason = "other programs include it too")]
mod random;
mod sources;
#[path = "support/targets.rs"]
mod targets;
mod versions;
