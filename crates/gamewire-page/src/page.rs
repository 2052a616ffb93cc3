use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, ProtocolConfig};
use gamewire_tee::game_map::GameMap;
use gamewire_teeworlds::client::MapInfo;
use serde_json::Value as Json;

use crate::traffic::{AnnouncedMap, Source, SourceKind};

/// Maximum number of files that users opened on the page. A new file replaces the oldest one.
const MAX_OPENED_FILES: usize = 3;
/// Maximum bytes of packets that each of these files keeps.
const MAX_OPENED_BYTES: usize = 128 << 20;
/// Maximum number of queued commands.
const MAX_COMMANDS: usize = 16;

/// Configuration of a page.
#[derive(Clone, Debug)]
pub struct PageConfig {
    /// Heading of the page, such as the program's subcommand and address.
    pub title: String,
    /// Protocol settings for opened files, pasted bytes and filters.
    pub protocols: ProtocolConfig,
    /// Folders in which the page looks for a server's map of Teeworlds if the traffic does not contain it. A file is named
    /// `NAME.map`, or as [`MapInfo::file_name`] names it.
    pub map_folders: Vec<PathBuf>,
    /// Maximum bytes of packets that a live source keeps.
    pub live_bytes: usize,
    /// Maximum bytes of packets that a file added with [`Page::add_source`] keeps.
    pub file_bytes: usize,
    /// Commands that the program accepts.
    pub commands: Vec<CommandKind>,
}

/// A kind of command that the page has a control for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandKind {
    /// Changes the conditions of a link: `link DIRECTION LIST`.
    Link,
    /// Closes a client's connection: `close NUMBER`.
    Close,
    /// Controls a replay: `pause`, `play`, `step`, `speed N`.
    Replay,
}

impl CommandKind {
    /// Returns the first words of the commands of this kind.
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
            map_folders: Vec::new(),
            live_bytes: 256 << 20,
            file_bytes: 512 << 20,
            commands: Vec::new(),
        }
    }
}

/// A command from the page.
#[derive(Debug)]
pub struct Command {
    /// The command line, in the form that the program reads from standard input.
    pub line: String,
    /// Receives the outcome. An error is a sentence for the user.
    pub answer: SyncSender<Result<(), String>>,
}

/// The content of a page. Clones share it.
#[derive(Clone, Debug)]
pub struct Page(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    config: PageConfig,
    catalog: Catalog,
    sources: Mutex<Vec<Source>>,
    /// Numbers of the sources that users opened on the page, oldest first.
    opened: Mutex<VecDeque<u64>>,
    next_source: AtomicU64,
    commands: SyncSender<Command>,
    command_waker: Mutex<Option<Waker>>,
    /// State of the program, such as the position of a replay. The page shows it unchanged.
    program: Mutex<Json>,
    /// States of other programs.
    fleet: Mutex<Json>,
    /// The map of Teeworlds that was read last.
    game_map: Mutex<Option<(MapInfo, Arc<GameMap>)>>,
}

impl Page {
    /// Creates a page without sources. The receiver yields the commands that users give on the page.
    pub fn new(config: PageConfig) -> (Self, Receiver<Command>) {
        let (commands, received) = sync_channel(MAX_COMMANDS);
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
            command_waker: Mutex::default(),
            program: Mutex::default(),
            fleet: Mutex::default(),
            game_map: Mutex::default(),
        };
        (Self(Arc::new(shared)), received)
    }

    /// Wakes this waker after each command that a user gives on the page.
    pub fn set_command_waker(&self, waker: Waker) {
        *self.0.command_waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }

    /// Adds a source.
    pub fn add_source(&self, name: &str, kind: SourceKind) -> Source {
        let config = &self.0.config;
        self.add(name, kind, if kind == SourceKind::Live { config.live_bytes } else { config.file_bytes })
    }

    /// Adds a file that a user opened on the page. Removes the oldest such file if there are too many.
    pub(crate) fn add_opened(&self, name: &str) -> Source {
        let source = self.add(name, SourceKind::File, MAX_OPENED_BYTES);
        let mut opened = self.0.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.push_back(source.number());
        if opened.len() > MAX_OPENED_FILES
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

    /// Removes a source. Clones of it stay usable.
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

    /// Returns the source with this number.
    pub fn source(&self, number: u64) -> Option<Source> {
        self.sources().into_iter().find(|source| source.number() == number)
    }

    /// Parses a filter. It can use the names of all protocols and of the user's own messages.
    ///
    /// # Errors
    /// A sentence for the user if the filter is invalid.
    pub fn filter(&self, text: &str) -> Result<Filter, String> {
        Filter::parse(text, &self.0.catalog).map_err(|error| error.to_string())
    }

    /// Replaces the state of the program, a JSON object that the page shows.
    pub fn set_program_state(&self, state: Json) {
        *self.0.program.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    pub(crate) fn program_state(&self) -> Json {
        self.0.program.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the state of the fleet: a JSON object with the state of the connection, and the proxies.
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

    /// Returns the tiles of a map. Returns `None` if its file is in no folder and was not sent completely.
    pub(crate) fn game_map(&self, map: &AnnouncedMap) -> Option<Arc<GameMap>> {
        let last = || self.0.game_map.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((info, read)) = &*last()
            && *info == map.info
            && read.rules() == map.rules
        {
            return Some(Arc::clone(read));
        }
        // Other requests do not wait for the file.
        let file = map.downloaded().or_else(|| self.map_file(&map.info))?;
        let read = Arc::new(map.read(&file)?);
        *last() = Some((map.info.clone(), Arc::clone(&read)));
        Some(read)
    }

    fn map_file(&self, map: &MapInfo) -> Option<Vec<u8>> {
        // Only a name that is a valid file name has one.
        let names = [map.file_name()?, format!("{}.map", map.name)];
        let mut paths = self
            .0
            .config
            .map_folders
            .iter()
            .flat_map(|folder| names.each_ref().map(|name| folder.join(name)));
        paths.find_map(|path| std::fs::read(path).ok().filter(|bytes| map.check(bytes).is_ok()))
    }

    /// Queues a command for the program and wakes it. Returns false if the queue is full, or if the program takes no
    /// commands.
    pub(crate) fn send_command(&self, command: Command) -> bool {
        let is_sent = self.0.commands.try_send(command).is_ok();
        if let Some(waker) = &*self.0.command_waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake_by_ref();
        }
        is_sent
    }
}
