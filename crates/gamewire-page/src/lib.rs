//! A page in the browser for game traffic.
//!
//! A [`Page`] is an HTTP server with one embedded page. It shows [`Source`]s: the live traffic of a program, which
//! writes to a source through a [`Feeder`], capture files, and pasted bytes. All memory is bounded, and a writer never
//! waits for a reader: see [`traffic`].
//!
//! By default a page listens on the loopback interface. On any other address it requires a token ([`PageServer`]).

mod http;
mod page;
mod render;
pub mod traffic;

pub use gamewire_inspect::explain;
pub use http::{OpenError, PageServer, router};
pub use page::{Command, CommandKind, Page, PageConfig};
pub use traffic::{Feeder, Source};
