//! `-i`: a live capture by dumpcap or tcpdump.

use std::io::{self, Chain, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use gamewire_inspect::render::Escaped;

use crate::exit_status::Failure;
use crate::interrupt::Interrupt;

/// Interval at which a request to stop is checked.
const CHECK: Duration = Duration::from_millis(100);
/// Length of the first field of a capture. A capture program writes this field once it has opened the interface.
const MAGIC: usize = 4;

/// The frames that a capture program writes to a pipe. Dropping this stops the program.
pub(super) struct LiveCapture {
    frames: Chain<io::Cursor<[u8; MAGIC]>, ChildStdout>,
    program: Arc<Mutex<Child>>,
}

impl LiveCapture {
    /// Starts dumpcap, or tcpdump if dumpcap is not installed. `filter` is a capture filter, such as `udp port 8303`.
    pub(super) fn start(interface: &str, filter: Option<&str>) -> Result<Self, Failure> {
        let mut dumpcap = Command::new("dumpcap");
        dumpcap.args(["-q", "-i", interface, "-w", "-"]);
        dumpcap.args(filter.iter().flat_map(|filter| ["-f", *filter]));
        let mut tcpdump = Command::new("tcpdump");
        tcpdump.args(["-n", "-U", "-i", interface, "-w", "-"]).args(filter);
        for mut command in [dumpcap, tcpdump] {
            let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            match piped.spawn() {
                Ok(program) => return Self::open(program, interface),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let name = command.get_program().to_string_lossy().into_owned();
                    return Err(Failure::Failed(format!("cannot run {name}: {error}")));
                }
            }
        }
        Err(Failure::Failed(
            "cannot capture: neither dumpcap nor tcpdump is installed; install one of them (Debian: tshark or \
             tcpdump)"
                .into(),
        ))
    }

    /// Waits until the program has opened the interface.
    fn open(mut program: Child, interface: &str) -> Result<Self, Failure> {
        let mut magic = [0; MAGIC];
        let frames = program.stdout.take();
        let opened = frames.and_then(|mut frames| frames.read_exact(&mut magic).ok().map(|()| frames));
        let Some(frames) = opened else { return Err(refused(&mut program, interface)) };
        let program = Arc::new(Mutex::new(program));
        stop_on_request(Interrupt::listen()?, Arc::clone(&program));
        Ok(Self { frames: io::Cursor::new(magic).chain(frames), program })
    }
}

/// Returns the reason why the program captured nothing.
fn refused(program: &mut Child, interface: &str) -> Failure {
    let mut printed = Vec::new();
    if let Some(mut errors) = program.stderr.take() {
        let _ = errors.read_to_end(&mut printed);
    }
    let _ = program.wait();
    let printed = String::from_utf8_lossy(&printed);
    let advice = if ["ermission", "not permitted"].iter().any(|part| printed.contains(part)) {
        "run this as root, or allow your user to capture (Debian: dpkg-reconfigure wireshark-common)"
    } else {
        "dumpcap -D or tcpdump -D lists the interfaces"
    };
    let is_reason = |line: &&str| !line.is_empty() && !line.starts_with("Capturing on");
    let reason = printed.lines().map(str::trim).find(is_reason).unwrap_or("the capture program ended");
    let reason = reason.trim_start_matches("dumpcap: ").trim_start_matches("tcpdump: ").trim_end_matches('.');
    let reason = reason.replace('"', "'");
    let (interface, reason) = (Escaped(interface.as_bytes()), Escaped(reason.as_bytes()));
    Failure::Failed(format!("cannot capture on {interface}: {reason}; {advice}"))
}

impl Read for LiveCapture {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.frames.read(buffer)
    }
}

impl Drop for LiveCapture {
    fn drop(&mut self) {
        stop(&self.program);
    }
}

/// Stops the program when the user asks to stop, so that the reader reaches the end of the capture.
fn stop_on_request(interrupt: Interrupt, program: Arc<Mutex<Child>>) {
    thread::spawn(move || {
        while !interrupt.is_set() {
            thread::sleep(CHECK);
        }
        stop(&program);
    });
}

fn stop(program: &Mutex<Child>) {
    let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = program.kill();
    let _ = program.wait();
}
