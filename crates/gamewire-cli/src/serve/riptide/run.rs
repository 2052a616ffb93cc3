use std::time::{Duration, Instant};

use super::describe;
use super::host;
use super::keeper::RelayServer;
use super::options::{RiptideRelay, Transport};
use super::plan::Plan;
use crate::duration::from_now;
use crate::end::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::told::Output;
use crate::typed;

/// Maximum wait for an event before other work is checked.
const TURN: Duration = Duration::from_millis(20);

impl RiptideRelay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        if self.transport == Transport::Tcp && self.impair.is_some() {
            return Err(Failure::Usage(
                "--impair is for datagrams only; remove it for --transport tcp".into(),
            ));
        }
        let plan = Plan::of(&self)?;
        let interrupt = Interrupt::listen()?;
        let host = host::open(&self)?;
        let output = Output::begin(self.json, self.quiet);
        output.emit(&describe::listening(host.local_addr(), self.transport.into(), self.max_clients))?;
        let typed = typed::stdin_lines();
        let end = self.duration.and_then(from_now);
        let mut keeper = RelayServer::new(host, &plan, output);
        let turn = |keeper: &mut RelayServer<'_>| {
            keeper.turn(TURN)?;
            typed.try_iter().try_for_each(|line| keeper.line(&line))?;
            if interrupt.is_set() || end.is_some_and(|end| Instant::now() >= end) {
                keeper.stop();
            }
            Ok(())
        };
        while !keeper.is_over() {
            // On any error, such as a closed pipe, the clients are still disconnected.
            turn(&mut keeper).inspect_err(|_: &Failure| keeper.stop())?;
        }
        keeper.end()?;
        Ok(ExitStatus::Success)
    }
}
