//! Totals by message, item, dialect and conversation, counted while a capture is read, in constant
//! memory and without records.

mod counting_trace;
mod interned;
mod merge;
#[cfg(test)]
mod tests;
mod totals;
mod trace;

pub use counting_trace::CountingTrace;
pub use totals::{
    CaptureStats, ConversationTotals, DialectTotals, FlowTotals, FrameTotals, NameTotals, ProblemTotals,
    StreamStats, StreamTotals,
};
pub use trace::Tee;
