//! `gamewire play` as a program runs it.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// A running `gamewire play`.
pub(crate) struct Play {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: u64,
}

impl Play {
    /// Joins a server, starts its game and waits for the first turn.
    pub(crate) fn start(gamewire: &Path, server: SocketAddr) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(gamewire);
        command.args(["play", &format!("freeciv://{server}"), "--start", "--json"]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(process.stdout.take().ok_or("no standard output")?);
        let mut play = Self { process, input, output, next_id: 0 };
        play.until("turn")?;
        Ok(play)
    }

    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    /// Executes a command and returns its reply.
    pub(crate) fn execute(&mut self, command: &Value) -> Result<Value, Box<dyn Error>> {
        let line = self.line(command);
        self.input.write_all(line.as_bytes())?;
        self.until("reply")
    }

    /// Writes commands without waiting, and reads their replies meanwhile.
    pub(crate) fn pipeline(&mut self, commands: &[Value]) -> Result<(), Box<dyn Error>> {
        let lines: Vec<String> = commands.iter().map(|command| self.line(command)).collect();
        let Self { input, output, .. } = self;
        thread::scope(|scope| {
            let writer =
                scope.spawn(move || lines.iter().try_for_each(|line| input.write_all(line.as_bytes())));
            for _ in commands {
                read_until(output, "reply")?;
            }
            writer.join().map_err(|_| "the writer panicked")??;
            Ok(())
        })
    }

    fn line(&mut self, command: &Value) -> String {
        let mut command = command.clone();
        self.next_id += 1;
        if let Some(fields) = command.as_object_mut() {
            fields.insert("id".into(), json!(self.next_id));
        }
        format!("{command}\n")
    }

    fn until(&mut self, kind: &str) -> Result<Value, Box<dyn Error>> {
        read_until(&mut self.output, kind)
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        // Both fail if the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads lines until an event of a kind. It parses no others, because this program and the command share the processor.
fn read_until(output: &mut BufReader<ChildStdout>, kind: &str) -> Result<Value, Box<dyn Error>> {
    let wanted = format!("{{\"event\":\"{kind}\"");
    let mut line = String::new();
    loop {
        line.clear();
        if output.read_line(&mut line)? == 0 {
            return Err(format!("`gamewire play` ended before the event {kind}").into());
        }
        if line.starts_with(&wanted) {
            return Ok(serde_json::from_str(&line)?);
        }
    }
}
