//! A freeciv-server on this machine, for programs that play many games.

mod config;
mod process;
mod program;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

pub use config::LocalServerConfig;
use process::ServerProcess;
use thiserror::Error;

/// The reason why a server could not be started.
#[derive(Debug, Error)]
pub enum LocalServerError {
    /// There is no freeciv-server.
    #[error(
        "found no freeciv-server on PATH or in /usr/games: install it (Debian: apt-get install freeciv-server) or name it"
    )]
    NoProgram,
    /// A setting cannot be written to the server's script.
    #[error("the setting {name} has a line break in its value")]
    Setting {
        /// Name of the setting.
        name: String,
    },
    /// The folder of the server cannot be created.
    #[error("cannot prepare the folder {}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The program cannot be started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The server ended before it accepted connections.
    #[error("the server ended at its start; its last lines: {output}")]
    Ended {
        /// The end of its output.
        output: String,
    },
    /// The server rejected a setting or the level of its AI.
    #[error("the server rejected a setting: {output}")]
    Rejected {
        /// The lines of its output that say so.
        output: String,
    },
    /// The server did not accept connections in time.
    #[error("the server did not accept connections within {} s; its last lines: {output}", after.as_secs())]
    Timeout {
        /// The time that passed.
        after: Duration,
        /// The end of its output.
        output: String,
    },
}

/// A running freeciv-server that belongs to this program.
///
/// It listens on 127.0.0.1, on a port that was free. Dropping it ends the server and removes its folder. The server
/// also ends if this program dies. If this program runs as root, the server runs as another user, because it refuses to
/// run as root.
///
/// ```no_run
/// use gamewire::freeciv::{LocalServer, LocalServerConfig, Player};
///
/// let config = LocalServerConfig { map_seed: Some(7), game_seed: Some(7), ..LocalServerConfig::default() };
/// let server = LocalServer::start(&config)?;
/// let mut player = Player::join(server.address(), "bot")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LocalServer {
    process: ServerProcess,
    folder: Folder,
    address: SocketAddr,
}

impl LocalServer {
    /// Number of ports that are tried. Another program can take a free port before the server opens it.
    const MAX_ATTEMPTS: usize = 8;
    /// Time between two checks whether the server accepts connections.
    const CHECK_INTERVAL: Duration = Duration::from_millis(20);

    /// Starts a server and waits until it accepts connections.
    ///
    /// # Errors
    /// [`LocalServerError`].
    pub fn start(config: &LocalServerConfig) -> Result<Self, LocalServerError> {
        let program = match &config.program {
            Some(program) => program.clone(),
            None => program::find().ok_or(LocalServerError::NoProgram)?,
        };
        // The error of the shell, which starts the program for root, would not have the reason.
        if program.components().count() > 1 {
            fs::metadata(&program)
                .map_err(|source| LocalServerError::Start { program: program.clone(), source })?;
        }
        let script = config.script()?;
        let folder = Folder::create(config, &script)?;
        let mut failure = LocalServerError::NoProgram;
        for _ in 0..Self::MAX_ATTEMPTS {
            let address = free_address().map_err(|source| folder.error(source))?;
            let arguments = config.arguments(address.port(), &folder.path);
            let process = ServerProcess::start(&program, &arguments, &folder.path)?;
            match Self::wait(process, config.start_timeout, &folder) {
                Ok(process) => {
                    let output = folder.rejections();
                    if !output.is_empty() {
                        return Err(LocalServerError::Rejected { output });
                    }
                    return Ok(Self { process, folder, address });
                }
                Err(error @ LocalServerError::Ended { .. }) if folder.is_port_taken() => failure = error,
                Err(error) => return Err(error),
            }
        }
        Err(failure)
    }

    /// Waits until a process prints that it accepts connections.
    fn wait(
        mut process: ServerProcess,
        timeout: Duration,
        folder: &Folder,
    ) -> Result<ServerProcess, LocalServerError> {
        let begin = Instant::now();
        loop {
            if process.has_ended() {
                return Err(LocalServerError::Ended { output: folder.last_lines() });
            }
            // Do not test with a connection: the server would give it the rights of the first client, and report its
            // end to later clients.
            if folder.is_ready() {
                return Ok(process);
            }
            if begin.elapsed() >= timeout {
                return Err(LocalServerError::Timeout { after: timeout, output: folder.last_lines() });
            }
            thread::sleep(Self::CHECK_INTERVAL);
        }
    }

    /// Returns the address to which clients connect.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the folder of the server: its home, its saved games in `saves`, and its output in `output.log`.
    pub fn folder(&self) -> &Path {
        &self.folder.path
    }

    /// Returns whether the server has ended.
    pub fn has_ended(&mut self) -> bool {
        self.process.has_ended()
    }

    /// Returns the end of the server's output.
    pub fn last_lines(&self) -> String {
        self.folder.last_lines()
    }
}

/// Returns an address on which nothing listens.
fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

/// The folder of a server. Dropping it removes the folder.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
}

impl Folder {
    const OUTPUT: &str = "output.log";
    /// Number of bytes of the output that errors show.
    const MAX_SHOWN: usize = 600;

    fn create(config: &LocalServerConfig, script: &str) -> Result<Self, LocalServerError> {
        let number = u64::from_le_bytes(crate::system::seed().first_chunk().copied().unwrap_or_default());
        let parent = config.parent_folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = Self { path: parent.join(format!("gamewire-freeciv-{number:016x}")) };
        folder.fill(config, script).map_err(|source| folder.error(source))?;
        Ok(folder)
    }

