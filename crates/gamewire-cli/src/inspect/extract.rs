//! `--extract`: streams, maps and chat as files.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::render::Escaped;
use gamewire_inspect::time::Timestamp;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role, Transport};
use gamewire_wire::{Layer, Value};

use crate::exit_status::Failure;
use crate::user_file::cannot_write;

/// Maximum number of files. Content for further files is not written.
const MAX_FILES: usize = 4096;
/// Maximum number of open files.
const MAX_OPEN: usize = 64;
/// Maximum number of players and maps that are remembered.
const MAX_NAMES: usize = 65_536;
/// Maximum length of the part of a file name that a peer chose.
const MAX_NAME: usize = 64;

/// A writer of files in a folder, with the data that conversations transfer.
pub(super) struct Extract {
    folder: PathBuf,
    /// The files by name, with their lengths.
    files: BTreeMap<String, u64>,
    open: HashMap<String, File>,
    /// The last map that the server of each conversation announced.
    maps: HashMap<u64, MapDownload>,
    /// The names of players, by conversation and client id.
    players: HashMap<(u64, i64), String>,
}

/// A map and the part of it that was received.
struct MapDownload {
    file: String,
    size: u64,
    received: u64,
    /// The number of the next chunk.
    next: i64,
}

impl Extract {
    pub(super) fn new(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        Ok(Self {
            folder: folder.to_owned(),
            files: BTreeMap::new(),
            open: HashMap::new(),
            maps: HashMap::new(),
            players: HashMap::new(),
        })
    }

