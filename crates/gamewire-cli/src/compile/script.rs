//! Classes for `riptide.js` from a file that names the messages of a game.

use gamewire_inspect::render::Escaped;
use gamewire_riptide::layout::{Count, FieldLayout, FieldType, MessageKind, MessageLayouts, Scalar};

/// The language of the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    TypeScript,
    JavaScript,
}

const START: &str = "\
// Made by `gamewire compile`; do not edit.

import { Message, MessageSendMode } from \"./riptide.js\";
";

/// Returns a module with a class for each struct and message.
pub(super) fn module(layouts: &MessageLayouts, script: Script) -> String {
    let structs: Vec<_> = layouts.structs().collect();
    let writer = ClassWriter { structs: structs.iter().map(|(name, _)| class_name(name)).collect(), script };
    let mut text = START.to_owned();
    text += &writer.typed(
        "
/** Takes the values of an array. The message must have at least a bit for each. */
function take<T>(message: Message, count: number, one: () => T): T[] {
    if (count > message.UnreadBits) throw new RangeError(`the message does not have ${count} values`);
    return Array.from({ length: count }, one);
}
",
        "
/** Takes the values of an array. The message must have at least a bit for each. */
function take(message, count, one) {
    if (count > message.UnreadBits) throw new RangeError(`the message does not have ${count} values`);
    return Array.from({ length: count }, one);
}
",
    );
    for (name, fields) in structs {
        text += &writer.class(&class_name(name), "", fields, None);
    }
    for message in layouts.messages() {
        text += &writer.class(&class_name(message.name), &message.doc, &message.fields, Some(message.kind));
    }
    text
}

/// Returns `PlayerMove` for `player_move`.
pub(super) fn class_name(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<String>()
        })
        .collect()
}

struct ClassWriter {
    /// Classes of the structs, by index.
    structs: Vec<String>,
    script: Script,
}

impl ClassWriter {
    /// Returns the text of the language.
    fn typed(&self, typescript: &str, javascript: &str) -> String {
        match self.script {
            Script::TypeScript => typescript,
            Script::JavaScript => javascript,
        }
        .to_owned()
    }

    fn class(&self, name: &str, doc: &str, fields: &[FieldLayout], kind: Option<MessageKind>) -> String {
        let mut text = format!("\n{}export class {name} {{\n", comment("", doc));
        if let Some(MessageKind::Message(id)) = kind {
            text += &format!("    static {}Id = {id};\n", self.typed("readonly ", ""));
        }
        for field in fields {
            let of_type = self.typed(&format!(": {}", self.type_of(field)), "");
            text += &comment("    ", &field.doc);
            text += &format!("    {}{of_type} = {};\n", field.name, self.default_of(field));
        }
        let values = self.typed(&format!("values: Partial<{name}> = {{}}"), "values = {}");
        let (message, returns) = (self.typed("message: Message", "message"), self.typed(": Message", ""));
        text += &format!("\n    constructor({values}) {{\n        Object.assign(this, values);\n    }}\n");
        text += &format!("\n    Serialize({message}){returns} {{\n");
        for field in fields {
            text += &format!("        {}\n", self.write(field));
        }
        text += "        return message;\n    }\n";
        let returns = self.typed(&format!(": {name}"), "");
        text += &format!(
            "\n    static Deserialize({message}){returns} {{\n        const value = new {name}();\n"
        );
        for field in fields {
            text += &format!("        value.{} = {};\n", field.name, self.read(field));
        }
        text += "        return value;\n    }\n";
        text += &kind.map(|kind| self.to_message(name, kind)).unwrap_or_default();
        text += "}\n";
        text
    }

    fn to_message(&self, name: &str, kind: MessageKind) -> String {
        let (parameter, create) = match kind {
            MessageKind::Message(_) => (
                self.typed(
                    "mode: MessageSendMode = MessageSendMode.Reliable",
                    "mode = MessageSendMode.Reliable",
                ),
                format!("Message.Create(mode, {name}.Id)"),
            ),
            MessageKind::Notify => (String::new(), "Message.Create(MessageSendMode.Notify)".into()),
            MessageKind::Connect | MessageKind::Reject | MessageKind::Kick => {
                (String::new(), "Message.Create()".into())
            }
        };
        let returns = self.typed(": Message", "");
        format!(
            "\n    ToMessage({parameter}){returns} {{\n        return this.Serialize({create});\n    }}\n"
        )
    }

    fn struct_name(&self, index: usize) -> &str {
        self.structs.get(index).map_or("unknown", String::as_str)
    }

    fn type_of(&self, field: &FieldLayout) -> String {
        let one = match field.field_type {
            FieldType::String => "string",
            FieldType::Scalar(Scalar::Bool) => "boolean",
            FieldType::Scalar(scalar) if is_big(scalar) => "bigint",
            FieldType::Scalar(_) => "number",
            FieldType::Vector(2) => "{ x: number; y: number }",
            FieldType::Vector(3) => "{ x: number; y: number; z: number }",
            FieldType::Vector(_) => "{ x: number; y: number; z: number; w: number }",
            FieldType::Struct(index) => self.struct_name(index),
        };
        if field.is_list() { format!("({one})[]") } else { one.to_owned() }
    }

