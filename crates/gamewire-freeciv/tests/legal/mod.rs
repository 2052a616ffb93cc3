//! The list of legal actions: orders that a server would refuse or ignore are not in it.

mod cities;
mod diplomacy;
mod list;
mod nation;
pub(crate) mod support;
mod transports;
mod units;
mod work;
