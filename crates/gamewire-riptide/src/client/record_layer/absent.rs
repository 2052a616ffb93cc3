use gamewire_machine::{Instant, Wake};

/// No record layer.
#[derive(Debug)]
pub(super) enum RecordLayer {}

impl RecordLayer {
    pub(super) const fn may_request(&mut self) -> bool {
        match *self {}
    }

    pub(super) const fn handle_timeout(&mut self, _: Instant) {
        match *self {}
    }

    pub(super) const fn poll_timeout(&self) -> Option<Wake> {
        match *self {}
    }

    pub(super) const fn restart(&mut self, _: Instant) {
        match *self {}
    }
}