    fn default_of(&self, field: &FieldLayout) -> String {
        if field.is_list() {
            return "[]".into();
        }
        match field.field_type {
            FieldType::String => "\"\"".into(),
            FieldType::Scalar(Scalar::Bool) => "false".into(),
            FieldType::Scalar(scalar) if is_big(scalar) => "0n".into(),
            FieldType::Scalar(_) => "0".into(),
            FieldType::Vector(2) => "{ x: 0, y: 0 }".into(),
            FieldType::Vector(3) => "{ x: 0, y: 0, z: 0 }".into(),
            FieldType::Vector(_) => "{ x: 0, y: 0, z: 0, w: 1 }".into(),
            FieldType::Struct(index) => format!("new {}()", self.struct_name(index)),
        }
    }

    fn write(&self, field: &FieldLayout) -> String {
        let one = |value: &str| match field.field_type {
            FieldType::Struct(_) => format!("{value}.Serialize(message);"),
            FieldType::Scalar(Scalar::Bits(bits)) => format!("message.AddBits({value}, {bits});"),
            other => format!("message.Add{}({value});", method(other)),
        };
        let name = format!("this.{}", field.name);
        match field.count {
            Count::One => one(&name),
            Count::Prefixed => {
                format!(
                    "message.AddVarULong({name}.length);\n        for (const one of {name}) {}",
                    one("one")
                )
            }
            Count::Fixed(count) => format!(
                "if ({name}.length !== {count}) throw new RangeError(\"{} has {count} values\");\n        for (const one of {name}) {}",
                field.name,
                one("one")
            ),
        }
    }

    fn read(&self, field: &FieldLayout) -> String {
        let one = match field.field_type {
            FieldType::Struct(index) => format!("{}.Deserialize(message)", self.struct_name(index)),
            FieldType::Scalar(scalar @ Scalar::Bits(bits)) => {
                let of_type = self.typed(if is_big(scalar) { " as bigint" } else { " as number" }, "");
                format!("message.GetBits({bits}){of_type}")
            }
            other => format!("message.Get{}()", method(other)),
        };
        match field.count {
            Count::One => one,
            Count::Prefixed => format!("take(message, Number(message.GetVarULong()), () => {one})"),
            Count::Fixed(count) => format!("take(message, {count}, () => {one})"),
        }
    }
}

/// Returns whether values are bigints, because a number has 53 bits.
const fn is_big(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Long | Scalar::ULong | Scalar::VarLong | Scalar::VarULong | Scalar::Bits(33..))
}

/// Returns the name in the methods of messages.
fn method(field_type: FieldType) -> String {
    match field_type {
        FieldType::String => "String".into(),
        FieldType::Vector(4) => "Quaternion".into(),
        FieldType::Vector(count) => format!("Vector{count}"),
        FieldType::Scalar(scalar) => format!("{scalar:?}"),
        FieldType::Struct(_) => "Serializable".into(),
    }
}

/// Returns a comment, if there is text for one. The text cannot end it.
fn comment(indent: &str, doc: &str) -> String {
    if doc.is_empty() {
        return String::new();
    }
    let doc = Escaped(doc.as_bytes()).to_string().replace("*/", "* /");
    format!("{indent}/** {doc} */\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_riptide::layout::{MessageDefinition, StructDefinition};

    use super::*;

    #[test]
    fn a_class_has_the_id_the_fields_and_both_directions() {
        let weapon = StructDefinition::new("weapon", ["ammo: byte"]);
        let mut moves = MessageDefinition::new(
            MessageKind::Message(10),
            "player_move",
            ["tick: ushort # counts */ up", "items: weapon[]", "flags: bits:40", "keys: bool[4]"],
        );
        moves.doc = "Position of a player.".into();
        let layouts = MessageLayouts::new(&[weapon], &[moves]).unwrap();
        let typescript = module(&layouts, Script::TypeScript);
        for part in [
            "export class Weapon {\n    ammo: number = 0;\n",
            "/** Position of a player. */\nexport class PlayerMove {\n    static readonly Id = 10;\n",
            "    /** counts * / up */\n    tick: number = 0;\n    items: (Weapon)[] = [];\n    flags: bigint = 0n;\n",
            "        for (const one of this.items) one.Serialize(message);\n        message.AddBits(this.flags, 40);\n",
            "        if (this.keys.length !== 4) throw new RangeError(\"keys has 4 values\");\n",
            "        value.items = take(message, Number(message.GetVarULong()), () => Weapon.Deserialize(message));\n",
            "ToMessage(mode: MessageSendMode = MessageSendMode.Reliable): Message {",
        ] {
            assert!(typescript.contains(part), "{part}\n{typescript}");
        }
        let javascript = module(&layouts, Script::JavaScript);
        assert!(
            javascript.contains("    static Id = 10;\n") && !javascript.contains(": number"),
            "{javascript}"
        );
    }

    #[test]
    fn names_are_those_of_classes() {
        for (name, class) in [("player_move", "PlayerMove"), ("x", "X"), ("_a__b2_", "AB2")] {
            assert_eq!(class_name(name), class);
        }
    }
}