    /// Writes the data that a datagram or a run of bytes transfers.
    pub(super) fn look(&mut self, info: &PacketInfo, record: &Record) -> Result<(), Failure> {
        if info.transport == Transport::Tcp
            && let Some(bytes) = record.source(0)
        {
            self.append(&format!("conversation-{}-{}.bin", info.conversation, info.sender), bytes)?;
        }
        for node in record.nodes() {
            match (node.kind(), node.name()) {
                (NodeKind::Group(Layer::Message), "map_change") => self.announced(info, node),
                (NodeKind::Group(Layer::Message), "map_data") if !is_repeated(record, node) => {
                    self.map_data(info, node)?;
                }
                (NodeKind::Group(Layer::Message | Layer::Item), "client_info") => self.player(info, node),
                (NodeKind::Group(Layer::Message), "chat" | "chat_msg") if info.sender == Role::Server => {
                    self.chat(info, node)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn announced(&mut self, info: &PacketInfo, message: NodeRef<'_>) {
        let name = text(message, "name").map(|name| safe(&name)).unwrap_or_default();
        let size = number(message, "size").and_then(|size| u64::try_from(size).ok()).unwrap_or(0);
        let file = format!("conversation-{}-{name}.map", info.conversation);
        if self.maps.len() < MAX_NAMES && info.sender == Role::Server {
            self.maps.insert(info.conversation, MapDownload { file, size, received: 0, next: 0 });
        }
    }

    /// Writes the next chunk of a map. Chunks of 0.6 have numbers. Chunks of 0.7 are in order.
    fn map_data(&mut self, info: &PacketInfo, message: NodeRef<'_>) -> Result<(), Failure> {
        let Some(map) = self.maps.get_mut(&info.conversation) else { return Ok(()) };
        let data = message.child("data").and_then(|field| field.value());
        let Some(Value::Bytes(data)) = data else { return Ok(()) };
        let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
        let is_next = number(message, "chunk").is_none_or(|chunk| chunk == map.next);
        if !is_next || map.received.saturating_add(length) > map.size {
            return Ok(());
        }
        map.next = map.next.saturating_add(1);
        let file = map.file.clone();
        let is_first = map.received == 0;
        map.received = map.received.saturating_add(length);
        if is_first {
            self.files.remove(&file);
            self.open.remove(&file);
        }
        self.append(&file, data)
    }

    fn player(&mut self, info: &PacketInfo, node: NodeRef<'_>) {
        let id = number(node, "client_id").or_else(|| number(node, "item_id"));
        if let (Some(id), Some(name)) = (id, text(node, "name"))
            && self.players.len() < MAX_NAMES
        {
            self.players.insert((info.conversation, id), Escaped(&name).to_string());
        }
    }

    fn chat(&mut self, info: &PacketInfo, message: NodeRef<'_>) -> Result<(), Failure> {
        let Some(sent) = text(message, "text").or_else(|| text(message, "message")) else { return Ok(()) };
        let id = number(message, "client_id").filter(|id| *id >= 0);
        let speaker = id.map(|id| match self.players.get(&(info.conversation, id)) {
            Some(name) => format!("{name}: "),
            None => format!("player {id}: "),
        });
        let (time, speaker) = (Timestamp(info.timestamp), speaker.unwrap_or_default());
        let line = format!("{time:.3} {speaker}{}\n", Escaped(&sent));
        self.append(&format!("conversation-{}-chat.txt", info.conversation), line.as_bytes())
    }

    /// Appends to a file. The first call creates or truncates the file.
    fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let is_new = !self.files.contains_key(name);
        if is_new && self.files.len() >= MAX_FILES {
            return Ok(());
        }
        let path = self.folder.join(name);
        if !self.open.contains_key(name) {
            if self.open.len() >= MAX_OPEN {
                self.open.clear();
            }
            let mut options = File::options();
            if is_new {
                options.write(true).create(true).truncate(true)
            } else {
                options.append(true)
            };
            let file = options.open(&path).map_err(|error| cannot_write(&path, &error))?;
            self.open.insert(name.to_owned(), file);
        }
        if let Some(file) = self.open.get_mut(name) {
            file.write_all(bytes).map_err(|error| cannot_write(&path, &error))?;
        }
        let length = self.files.entry(name.to_owned()).or_default();
        *length = length.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    /// Lists the files.
    pub(super) fn list(&self, to: &mut impl Write) -> io::Result<()> {
        for (name, length) in &self.files {
            let map = self.maps.values().find(|map| map.file == *name && map.received < map.size);
            match map {
                Some(map) => writeln!(to, "{name}  {length} of {} bytes", map.size)?,
                None => writeln!(to, "{name}  {length} bytes")?,
            }
        }
        Ok(())
    }
}

/// Returns whether the chunk that contains a message was received before.
fn is_repeated(record: &Record, message: NodeRef<'_>) -> bool {
    let around = record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Group));
    let is_same = |child: &NodeRef<'_>| child.name() == message.name() && child.span() == message.span();
    around.filter(|chunk| chunk.children().any(|child| is_same(&child))).any(|chunk| {
        chunk.children().any(|field| field.name() == "repeated" && field.value() == Some(Value::Bool(true)))
    })
}

fn number(node: NodeRef<'_>, name: &str) -> Option<i64> {
    match node.child(name)?.value()? {
        Value::Int(value) | Value::Named { value, .. } => Some(value),
        Value::Uint(value) => i64::try_from(value).ok(),
        _ => None,
    }
}

fn text(node: NodeRef<'_>, name: &str) -> Option<Vec<u8>> {
    match node.child(name)?.value()? {
        Value::Text(text) => Some(text.to_owned()),
        _ => None,
    }
}

/// Returns a name that a peer chose as part of a file name. Bytes other than letters, digits, `-` and `_` become `_`.
fn safe(name: &[u8]) -> String {
    let is_safe = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    name.iter().take(MAX_NAME).map(|byte| if is_safe(byte) { char::from(*byte) } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_a_name_of_a_peer_stays_in_the_folder() {
        for (name, expected) in [
            (&b"dm1"[..], "dm1"),
            (b"../../etc/passwd", "______etc_passwd"),
            (b"/abs\\x\0y", "_abs_x_y"),
            (b"..", "__"),
            ("ä".as_bytes(), "__"),
            (b"", ""),
        ] {
            assert_eq!(safe(name), expected);
        }
        assert_eq!(safe(&[b'x'; 1000]).len(), MAX_NAME);
    }
}
