//! Exit codes and error messages.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{fmt, io, iter};

use anstyle::{AnsiColor, Effects, Style};

use crate::bottom;

/// The outcome of a verb that completed its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// The input was valid.
    Success,
    /// The input was damaged.
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

/// The reason why a verb failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage.
    Usage(String),
    /// The work failed.
    Failed(String),
    /// The output could not be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Returns the error for a failed socket of a client.
    pub(crate) fn socket(error: io::Error) -> Self {
        Self::Failed(format!("the socket failed: {error}"))
    }

    /// Returns the error for a failed socket of one of the demo's clients.
    pub(crate) fn socket_of(name: &str, error: io::Error) -> Self {
        Self::Failed(format!("the socket of {name} failed: {error}"))
    }

    /// Returns the error for a socket that cannot be opened.
    pub(crate) fn no_socket(name: &str, error: impl fmt::Display) -> Self {
        Self::Failed(format!("cannot open a socket for {name}: {error}"))
    }

    /// Returns the error for a failed socket of a server.
    pub(crate) fn server_socket(error: io::Error) -> Self {
        Self::Failed(format!("the server socket failed: {error}"))
    }

    /// Returns the error for an option that needs a feature which this build does not have.
    #[cfg(not(all(feature = "fleet", feature = "parquet")))]
    pub(crate) fn missing_feature(option: &str, feature: &str) -> Self {
        Self::Usage(format!(
            "{option} needs the feature {feature}, which this build does not have; \
             install it with: cargo install --path crates/gamewire-cli --features {feature}"
        ))
    }

    /// Reports the outcome and returns the exit code. A closed pipe on standard output is not a failure.
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

/// Prints an error on standard error.
pub(crate) fn print_error(message: impl fmt::Display) {
    note(format_args!("{ERROR}error:{ERROR:#} {message}"));
}

/// Prints a warning on standard error.
pub(crate) fn warn(message: impl fmt::Display) {
    note(format_args!("{WARNING}warning:{WARNING:#} {message}"));
}

/// Prints text on standard error, above the bottom lines of the terminal.
pub(crate) fn note(message: impl fmt::Display) {
    bottom::above(|| anstream::eprintln!("{message}"));
}

/// Returns the error message for a file that cannot be opened, read or written.
pub(crate) fn io_message(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// Returns the error message for a file or folder that cannot be created.
pub(crate) fn create_message(path: &Path, error: &(dyn Error + 'static)) -> String {
    let mut causes = iter::successors(Some(error), |error| (*error).source());
    let Some(cause) = causes.find_map(|cause| cause.downcast_ref::<io::Error>()) else {
        return error.to_string();
    };
    match path.parent().filter(|folder| cause.kind() == io::ErrorKind::NotFound && folder.parent().is_some())
    {
        Some(folder) if folder.exists() => {
            format!("no file can be created in the folder {}; name another one", folder.display())
        }
        Some(folder) => format!("the folder {} does not exist; create it", folder.display()),
        None => error.downcast_ref().map_or_else(|| error.to_string(), io_message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_named() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let message = |path| create_message(Path::new(path), &missing);
        assert_eq!(message("/missing-folder/x"), "the folder /missing-folder does not exist; create it");
        let inside = "no file can be created in the folder /proc; name another one";
        assert_eq!(message("/proc/x"), inside);
        let denied = io::Error::other("full");
        assert_eq!(create_message(Path::new("/missing-folder/x"), &denied), "full");
    }
}
