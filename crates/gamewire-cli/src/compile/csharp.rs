//! C# classes for Riptide's `Message` from a file that names the messages of a game.

use gamewire_inspect::render::Escaped;
use gamewire_riptide::layout::{Count, FieldLayout, FieldType, MessageKind, MessageLayouts, Scalar};

use super::script::class_name;

const START: &str = "\
// Made by `gamewire compile`; do not edit.
";

/// The types of vectors in the engines. Components have small letters in Unity only.
const VECTORS: &str = "
#if UNITY_5_3_OR_NEWER
using Vector2 = UnityEngine.Vector2;
using Vector3 = UnityEngine.Vector3;
using Quaternion = UnityEngine.Quaternion;
#elif GODOT
using Vector2 = Godot.Vector2;
using Vector3 = Godot.Vector3;
using Quaternion = Godot.Quaternion;
#else
using Vector2 = System.Numerics.Vector2;
using Vector3 = System.Numerics.Vector3;
using Quaternion = System.Numerics.Quaternion;
#endif
";

const VALUES: &str = "
/// <summary>Values that messages share.</summary>
internal static class MessageValues
{
    /// <summary>Takes the number of values of an array. The message must have at least a bit for each; otherwise it is an
    /// error in Riptide's log, and there are none.</summary>
    internal static int TakeCount(Riptide.Message message)
    {
        ulong count = message.GetVarULong();
        if (count <= (ulong)message.UnreadBits)
            return (int)count;
        Riptide.Utils.RiptideLogger.Log(Riptide.Utils.LogType.Error, \"the message does not have \" + count + \" values\");
        return 0;
    }

    /// <summary>Checks that an array has the number of values of its message.</summary>
    internal static void CheckLength(System.Array array, int count, string name)
    {
        if (array.Length != count)
            throw new System.ArgumentException(name + \" has \" + count + \" values\", name);
    }
}
";

/// Methods for vectors: their number of components, and the names of these in Unity and elsewhere.
const VECTOR_METHODS: &str = "
/// <summary>Vectors in messages: a float for each component.</summary>
internal static class MessageVectors
{
    internal static void AddVector2(Riptide.Message message, Vector2 value)
    {
#if UNITY_5_3_OR_NEWER
        message.AddFloat(value.x).AddFloat(value.y);
#else
        message.AddFloat(value.X).AddFloat(value.Y);
#endif
    }

    internal static Vector2 GetVector2(Riptide.Message message)
    {
        return new Vector2(message.GetFloat(), message.GetFloat());
    }

    internal static void AddVector3(Riptide.Message message, Vector3 value)
    {
#if UNITY_5_3_OR_NEWER
        message.AddFloat(value.x).AddFloat(value.y).AddFloat(value.z);
#else
        message.AddFloat(value.X).AddFloat(value.Y).AddFloat(value.Z);
#endif
    }

    internal static Vector3 GetVector3(Riptide.Message message)
    {
        return new Vector3(message.GetFloat(), message.GetFloat(), message.GetFloat());
    }

    internal static void AddQuaternion(Riptide.Message message, Quaternion value)
    {
#if UNITY_5_3_OR_NEWER
        message.AddFloat(value.x).AddFloat(value.y).AddFloat(value.z).AddFloat(value.w);
#else
        message.AddFloat(value.X).AddFloat(value.Y).AddFloat(value.Z).AddFloat(value.W);
#endif
    }

    internal static Quaternion GetQuaternion(Riptide.Message message)
    {
        return new Quaternion(message.GetFloat(), message.GetFloat(), message.GetFloat(), message.GetFloat());
    }
}
";

/// Returns a file with a class for each struct and message. They are serializable types of Riptide.
pub(super) fn file(layouts: &MessageLayouts) -> String {
    let structs: Vec<_> = layouts.structs().collect();
    let all = || {
        let messages = layouts.messages().iter().flat_map(|message| &message.fields);
        structs.iter().flat_map(|(_, fields)| *fields).chain(messages)
    };
    let has_vectors = all().any(|field| matches!(field.field_type, FieldType::Vector(_)));
    let writer = ClassWriter { structs: structs.iter().map(|(name, _)| class_name(name)).collect() };
    let mut text = START.to_owned();
    if has_vectors {
        text += VECTORS;
    }
    if all().any(FieldLayout::is_list) {
        text += VALUES;
    }
    if has_vectors {
        text += VECTOR_METHODS;
    }
    for (name, fields) in &structs {
        text += &writer.class(&class_name(name), "", fields, None);
    }
    for message in layouts.messages() {
        text += &writer.class(&class_name(message.name), &message.doc, &message.fields, Some(message.kind));
    }
    text
}

struct ClassWriter {
    /// Classes of the structs, by index.
    structs: Vec<String>,
}

impl ClassWriter {
    fn class(&self, name: &str, doc: &str, fields: &[FieldLayout], kind: Option<MessageKind>) -> String {
        let mut text =
            format!("\n{}public sealed class {name} : Riptide.IMessageSerializable\n{{\n", comment("", doc));
        if let Some(MessageKind::Message(id)) = kind {
            text += &format!("    public const ushort Id = {id};\n");
        }
        for field in fields {
            text += &comment("    ", &field.doc);
            let (of_type, member) = (self.type_of(field), member_name(name, field.name));
            text += &format!("    public {of_type} {member}{};\n", self.default_of(field));
        }
        text += "\n    public void Serialize(Riptide.Message message)\n    {\n";
        for field in fields {
            text += &self.write(field, &member_name(name, field.name));
        }
        text += "    }\n\n    public void Deserialize(Riptide.Message message)\n    {\n";
        for field in fields {
            text += &self.read(field, &member_name(name, field.name));
        }
        text += "    }\n";
        text += &format!(
            "\n    public static {name} FromMessage(Riptide.Message message)\n    {{\n        {name} value = new {name}();\n        \
             value.Deserialize(message);\n        return value;\n    }}\n"
        );
        text += &kind.map(to_message).unwrap_or_default();
        text += "}\n";
        text
    }

    fn struct_name(&self, index: usize) -> &str {
        self.structs.get(index).map_or("unknown", String::as_str)
    }

    /// Returns the type of one value.
    fn element_type(&self, field_type: FieldType) -> &str {
        match field_type {
            FieldType::String => "string",
            FieldType::Scalar(scalar) => scalar_type(scalar),
            FieldType::Vector(2) => "Vector2",
            FieldType::Vector(3) => "Vector3",
            FieldType::Vector(_) => "Quaternion",
            FieldType::Struct(index) => self.struct_name(index),
        }
    }

    fn type_of(&self, field: &FieldLayout) -> String {
        format!("{}{}", self.element_type(field.field_type), if field.is_list() { "[]" } else { "" })
    }

    /// Returns the initial value of a type that C# initializes with null.
    fn default_of(&self, field: &FieldLayout) -> String {
        let element = self.element_type(field.field_type);
        match (field.count, field.field_type) {
            (Count::Prefixed, _) => format!(" = new {element}[0]"),
            (Count::Fixed(count), _) => format!(" = new {element}[{count}]"),
            (Count::One, FieldType::String) => " = \"\"".into(),
            (Count::One, FieldType::Struct(_)) => format!(" = new {element}()"),
            (Count::One, FieldType::Vector(4)) => " = new Quaternion(0, 0, 0, 1)".into(),
            (Count::One, _) => String::new(),
        }
    }

    fn write(&self, field: &FieldLayout, member: &str) -> String {
        let one = |value: &str| match field.field_type {
            FieldType::Struct(_) => format!("{value}.Serialize(message);"),
            FieldType::String => format!("message.AddString({value});"),
            FieldType::Vector(_) => {
                format!("MessageVectors.Add{}(message, {value});", self.element_type(field.field_type))
            }
            FieldType::Scalar(Scalar::Bits(bits)) => format!("message.AddBits({value}, {bits});"),
            FieldType::Scalar(scalar) => format!("message.Add{scalar:?}({value});"),
        };
        let name = format!("this.{member}");
        let start = match field.count {
            Count::One => return format!("        {}\n", one(&name)),
            Count::Prefixed => format!("message.AddVarULong((ulong){name}.Length)"),
            Count::Fixed(count) => format!("MessageValues.CheckLength({name}, {count}, \"{}\")", field.name),
        };
        let element = self.element_type(field.field_type);
        format!("        {start};\n        foreach ({element} one in {name})\n            {}\n", one("one"))
    }

    fn read(&self, field: &FieldLayout, member: &str) -> String {
        let element = self.element_type(field.field_type);
        let one = |to: &str| match field.field_type {
            FieldType::Struct(_) => format!("{to} = {element}.FromMessage(message);"),
            FieldType::String => format!("{to} = message.GetString();"),
            FieldType::Vector(_) => format!("{to} = MessageVectors.Get{element}(message);"),
            FieldType::Scalar(Scalar::Bits(bits)) => format!("message.GetBits({bits}, out {to});"),
            FieldType::Scalar(scalar) => format!("{to} = message.Get{scalar:?}();"),
        };
        let name = format!("this.{member}");
        let count = match field.count {
            Count::One => return format!("        {}\n", one(&name)),
            Count::Prefixed => "MessageValues.TakeCount(message)".into(),
            Count::Fixed(count) => count.to_string(),
        };
        format!(
            "        {name} = new {element}[{count}];\n        for (int i = 0; i < {name}.Length; i++)\n            {}\n",
            one(&format!("{name}[i]"))
        )
    }
}

fn to_message(kind: MessageKind) -> String {
    let (parameter, create) = match kind {
        MessageKind::Message(_) => (
            "Riptide.MessageSendMode mode = Riptide.MessageSendMode.Reliable",
            "Riptide.Message.Create(mode, Id)",
        ),
        MessageKind::Notify => ("", "Riptide.Message.Create(Riptide.MessageSendMode.Notify)"),
        MessageKind::Connect | MessageKind::Reject | MessageKind::Kick => ("", "Riptide.Message.Create()"),
    };
    format!(
        "\n    public Riptide.Message ToMessage({parameter})\n    {{\n        Riptide.Message message = {create};\n        \
         Serialize(message);\n        return message;\n    }}\n"
    )
}

/// Returns the type of a number. Bits have the smallest type that `Message.GetBits` takes and that can hold them.
const fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::VarLong => "long",
        Scalar::VarULong | Scalar::Bits(33..) => "ulong",
        Scalar::Bits(..=8) => "byte",
        Scalar::Bits(9..=16) => "ushort",
        Scalar::Bits(_) => "uint",
        other => other.name(),
    }
}

