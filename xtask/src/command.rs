//! Runs other programs.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Command, Stdio};

/// An error for the user at the terminal.
pub(crate) type Error = Box<dyn std::error::Error>;

/// Result of a program whose output is printed while it runs.
pub(crate) struct CommandOutput {
    /// Standard output, line by line.
    pub(crate) lines: Vec<String>,
    /// True if the exit status was 0.
    pub(crate) success: bool,
}

/// Runs a program. Prints its standard output while it runs, and returns the output.
pub(crate) fn run_streaming(command: &mut Command) -> Result<CommandOutput, Error> {
    run_prefixed(command, "")
}

/// Runs a program like [`run_streaming`], and puts a prefix before each printed line. For programs that run at the
/// same time.
pub(crate) fn run_prefixed(command: &mut Command, prefix: &str) -> Result<CommandOutput, Error> {
    println!("{prefix}$ {}", line_of(command));
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("{}: {error}", line_of(command)))?;
    let output = child.stdout.take();
    let lines = output.map_or_else(|| Ok(Vec::new()), |output| print_lines(output, prefix, |_| false))?;
    Ok(CommandOutput { lines, success: child.wait()?.success() })
}

/// Prints each line with a prefix as it is read, until the output ends or `is_last` returns true for a line. That line is
/// not printed. Returns all lines that were read.
pub(crate) fn print_lines(
    output: impl Read,
    prefix: &str,
    is_last: impl Fn(&str) -> bool,
) -> std::io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        let ends = is_last(&line);
        if !ends {
            println!("{prefix}{line}");
        }
        lines.push(line);
        if ends {
            break;
        }
    }
    Ok(lines)
}

/// Runs a program and returns its standard output.
///
/// # Errors
/// If the program cannot be started or fails. The error contains the command and its standard error.
pub(crate) fn run_quietly(command: &mut Command) -> Result<String, Error> {
    let output = command.output().map_err(|error| format!("{}: {error}", line_of(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    Err(format!("{} failed:\n{}", line_of(command), String::from_utf8_lossy(&output.stderr)).into())
}

/// Returns whether a program can be started and exits with status 0.
pub(crate) fn works(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the command as a person would type it.
fn line_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let arguments = command.get_args().map(|argument| format!(" {}", argument.to_string_lossy()));
    format!("{}{}", name.to_string_lossy(), arguments.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_shown_is_kept_line_by_line() {
        let output = run_streaming(Command::new("sh").args(["-c", "echo one; echo two; exit 3"])).unwrap();
        assert_eq!(output.lines, ["one", "two"]);
        assert!(!output.success);
    }

    #[test]
    fn an_error_has_the_command_and_its_standard_error() {
        let error = run_quietly(Command::new("sh").args(["-c", "echo no >&2; exit 1"])).unwrap_err();
        assert_eq!(error.to_string(), "sh -c echo no >&2; exit 1 failed:\nno\n");
        assert!(run_quietly(&mut Command::new("a-program-that-does-not-exist")).is_err());
    }

    #[test]
    fn a_missing_program_does_not_work() {
        assert!(works(&mut Command::new("true")));
        assert!(!works(&mut Command::new("false")));
        assert!(!works(&mut Command::new("a-program-that-does-not-exist")));
    }
}
