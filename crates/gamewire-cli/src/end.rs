//! How a verb ends.

use std::fmt;
use std::io;
use std::process::ExitCode;

use anstyle::{AnsiColor, Effects, Style};

/// What a verb that did its work has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// All is well.
    Success,
    /// Something in the input was damaged.
    DamagedInput,
}

impl ExitStatus {
    pub(crate) fn code(self) -> ExitCode {
        match self {
            Self::Success => ExitCode::SUCCESS,
            Self::DamagedInput => ExitCode::from(3),
        }
    }
}

/// Why a verb could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was called wrongly.
    Usage(String),
    /// It could not be done.
    Failed(String),
    /// Writing the output failed.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Says what happened and gives the exit code. A reader that has seen enough is no failure.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Usage(message) => {
                print_error(message);
                ExitCode::from(2)
            }
            Self::Failed(message) => {
                print_error(message);
                ExitCode::FAILURE
            }
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                print_error(format_args!("cannot write the output: {error}"));
                ExitCode::FAILURE
            }
        }
    }
}

const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
const WARNING: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);

/// Tells on standard error what went wrong.
pub(crate) fn print_error(message: impl fmt::Display) {
    anstream::eprintln!("{ERROR}error:{ERROR:#} {message}");
}

/// Tells on standard error what is not quite right.
pub(crate) fn warn(message: impl fmt::Display) {
    anstream::eprintln!("{WARNING}warning:{WARNING:#} {message}");
}
