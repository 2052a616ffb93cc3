use std::io::{self, BufRead as _};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

/// How many lines wait to be said.
const WAITING: usize = 16;

/// Lines of standard input, read beside everything else. The thread ends with the input or with
/// the receiver.
pub(super) fn of_standard_input() -> Receiver<String> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            // What is not UTF-8 ends the reading: chat is text.
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
