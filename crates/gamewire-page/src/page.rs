use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, ProtocolConfig};
use serde_json::Value as Json;

use crate::traffic::{Source, SourceKind};

/// Maximum number of files that were opened on the page. A new one replaces the oldest.
const OPENED_FILES: usize = 3;
/// Maximum bytes of packets of each of them.
const OPENED_BYTES: usize = 128 << 20;
/// Maximum number of commands that wait for the program.
const COMMANDS: usize = 16;

/// The settings of a page.
#[derive(Clone, Debug)]
pub struct PageConfig {
    /// Heading of the page: the verb of the program and its address.
    pub title: String,
    /// The settings of the followers of opened files.
    pub protocols: ProtocolConfig,
    /// Bytes of packets that a live source keeps.
    pub live_bytes: usize,
    /// Bytes of packets that a file keeps.
    pub file_bytes: usize,
    /// The commands that the program takes.
    pub commands: Vec<CommandKind>,
}

/// A command that the page has a control for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Changes the conditions of a link: `link DIRECTION LIST`.
    Link,
    /// Closes a client: `close NUMBER`.
    Close,
    /// Controls a replay: `pause`, `play`, `step`, `speed N`.
    Replay,
}

impl CommandKind {
    /// Returns the first words of its commands.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Link => &["link"],
            Self::Close => &["close"],
            Self::Replay => &["pause", "play", "step", "speed"],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Close => "close",
            Self::Replay => "replay",
        }
    }
}

impl Default for PageConfig {
    fn default() -> Self {
        Self {
            title: "gamewire".into(),
            protocols: ProtocolConfig::default(),
            live_bytes: 256 << 20,
            file_bytes: 512 << 20,
            commands: Vec::new(),
        }
    }
}

/// A command from the page.
#[derive(Debug)]
pub struct Command {
    /// The command as on standard input.
    pub line: String,
    /// Takes the outcome: an error is a sentence.
    pub answer: SyncSender<Result<(), String>>,
}

/// The content of a page. Cloning it is cheap: the clones share it.
#[derive(Clone, Debug)]
pub struct Page(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: PageConfig,
    catalog: Catalog,
    sources: Mutex<Vec<Source>>,
    /// Numbers of the sources that were opened on the page.
    opened: Mutex<VecDeque<u64>>,
    next_source: AtomicU64,
    commands: SyncSender<Command>,
    /// State of the program that the page shows as it is, such as the position of a replay.
    program: Mutex<Json>,
    /// States of other programs.
    fleet: Mutex<Json>,
}

impl Page {
    /// Creates a page without sources, and the commands that its users give.
    pub fn new(config: PageConfig) -> (Self, Receiver<Command>) {
        let (commands, received) = sync_channel(COMMANDS);
        let mut catalog = Catalog::with_all_protocols();
        catalog.add_riptide_messages(&config.protocols.riptide_messages);
        catalog.add_freeciv_packets(&config.protocols.freeciv);
        let shared = Shared {
            config,
            catalog,
            sources: Mutex::default(),
            opened: Mutex::default(),
            next_source: AtomicU64::new(1),
            commands,
            program: Mutex::default(),
            fleet: Mutex::default(),
        };
        (Self(Arc::new(shared)), received)
    }

    /// Adds a source.
    pub fn add_source(&self, name: &str, kind: SourceKind) -> Source {
        let config = &self.0.config;
        self.add(name, kind, if kind == SourceKind::Live { config.live_bytes } else { config.file_bytes })
    }

    /// Adds a file that was opened on the page.
    pub(crate) fn add_opened(&self, name: &str) -> Source {
        let source = self.add(name, SourceKind::File, OPENED_BYTES);
        let mut opened = self.0.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push_back(source.number());
        if opened.len() > OPENED_FILES
            && let Some(oldest) = opened.pop_front()
        {
            self.remove_source(oldest);
        }
        source
    }

    fn add(&self, name: &str, kind: SourceKind, max_bytes: usize) -> Source {
        let number = self.0.next_source.fetch_add(1, Ordering::Relaxed);
        let source = Source::new(number, name, kind, max_bytes);
        self.0.sources.lock().unwrap_or_else(PoisonError::into_inner).push(source.clone());
        source
    }

    /// Removes a source. Readers that have it keep it.
    pub fn remove_source(&self, number: u64) {
        self.0
            .sources
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|source| source.number() != number);
    }

    /// Returns all sources.
    pub fn sources(&self) -> Vec<Source> {
        self.0.sources.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a source.
    pub fn source(&self, number: u64) -> Option<Source> {
        self.sources().into_iter().find(|source| source.number() == number)
    }

    /// Parses a filter with the names of all protocols and of the user's own messages.
    ///
    /// # Errors
    /// The error as a sentence.
    pub fn filter(&self, text: &str) -> Result<Filter, String> {
        Filter::parse(text, &self.0.catalog).map_err(|error| error.to_string())
    }

    /// Replaces the state of the program, an object that the page shows.
    pub fn set_program_state(&self, state: Json) {
        *self.0.program.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    pub(crate) fn program_state(&self) -> Json {
        self.0.program.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the state of the fleet: an object with the state of the connection, and the proxies.
    pub fn set_fleet(&self, fleet: Json) {
        *self.0.fleet.lock().unwrap_or_else(PoisonError::into_inner) = fleet;
    }

    pub(crate) fn fleet(&self) -> Json {
        self.0.fleet.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn config(&self) -> &PageConfig {
        &self.0.config
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }

    pub(crate) fn commands(&self) -> &SyncSender<Command> {
        &self.0.commands
    }
}
