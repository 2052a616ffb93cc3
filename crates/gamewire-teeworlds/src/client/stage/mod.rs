//! Where a session stands, from the first word to the game: one file for each stage.

mod greeting;
mod joining;
mod loading;
mod logging_in;
mod playing;
mod readying;
#[expect(clippy::module_inception, reason = "the stages together")]
mod stage;

pub(super) use greeting::Greeting;
pub(super) use joining::Joining;
pub(super) use loading::Loading;
pub(super) use logging_in::LoggingIn;
pub(super) use playing::Playing;
pub(super) use readying::Readying;
pub(super) use stage::{Outcome, Stage};