    fn fill(&self, config: &LocalServerConfig, script: &str) -> io::Result<()> {
        fs::create_dir_all(self.path.join("saves"))?;
        fs::write(self.path.join(LocalServerConfig::SCRIPT), script)?;
        if let Some((from, name)) = config.loaded() {
            // The user of the server may not be able to read the file where it is.
            fs::copy(from, self.path.join(name)).map_err(|error| {
                io::Error::new(error.kind(), format!("cannot copy {}: {error}", from.display()))
            })?;
        }
        program::give_to_server_user(&self.path)
    }

    fn error(&self, source: io::Error) -> LocalServerError {
        LocalServerError::Folder { folder: self.path.clone(), source }
    }

    fn output(&self) -> String {
        let output = fs::read(self.path.join(Self::OUTPUT)).unwrap_or_default();
        String::from_utf8_lossy(&output).into_owned()
    }

    /// Returns whether the server has executed its script and accepts players.
    fn is_ready(&self) -> bool {
        self.output().contains("accepting new client connections")
    }

    /// Returns the lines with which the server rejected commands of its script. It starts without them.
    fn rejections(&self) -> String {
        let output = self.output();
        let lines = output.lines().skip_while(|line| !line.contains("Loading script file"));
        let rejects = |line: &&str| {
            let begins =
                ["Unknown command", "Value out of range", "No match for", "The parameter ", "Ambiguous "];
            begins.iter().any(|begin| line.starts_with(begin)) || line.ends_with("not recognized.")
        };
        lines.take_while(|line| !line.starts_with("---")).filter(rejects).collect::<Vec<_>>().join("; ")
    }

    /// Returns whether the server ended because another program has opened its port.
    fn is_port_taken(&self) -> bool {
        self.output().contains("ddress already in use")
    }

    fn last_lines(&self) -> String {
        let output = self.output();
        let start = output.len().saturating_sub(Self::MAX_SHOWN);
        let start = (start..output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or_default();
        output.get(start..).unwrap_or_default().trim().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed stays in the folder of temporary files.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use super::*;

    /// Creates a program in a new folder, and a configuration that starts it as a server.
    fn config_with(script: &str) -> LocalServerConfig {
        let number = u64::from_le_bytes(crate::system::seed().first_chunk().copied().unwrap());
        let folder = std::env::temp_dir().join(format!("gamewire-local-server-{number:016x}"));
        fs::create_dir(&folder).unwrap();
        let program = folder.join("freeciv-server");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        for path in [&folder, &program] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
        }
        LocalServerConfig {
            program: Some(program),
            parent_folder: Some(folder),
            ..LocalServerConfig::default()
        }
    }

    fn runs(pid: &str) -> bool {
        Command::new("kill").args(["-0", pid.trim()]).status().unwrap().success()
    }

    #[test]
    fn a_server_that_does_not_react_is_killed_and_its_folder_removed() {
        let script = "trap '' TERM\necho $$ >pid\necho accepting new client connections\n\
                      while :; do sleep 0.1; done";
        let config = config_with(script);
        let server = LocalServer::start(&config).unwrap();
        let pid = fs::read_to_string(server.folder().join("pid")).unwrap();
        let folder = server.folder().to_owned();
        assert!(runs(&pid));
        drop(server);
        assert!(!runs(&pid));
        assert!(!folder.exists());
        fs::remove_dir_all(config.parent_folder.unwrap()).unwrap();
    }

    #[test]
    fn a_rejected_setting_is_an_error_with_the_line_of_the_server() {
        let output = "2: Loading script file 'settings.serv'.\nUnknown command 'easyy'.  Try 'help'.\n\
                      Console: 'timeout' has been set to 0.\nOption 'xsise' not recognized.\n\
                      ------\nNo match for this.\n2: Now accepting new client connections on port 1.";
        let config = config_with(&format!("cat <<END\n{output}\nEND\nsleep 60"));
        let error = LocalServer::start(&config).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the server rejected a setting: Unknown command 'easyy'.  Try 'help'.; Option 'xsise' not recognized."
        );
        fs::remove_dir_all(config.parent_folder.unwrap()).unwrap();
    }

    #[test]
    fn a_missing_program_or_saved_game_is_named() {
        let program = LocalServerConfig {
            program: Some("/missing/freeciv-server".into()),
            ..LocalServerConfig::default()
        };
        let error = LocalServer::start(&program).unwrap_err();
        assert!(matches!(&error, LocalServerError::Start { .. }), "{error}");
        assert!(error.to_string().contains("/missing/freeciv-server"), "{error}");
        let load = LocalServerConfig { load: Some("/missing/game.sav".into()), ..config_with("exit 1") };
        let error = LocalServer::start(&load).unwrap_err();
        assert!(error.to_string().contains("cannot copy /missing/game.sav"), "{error}");
        fs::remove_dir_all(load.parent_folder.unwrap()).unwrap();
    }

    #[test]
    fn only_a_taken_port_is_tried_again() {
        for (output, starts) in
            [("Unknown setting", 1), ("Address already in use", LocalServer::MAX_ATTEMPTS)]
        {
            let config = config_with(&format!("echo start >>$(dirname $0)/starts\necho '{output}'\nexit 1"));
            let error = LocalServer::start(&config).unwrap_err();
            assert!(error.to_string().contains(output), "{error}");
            let folder = config.parent_folder.unwrap();
            let log = fs::read_to_string(folder.join("starts")).unwrap();
            assert_eq!(log.lines().count(), starts, "{output}");
            fs::remove_dir_all(folder).unwrap();
        }
    }
}
