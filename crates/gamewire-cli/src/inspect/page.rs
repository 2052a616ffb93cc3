//! `--page`: a capture in the browser.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_page::traffic::{FileError, Selection, SourceKind, read_capture};

use super::input::Input;
use super::options::Inspect;
use crate::exit_status::{ExitStatus, Failure};
use crate::fleet::Fleet;
use crate::interrupt::Interrupt;
use crate::page::ServedPage;

/// Interval at which Ctrl-C is checked.
const POLL: Duration = Duration::from_millis(50);

impl Inspect {
    /// Serves the page until Ctrl-C.
    pub(super) fn show_page(
        &self,
        local: SocketAddr,
        protocols: ProtocolConfig,
        filter: Option<Filter>,
    ) -> Result<ExitStatus, Failure> {
        let nats = Fleet::server(self.nats.as_deref())?;
        let file = self.file.as_ref().or(self.read.as_ref());
        let input = match (file, &self.interface) {
            (Some(path), _) => Some(Input::open(path)?),
            (None, Some(interface)) => Some(Input::live(interface, self.capture_filter.as_deref())?),
            (None, None) => self.sample.then(Input::sample),
        };
        let interrupt = Interrupt::listen()?;
        let served = ServedPage::open(local, "inspect", protocols.clone(), Vec::new(), &self.maps)?;
        let _fleet = nats.map(|nats| Fleet::show(nats, served.page.clone())).transpose()?;
        let shown = input.map(|input| {
            let kind = if input.is_live { SourceKind::Live } else { SourceKind::File };
            (served.page.add_source(&input.name, kind), input)
        });
        // A program can request packets as soon as it reads the address.
        served.announce();
        if let Some((source, input)) = shown {
            let selection = Selection { filter: filter.map(Arc::new), ..Selection::default() };
            let read = read_capture(&source, input.bytes, protocols, &selection, u64::MAX);
            match read {
                Ok(()) => {}
                Err(error @ FileError::Nothing) => source.notice(error.to_string()),
                Err(error) => return Err(Failure::Failed(format!("cannot show {}: {error}", input.name))),
            }
        }
        while !interrupt.is_set() {
            thread::sleep(POLL);
        }
        Ok(ExitStatus::Success)
    }
}
