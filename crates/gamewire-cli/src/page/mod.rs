//! `--page`: the traffic of a verb in a browser.

mod address;
mod options;
mod served;
mod tapped;

pub(crate) use address::{DEFAULT_ADDRESS, parse_address};
pub(crate) use options::{PageOption, ProtocolFiles, shown_on};
pub(crate) use served::ServedPage;
pub(crate) use tapped::TappedPage;
