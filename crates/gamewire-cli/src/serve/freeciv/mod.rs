//! `gamewire serve freeciv`: a recorded game for whoever comes.

mod describe;
mod keeper;
mod options;
mod recording;
mod run;
mod totals;

pub(super) use options::FreecivReplay;
