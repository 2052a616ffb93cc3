//! The states of a session from INFO to the game. Each is a type that owns the data that is valid in it.

mod loading;
mod login;
mod login_state;
mod playing;

pub(super) use loading::LoadingMap;
pub(super) use login::{AwaitConReady, AwaitMap, AwaitReadyToEnter, AwaitSnapshots};
pub(super) use login_state::{LoginState, Transition};
pub(super) use playing::InGame;
