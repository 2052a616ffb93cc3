use super::code::{Code, escaped};
use super::names::{module_names, struct_names, structure_name};
use super::packet::{UnsupportedField, check_fields, write_struct};
use super::structure::{structures, write_structure};
use super::versions::{Merged, merge};
use crate::ir::{Packet, Protocol, Structure, Topic, Version};

/// The path of the codec that the derive macro uses by default.
const CODEC: &str = "gamewire_freeciv::codec";

/// A protocol as Rust code, with the documentation in the definition. The format is close to the output of `rustfmt`.
#[must_use]
pub struct Rust<'a> {
    /// The versions, oldest first.
    versions: &'a [Protocol],
    /// The version numbers without patch numbers.
    numbers: Vec<String>,
    packets: Vec<Merged<'a>>,
    /// The structures, each after the ones that it contains.
    structures: Vec<&'a Structure>,
    /// Names of the structs, in the order of the packets.
    names: Vec<String>,
    command: String,
    codec: String,
}

/// A file with generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustFile {
    /// Name of the file, such as `city.rs`.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

impl<'a> Rust<'a> {
    /// Prepares code for a crate that depends on `gamewire-freeciv`.
    ///
    /// # Errors
    /// [`UnsupportedField`] if generated code does not support a field of this type.
    pub fn new(protocol: &'a Protocol) -> Result<Self, UnsupportedField> {
        Self::of_versions(std::slice::from_ref(protocol))
    }

    /// Prepares code for several versions of a protocol, oldest first. Each packet has one struct for all versions. Its
    /// fields can hold the values of every version.
    ///
    /// # Errors
    /// [`UnsupportedField`] in the cases of [`new`](Self::new), and if no type can hold the values of a field in all
    /// versions.
    pub fn of_versions(versions: &'a [Protocol]) -> Result<Self, UnsupportedField> {
        versions.iter().flat_map(|protocol| &protocol.packets).try_for_each(check_fields)?;
        let packets = merge(versions)?;
        let structures = structures(versions)?;
        let of_structures = structures.iter().map(|structure| structure_name(structure));
        let names = struct_names(packets.iter().map(|packet| packet.packet), of_structures);
        let number = |protocol: &Protocol| {
            let Version([major, minor, _]) = protocol.version.unwrap_or_default();
            format!("{major}.{minor}")
        };
        let numbers = versions.iter().map(number).collect();
        let (command, codec) = ("gamewire compile --emit rust".into(), CODEC.into());
        Ok(Self { versions, numbers, packets, structures, names, command, codec })
    }

    /// Sets the command in the first line of each file.
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = command.into();
        self
    }

    /// Sets the path of `gamewire_freeciv::codec`, for a crate that uses another name for it.
    pub fn codec(mut self, path: impl Into<String>) -> Self {
        self.codec = path.into();
        self
    }

    /// Returns the code as one file, for use as a module or with `include!`.
    pub fn file(&self) -> String {
        let mut code = Code::default();
        self.write_structures(&mut code);
        self.write_structs(&mut code, |_| true);
        self.write_protocol(&mut code);
        // `include!` does not support `//!`.
        format!("{}// {}\n\n{}", self.header(), self.title(), code.with_imports(&self.codec, &[]))
    }

    /// Returns the code as a folder: a file for each topic, `protocol.rs` with the protocol of all packets, and
    /// `mod.rs`.
    pub fn folder(&self) -> Vec<RustFile> {
        let structures: Vec<String> =
            self.structures.iter().map(|structure| structure_name(structure)).collect();
        let topics = module_names(self.packets.iter().map(|packet| packet.packet));
        let mut files = Vec::new();
        for (topic, module) in &topics {
            let mut code = Code::default();
            self.write_structs(&mut code, |packet| packet.topic == *topic);
            let known = self.topics().iter().find(|known| known.name == *topic);
            let doc = match (*topic, known.map_or("", |known| known.doc.as_str())) {
                ("", "") => "The packets.".into(),
                (name, "") => format!("Packets about {}.", name.replace('_', " ")),
                (_, doc) => escaped(doc),
            };
            files.push(self.rust_file(module, &doc, &code.with_imports(&self.codec, &structures)));
        }
        let mut code = Code::default();
        self.write_structures(&mut code);
        self.write_protocol(&mut code);
        let uses_codec = self.structures.iter().any(|structure| structure.to_string().contains("bool32"));
        let import = if uses_codec { format!("use {}::Bool32;\n", self.codec) } else { String::new() };
        let text = format!("{import}use super::*;\n{}", code.text);
        files.push(self.rust_file("protocol", "All packets together.", &text));
        let mut modules: Vec<&str> = topics.iter().map(|(_, module)| module.as_str()).collect();
        modules.push("protocol");
        modules.sort_unstable();
        let list = |word: &str, end: &str| -> String {
            modules.iter().map(|module| format!("{word} {module}{end};\n")).collect()
        };
        let text = format!("{}\n{}", list("mod", ""), list("pub use", "::*"));
        files.push(self.rust_file("mod", &self.title(), &text));
        files
    }

    fn rust_file(&self, name: &str, doc: &str, code: &str) -> RustFile {
        let doc: String = doc.lines().map(|line| format!("//! {line}\n")).collect();
        RustFile { name: format!("{name}.rs"), text: format!("{}{doc}\n{code}", self.header()) }
    }

    fn header(&self) -> String {
        format!("// Generated by `{}`; edit the definition instead.\n\n", self.command)
    }

    fn title(&self) -> String {
        let names: Vec<String> =
            self.versions.iter().map(|protocol| format!("`{}`", protocol.name)).collect();
        match names.join(", ").as_str() {
            "``" => "The packets of a definition.".to_owned(),
            names => format!("The packets of {names}."),
        }
    }

    /// Returns the topics. All versions have the same ones.
    fn topics(&self) -> &'a [Topic] {
        self.versions.first().map_or(&[], |protocol| &protocol.topics)
    }

    fn write_structs(&self, code: &mut Code, is_wanted: impl Fn(&Packet) -> bool) {
        let codec = (self.codec != CODEC).then_some(self.codec.as_str());
        let packets = self.packets.iter().zip(&self.names);
        let packets = packets.filter(|(packet, _)| is_wanted(packet.packet));
        packets.for_each(|(packet, name)| write_struct(code, packet, name, &self.numbers, codec));
    }

    fn write_structures(&self, code: &mut Code) {
        self.structures.iter().for_each(|structure| write_structure(code, structure, &self.codec));
    }

    /// Writes the call of `packets!`, which builds one protocol from all packets.
    fn write_protocol(&self, code: &mut Code) {
        let Self { versions, names, codec, .. } = self;
        let pair = |(first, second): (&String, &String)| format!("({first:?}, {second:?})");
        code.line("");
        code.line(format!("{codec}::packets! {{"));
        code.line("versions: [");
        for protocol in *versions {
            code.line("{");
            code.line(format!("name: {:?},", protocol.name));
            let version = protocol.version.map(|version| version.to_string()).unwrap_or_default();
            code.line(format!("version: {version:?},"));
            code.line(format!("capabilities: {:?},", protocol.capability_string));
            code.list("aliases", protocol.aliases.iter().map(|alias| pair((&alias.name, &alias.source))));
            code.line("},");
        }
        code.line("],");
        code.list("topics", self.topics().iter().map(|topic| pair((&topic.name, &topic.doc))));
        code.list("packets", names.iter().cloned());
        code.line("}");
    }
}
