use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;

use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::render::{DisplayValue, Escaped};
use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::Value;

use crate::exit_status::Failure;
use crate::user_file::cannot_write;

/// Maximum number of errors that are written to files.
const MAX_ERRORS: usize = 100;

/// A writer of files that reproduce decode errors.
pub(super) struct Dump {
    folder: PathBuf,
    written: usize,
}

impl Dump {
    pub(super) const fn new(folder: PathBuf) -> Self {
        Self { folder, written: 0 }
    }

    /// Writes the replay data of a record's error, if there is one.
    pub(super) fn look(
        dump: Option<&mut Self>,
        packet_info: PacketMeta<'_>,
        record: &Record,
    ) -> Result<(), Failure> {
        let Some(dump) = dump.filter(|dump| dump.written < MAX_ERRORS && record.errors() > 0) else {
            return Ok(());
        };
        let groups = record.nodes().filter(|node| matches!(node.kind(), NodeKind::Group(_)));
        for group in groups.filter(|group| group.name() == "desync") {
            dump.written = dump.written.saturating_add(1);
            let name = format!("desync-{}-{}", packet_info.number, packet_info.sender);
            dump.write(&name, packet_info, record, group)
                .map_err(|(path, error)| cannot_write(&path, &error))?;
        }
        Ok(())
    }

    fn write(
        &self,
        name: &str,
        packet_info: PacketMeta<'_>,
        record: &Record,
        group: NodeRef<'_>,
    ) -> Result<(), (PathBuf, io::Error)> {
        let make = |path: PathBuf, bytes: &[u8]| fs::write(&path, bytes).map_err(|error| (path, error));
        fs::create_dir_all(&self.folder).map_err(|error| (self.folder.clone(), error))?;
        let mut text = String::new();
        let errors = record.nodes().filter(|node| node.kind() == NodeKind::Error);
        for error in errors {
            if let Some(Value::Text(sentence)) = error.value() {
                let _ = writeln!(text, "{}", Escaped(sentence));
            }
        }
        text.push('\n');
        for field in group.children() {
            match field.value() {
                Some(Value::Bytes(stream)) if field.name() == "replay" => {
                    make(self.folder.join(format!("{name}.bin")), stream)?;
                }
                Some(Value::Text(value)) => {
                    let _ = writeln!(text, "{:<20} {}", field.name(), Escaped(value));
                }
                Some(value) => {
                    let _ = writeln!(text, "{:<20} {}", field.name(), DisplayValue(value));
                }
                None => {}
            }
        }
        let sender = packet_info.sender;
        let _ = writeln!(
            text,
            "\nTo reproduce the error, with the same --definition if one was given:\n\
             gamewire inspect --stream --sender {sender} {name}.bin -V"
        );
        make(self.folder.join(format!("{name}.txt")), text.as_bytes())
    }
}
