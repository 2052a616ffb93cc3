use thiserror::Error;

use super::file::{Code, header};
use super::names::{Names, module_names};
use super::{body, docs, owned, packet, shape, whole};
use crate::ir::{Packet, Protocol};

/// A protocol as Rust: formatted as `rustfmt` would nearly do it, and documented from the definition.
#[derive(Clone, Debug)]
pub struct Rust<'a> {
    protocol: &'a Protocol,
    command: String,
    codec: String,
}

/// A file of generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustFile {
    /// What it is called, such as `city.rs`.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A field that generated code cannot have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{packet}.{field}: {what}")]
pub struct UnsupportedField {
    /// The packet.
    pub packet: String,
    /// The field in it.
    pub field: String,
    /// What is unusual in it.
    pub what: &'static str,
}

impl<'a> Rust<'a> {
    /// Of a protocol, to be used by crates that depend on `gamewire-freeciv`.
    ///
    /// # Errors
    /// When a field is of a shape that generated code cannot have.
    pub fn new(protocol: &'a Protocol) -> Result<Self, UnsupportedField> {
        protocol.packets.iter().try_for_each(shape::supported)?;
        let (command, codec) = ("gamewire compile --emit rust".into(), "gamewire_freeciv::codec".into());
        Ok(Self { protocol, command, codec })
    }

    /// The command that the first line of a file names.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// The path of `gamewire_freeciv::codec` where the code is to stand.
    #[must_use]
    pub fn codec(mut self, path: impl Into<String>) -> Self {
        self.codec = path.into();
        self
    }

    /// All in one file, to be a module or to be included in one.
    #[must_use]
    pub fn file(&self) -> String {
        let names = Names::new(self.protocol);
        let mut code = Code::default();
        for packet in &self.protocol.packets {
            self.packet(&mut code, packet, &names);
        }
        whole::packet(&mut code, self.protocol, &names);
        owned::owned(&mut code, self.protocol, &names);
        whole::baselines(&mut code, self.protocol, &names);
        whole::protocol(&mut code, self.protocol, &names);
        // No `//!`, which `include!` does not take.
        let title = format!("// The packets of {}.", whole::title(self.protocol));
        format!("{}{title}\n\n{}", header(&self.command), code.with_imports(&self.codec, &[]))
    }

    /// A folder: a file for each topic, and those that stand for the whole.
    #[must_use]
    pub fn folder(&self) -> Vec<RustFile> {
        let names = Names::new(self.protocol);
        let topics = module_names(self.protocol);
        let mut files = Vec::new();
        for (topic, module) in &topics {
            let mut code = Code::default();
            let packets = self.protocol.packets.iter().filter(|packet| topic_of(packet) == *topic);
            packets.for_each(|packet| self.packet(&mut code, packet, &names));
            let known = self.protocol.topics.iter().find(|known| known.name == *topic);
            let doc = known.map_or("", |known| known.doc.as_str());
            files.push(self.named(module, &docs::topic(topic, doc), &code, &[]));
        }
        let structs: Vec<(String, String)> = topics
            .iter()
            .flat_map(|(topic, module)| {
                let packets = self.protocol.packets.iter().filter(|packet| topic_of(packet) == *topic);
                packets.map(|packet| (module.clone(), names.of(packet).to_owned()))
            })
            .collect();
        let mut code = Code::default();
        whole::packet(&mut code, self.protocol, &names);
        files.push(self.named("packet", "Any packet.", &code, &structs));
        let siblings = [("packet".to_owned(), "Packet".to_owned())];
        let all: Vec<_> = structs.iter().chain(&siblings).cloned().collect();
        let mut code = Code::default();
        owned::owned(&mut code, self.protocol, &names);
        // Those without fields have no struct in it.
        let empty = |name: &str| {
            self.protocol.packets.iter().any(|packet| names.of(packet) == name && packet.fields.is_empty())
        };
        let kept: Vec<_> = all.iter().filter(|(_, name)| !empty(name)).cloned().collect();
        files.push(self.named("owned", "Any packet, kept.", &code, &kept));
        let mut code = Code::default();
        whole::baselines(&mut code, self.protocol, &names);
        files.push(self.named("baselines", "What both sides remember.", &code, &all));
        let mut code = Code::default();
        whole::protocol(&mut code, self.protocol, &names);
        files.push(self.named("protocol", "What the definition says.", &code, &structs));
        let text = whole::root(&header(&self.command), self.protocol, &topics);
        files.push(RustFile { name: "mod.rs".into(), text });
        files
    }

    fn named(&self, name: &str, doc: &str, code: &Code, siblings: &[(String, String)]) -> RustFile {
        let head = header(&self.command);
        let doc: String = doc.lines().map(|line| format!("//! {line}\n")).collect();
        let text = format!("{head}{doc}\n{}", code.with_imports(&self.codec, siblings));
        RustFile { name: format!("{name}.rs"), text }
    }

    fn packet(&self, code: &mut Code, packet: &Packet, names: &Names) {
        packet::structure(code, packet, names);
        packet::fields(code, packet, names);
        body::body(code, packet, names);
    }
}

/// What a packet is about.
pub(super) fn topic_of(packet: &Packet) -> &str {
    &packet.topic
}
