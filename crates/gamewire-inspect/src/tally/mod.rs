//! Totals by message, item, dialect and conversation: counted while a capture goes by, in constant
//! memory and without keeping records.

mod count;
mod interned;
mod stream;
mod sums;
mod tee;
#[cfg(test)]
mod tests;
mod totals;
mod trace;

pub use count::CountingTrace;
pub use stream::{StreamStats, StreamTotals};
pub use tee::Tee;
pub use totals::{
    CaptureStats, ConversationTotals, DialectTotals, FlowTotals, FrameTotals, NameTotals, ProblemTotals,
};
