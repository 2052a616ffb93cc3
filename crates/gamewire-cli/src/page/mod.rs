//! `--page`: the traffic of a verb in a browser.

mod address;
mod served;
mod tapped;

pub(crate) use address::{DEFAULT_ADDRESS, parse_address};
pub(crate) use served::ServedPage;
pub(crate) use tapped::{PageOption, ProtocolFiles, TappedPage, shown_on};
