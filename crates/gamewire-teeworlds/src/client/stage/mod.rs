//! Where a session stands, from the first word to the game: one file for each stage.

mod greeting;
mod joining;
mod loading;
mod logging_in;
mod playing;
mod readying;
#[expect(clippy::module_inception, reason = "the stages together")]
mod stage;

pub(super) use greeting::AwaitReadyToEnter;
pub(super) use joining::AwaitSnapshots;
pub(super) use loading::LoadingMap;
pub(super) use logging_in::AwaitMap;
pub(super) use playing::InGame;
pub(super) use readying::AwaitConReady;
pub(super) use stage::{LoginState, Transition};
