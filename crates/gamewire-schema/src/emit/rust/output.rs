use thiserror::Error;

use super::file::{Code, header};
use super::names::{Names, module_names};
use super::{docs, packet, packets, shape};
use crate::ir::{Packet, Protocol};

/// The path of the codec that the derive uses by default.
const CODEC: &str = "gamewire_freeciv::codec";

/// A protocol as Rust code, almost formatted like `rustfmt` does, and documented from the definition.
#[derive(Clone, Debug)]
pub struct Rust<'a> {
    protocol: &'a Protocol,
    command: String,
    codec: String,
}

/// A file of generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustFile {
    /// Its name, such as `city.rs`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A field that generated code does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{packet}.{field}: {what}")]
pub struct UnsupportedField {
    /// The packet.
    pub packet: String,
    /// The field in it.
    pub field: String,
    /// The reason.
    pub what: &'static str,
}

impl<'a> Rust<'a> {
    /// Prepares code for crates that depend on `gamewire-freeciv`.
    ///
    /// # Errors
    /// [`UnsupportedField`] if generated code does not support a field of this shape.
    pub fn new(protocol: &'a Protocol) -> Result<Self, UnsupportedField> {
        protocol.packets.iter().try_for_each(shape::supported)?;
        let (command, codec) = ("gamewire compile --emit rust".into(), CODEC.into());
        Ok(Self { protocol, command, codec })
    }

    /// Sets the command that the first line of a file names.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// Sets the path of `gamewire_freeciv::codec` for crates that use another name for it.
    #[must_use]
    pub fn codec(mut self, path: impl Into<String>) -> Self {
        self.codec = path.into();
        self
    }

    /// Writes one file, for use as a module or with `include!`.
    #[must_use]
    pub fn file(&self) -> String {
        let names = Names::new(self.protocol);
        let mut code = Code::default();
        self.protocol.packets.iter().for_each(|packet| self.structure(&mut code, packet, &names));
        packets::packets(&mut code, self.protocol, &names, &self.codec);
        // `include!` does not support `//!`.
        let title = format!("// The packets of {}.", title(self.protocol));
        format!("{}{title}\n\n{}", header(&self.command), code.with_imports(&self.codec))
    }

    /// Writes a folder: a file for each topic, `protocol.rs` for all packets together, and `mod.rs`.
    #[must_use]
    pub fn folder(&self) -> Vec<RustFile> {
        let names = Names::new(self.protocol);
        let topics = module_names(self.protocol);
        let mut files = Vec::new();
        for (topic, module) in &topics {
            let mut code = Code::default();
            let packets = self.protocol.packets.iter().filter(|packet| packet.topic == *topic);
            packets.for_each(|packet| self.structure(&mut code, packet, &names));
            let known = self.protocol.topics.iter().find(|known| known.name == *topic);
            let doc = known.map_or("", |known| known.doc.as_str());
            files.push(self.named(module, &docs::topic(topic, doc), &code.with_imports(&self.codec)));
        }
        let mut code = Code::default();
        packets::packets(&mut code, self.protocol, &names, &self.codec);
        let text = format!("use super::*;\n{}", code.text());
        files.push(self.named("protocol", "All packets together.", &text));
        let mut modules: Vec<&str> = topics.iter().map(|(_, module)| module.as_str()).collect();
        modules.push("protocol");
        modules.sort_unstable();
        let list = |word: &str, end: &str| -> String {
            modules.iter().map(|module| format!("{word} {module}{end};\n")).collect()
        };
        let text = format!("{}\n{}", list("mod", ""), list("pub use", "::*"));
        files.push(self.named("mod", &format!("The packets of {}.", title(self.protocol)), &text));
        files
    }

    fn named(&self, name: &str, doc: &str, code: &str) -> RustFile {
        let doc: String = doc.lines().map(|line| format!("//! {line}\n")).collect();
        RustFile { name: format!("{name}.rs"), text: format!("{}{doc}\n{code}", header(&self.command)) }
    }

    fn structure(&self, code: &mut Code, packet: &Packet, names: &Names) {
        let codec = (self.codec != CODEC).then_some(self.codec.as_str());
        packet::structure(code, packet, names, codec);
    }
}

/// Returns the name of a protocol for a sentence.
fn title(protocol: &Protocol) -> String {
    if protocol.name.is_empty() { "a definition".into() } else { format!("`{}`", protocol.name) }
}