/// Returns the name of a field in a class. Names that the class has already get another letter.
fn member_name(class: &str, name: &str) -> String {
    let is_taken = ["Id", "Serialize", "Deserialize", "FromMessage", "ToMessage", class].contains(&name);
    // A keyword is a name with this sign before it, and so is any other one.
    let sign = if KEYWORDS.split(' ').any(|keyword| keyword == name) { "@" } else { "" };
    format!("{sign}{name}{}", if is_taken { "_" } else { "" })
}

const KEYWORDS: &str = "\
    abstract as base bool break byte case catch char checked class const continue decimal default \
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if \
    implicit in int interface internal is lock long namespace new null object operator out override \
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static \
    string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual \
    void volatile while";

/// Returns a comment, if there is text for one. The text is no XML.
fn comment(indent: &str, doc: &str) -> String {
    if doc.is_empty() {
        return String::new();
    }
    let doc = Escaped(doc.as_bytes()).to_string();
    let doc = doc.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("{indent}/// <summary>{doc}</summary>\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_riptide::layout::{MessageDefinition, StructDefinition};

    use super::*;

    #[test]
    fn a_class_has_the_id_the_fields_and_both_directions() {
        let weapon = StructDefinition::new("weapon", ["ammo: byte", "event: string"]);
        let mut moves = MessageDefinition::new(
            MessageKind::Message(10),
            "player_move",
            [
                "tick: ushort # counts <up>",
                "items: weapon[]",
                "flags: bits:40",
                "keys: bool[4]",
                "at: vector3",
                "Id: int",
            ],
        );
        moves.doc = "Position of a player.".into();
        let layouts = MessageLayouts::new(&[weapon], &[moves]).unwrap();
        let text = file(&layouts);
        for part in [
            "using Vector3 = UnityEngine.Vector3;\n",
            "public sealed class Weapon : Riptide.IMessageSerializable\n{\n    public byte ammo;\n    public string @event = \"\";\n",
            "/// <summary>Position of a player.</summary>\npublic sealed class PlayerMove : Riptide.IMessageSerializable\n{\n    \
             public const ushort Id = 10;\n    /// <summary>counts &lt;up&gt;</summary>\n    public ushort tick;\n    \
             public Weapon[] items = new Weapon[0];\n    public ulong flags;\n    public bool[] keys = new bool[4];\n    \
             public Vector3 at;\n    public int Id_;\n",
            "        foreach (Weapon one in this.items)\n            one.Serialize(message);\n        message.AddBits(this.flags, 40);\n",
            "        MessageValues.CheckLength(this.keys, 4, \"keys\");\n",
            "        this.items = new Weapon[MessageValues.TakeCount(message)];\n",
            "            this.items[i] = Weapon.FromMessage(message);\n        message.GetBits(40, out this.flags);\n",
            "ToMessage(Riptide.MessageSendMode mode = Riptide.MessageSendMode.Reliable)\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_file_without_lists_and_vectors_has_only_its_classes() {
        let message =
            MessageDefinition::new(MessageKind::Connect, "login", ["token: string", "class: bits:9"]);
        let text = file(&MessageLayouts::new(&[], &[message]).unwrap());
        assert!(
            text.starts_with("// Made by `gamewire compile`; do not edit.\n\npublic sealed class Login"),
            "{text}"
        );
        assert!(text.contains("    public ushort @class;\n"), "{text}");
        assert!(
            text.contains(
                "ToMessage()\n    {\n        Riptide.Message message = Riptide.Message.Create();\n"
            ),
            "{text}"
        );
    }
}
