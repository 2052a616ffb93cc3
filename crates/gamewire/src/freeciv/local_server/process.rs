use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, LocalServerError};

/// A shell script that runs the server. Its name (`$0`) is the folder in which the server runs. When standard input
/// ends, the script ends the server and removes the folder. Standard input ends whenever this program ends, even if it
/// is killed. A server does not react to SIGTERM while its AI players move, which can take minutes; it is killed after
/// three seconds.
#[cfg(unix)]
const SUPERVISOR: &str = r#"
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{
    while read -r _; do :; done
    : >"$0/abandoned"
    kill "$server"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2; done
    kill -9 "$server"
} <&3 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
[ -e "$0/abandoned" ] && rm -rf "$0"
exit "$status"
"#;

/// Maximum time for the server to end.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// A server's process. Dropping it ends the process.
#[derive(Debug)]
pub(super) struct ServerProcess(Child);

impl ServerProcess {
    pub(super) fn start(
        program: &Path,
        arguments: &[OsString],
        folder: &Path,
    ) -> Result<Self, LocalServerError> {
        let failed = |source| LocalServerError::Start { program: program.to_owned(), source };
        let output = File::create(folder.join(Folder::OUTPUT)).map_err(failed)?;
        let errors = output.try_clone().map_err(failed)?;
        let mut command = command(program, folder);
        command.args(arguments).current_dir(folder).env("HOME", folder);
        command.stdin(Stdio::piped()).stdout(output).stderr(errors);
        command.spawn().map(Self).map_err(failed)
    }

    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.0.try_wait(), Ok(None))
    }
}

#[cfg(unix)]
fn command(program: &Path, folder: &Path) -> Command {
    use std::os::unix::process::CommandExt as _;

    use super::program::{SERVER_USER, is_root};

    let mut command = Command::new("/bin/sh");
    // A Ctrl-C on the terminal must reach this program only, which then ends the server itself.
    command.args(["-c", SUPERVISOR]).arg(folder).arg(program).process_group(0);
    if is_root() {
        command.uid(SERVER_USER).gid(SERVER_USER);
    }
    command
}

#[cfg(not(unix))]
fn command(program: &Path, _: &Path) -> Command {
    Command::new(program)
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // The supervisor ends the server at the end of its standard input.
        drop(self.0.stdin.take());
        let begin = Instant::now();
        while cfg!(unix) && !self.has_ended() && begin.elapsed() < END_TIMEOUT {
            thread::sleep(Duration::from_millis(10));
        }
        // Both fail if the process has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
