//! The attributes `#[packet(...)]` on a struct and `#[field(...)]` on its fields.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, DeriveInput, Error, Expr, ExprLit, Lit, LitInt, LitStr, Meta, Path, Result, Token, Type,
};

/// The attribute of a struct: `#[packet(name = "PACKET_CITY_INFO", number = 31, sc, is_game_info, cancel(30), topic =
/// "city")]`.
pub(super) struct PacketAttribute {
    /// The path of `gamewire_freeciv::codec`.
    pub(super) codec: TokenStream,
    pub(super) name: LitStr,
    pub(super) number: LitInt,
    pub(super) to_client: bool,
    pub(super) to_server: bool,
    pub(super) no_delta: bool,
    pub(super) info: Ident,
    pub(super) force: bool,
    pub(super) cancels: Vec<LitInt>,
    pub(super) capabilities: Vec<LitStr>,
    /// The versions that have the packet.
    pub(super) versions: Versions,
    pub(super) topic: String,
}

/// Bits of capabilities and versions that decide whether a connection has a packet or a form of a field.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    /// The bits that it needs.
    pub(super) with: u64,
    /// The bits that exclude it.
    pub(super) without: u64,
}

/// The versions that have a packet or a form of a field, in the form of the definition: the first version that has it,
/// and the first version that no longer has it.
#[derive(Default)]
pub(super) struct Versions {
    pub(super) since: Option<LitStr>,
    pub(super) before: Option<LitStr>,
}

impl Versions {
    /// Maximum number of capabilities of a packet. Their bits are the lowest ones of capability masks.
    const MAX_CAPABILITIES: u32 = 48;
    /// The bits of versions in capability masks, above the bits of capabilities. A bit is set in this version and later
    /// ones.
    const BITS: [(&str, u64); 2] =
        [("3.1", 1 << Self::MAX_CAPABILITIES), ("3.2", 2 << Self::MAX_CAPABILITIES)];
    /// The masks of all versions, oldest first.
    pub(super) const MASKS: [u64; 3] = [0, 1 << Self::MAX_CAPABILITIES, 3 << Self::MAX_CAPABILITIES];

    /// Returns the bits of versions that the packet or form needs, and those that exclude it.
    pub(super) fn masks(&self) -> Result<Masks> {
        let bit = |version: &Option<LitStr>| {
            let Some(version) = version else { return Ok(0) };
            let known = Self::BITS.iter().find(|(name, _)| *name == version.value());
            known
                .map(|(_, bit)| *bit)
                .ok_or_else(|| Error::new(version.span(), "expected \"3.1\" or \"3.2\""))
        };
        Ok(Masks { with: bit(&self.since)?, without: bit(&self.before)? })
    }
}

impl PacketAttribute {
    pub(super) fn parse(input: &DeriveInput) -> Result<Self> {
        let (mut name, mut number) = (None::<LitStr>, None::<LitInt>);
        let mut packet = Self {
            codec: quote!(::gamewire_freeciv::codec),
            name: LitStr::new("", Span::call_site()),
            number: LitInt::new("0", Span::call_site()),
            to_client: false,
            to_server: false,
            no_delta: false,
            info: Ident::new("Always", Span::call_site()),
            force: false,
            cancels: Vec::new(),
            capabilities: Vec::new(),
            versions: Versions::default(),
            topic: String::new(),
        };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("packet")) {
            attribute.parse_nested_meta(|meta| {
                let word = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
                match word.as_str() {
                    "name" => name = Some(meta.value()?.parse()?),
                    "number" => number = Some(meta.value()?.parse()?),
                    "since" => packet.versions.since = Some(meta.value()?.parse()?),
                    "before" => packet.versions.before = Some(meta.value()?.parse()?),
                    "topic" => packet.topic = meta.value()?.parse::<LitStr>()?.value(),
                    "codec" => {
                        let path = meta.value()?.parse::<LitStr>()?.parse_with(Path::parse_mod_style)?;
                        packet.codec = quote!(#path);
                    }
                    "sc" => packet.to_client = true,
                    "cs" => packet.to_server = true,
                    "no_delta" => packet.no_delta = true,
                    "is_info" => packet.info = Ident::new("Info", Span::call_site()),
                    "is_game_info" => packet.info = Ident::new("GameInfo", Span::call_site()),
                    "force" => packet.force = true,
                    "cancel" => packet.cancels = list(meta.input)?,
                    "capabilities" => packet.capabilities = list(meta.input)?,
                    _ => return Err(meta.error("unknown attribute of #[packet(...)]")),
                }
                Ok(())
            })?;
        }
        let missing = |what| Error::new(input.ident.span(), format!("missing #[packet({what})]"));
        packet.name = name.ok_or_else(|| missing("name = \"PACKET_...\""))?;
        packet.number = number.ok_or_else(|| missing("number = ..."))?;
        Ok(packet)
    }

    /// Returns the mask of these capabilities of the packet.
    pub(super) fn mask(&self, names: &[LitStr]) -> Result<u64> {
        names.iter().try_fold(0, |mask, name| {
            let index = self.capabilities.iter().position(|known| known.value() == name.value());
            let index = index.and_then(|index| u32::try_from(index).ok());
            let index = index.ok_or_else(|| {
                Error::new(name.span(), "unknown capability; add it to #[packet(capabilities(...))]")
            })?;
            let bit = 1_u64.checked_shl(index).filter(|_| index < Versions::MAX_CAPABILITIES);
            let many = || {
                let max = Versions::MAX_CAPABILITIES;
                Error::new(name.span(), format!("a packet has at most {max} capabilities"))
            };
            Ok(mask | bit.ok_or_else(many)?)
        })
    }
}

/// Parses `(a, b)`.
fn list<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// The attribute of a field: `#[field("PlayerNo = uint8(int)", key)]`. It contains the type in the definition language,
/// with its alias, and flags. A field has one attribute for each form in which it is sent.
pub(super) struct FieldAttribute {
    /// The name in the definition, if it differs from the field's name.
    pub(super) name: Option<String>,
    /// Other names in the definition.
    pub(super) aliases: Vec<String>,
    /// The name of the `WireType` variant.
    pub(super) word: Ident,
    /// For floats, the factor of the number on the wire.
    pub(super) factor: Option<u32>,
    pub(super) c_type: String,
    pub(super) type_name: String,
    pub(super) dims: Vec<Dim>,
    pub(super) key: bool,
    /// The name of the `ArrayDiff` variant.
    pub(super) diff: Option<Ident>,
    pub(super) with: Vec<LitStr>,
    pub(super) without: Vec<LitStr>,
    /// The versions that have this form.
    pub(super) versions: Versions,
    /// The type of this form, if it differs from the field's type.
    pub(super) form: Option<Type>,
}

/// A dimension of an array.
pub(super) struct Dim {
    pub(super) limit: u32,
    pub(super) count: Count,
}

/// The source of the number of elements of a dimension.
pub(super) enum Count {
    Fixed,
    /// The field with this name.
    Field(Ident),
    Own,
}

/// An item of an attribute: `"text"`, `word` or `word = "text"`.
enum Item {
    Text(LitStr),
    Word(Ident, Option<LitStr>),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            return input.parse().map(Self::Text);
        }
        let word = input.parse()?;
        let value = input.parse::<Option<Token![=]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Self::Word(word, value))
    }
}

impl FieldAttribute {
    /// Parses all attributes of a field. There must be at least one.
    pub(super) fn parse_all(field: &syn::Field) -> Result<Vec<Self>> {
        let attributes = field.attrs.iter().filter(|attribute| attribute.path().is_ident("field"));
        let forms = attributes.map(Self::parse).collect::<Result<Vec<_>>>()?;
        if forms.is_empty() {
            let message = "missing #[field(\"...\")] with the type on the wire";
            return Err(Error::new_spanned(field, message));
        }
        Ok(forms)
    }

    fn parse(attribute: &Attribute) -> Result<Self> {
        let mut items =
            attribute.parse_args_with(Punctuated::<Item, Token![,]>::parse_terminated)?.into_iter();
        let Some(Item::Text(ty)) = items.next() else {
            return Err(Error::new_spanned(attribute, "expected the type on the wire first"));
        };
        let text = ty.value();
        let TypeText { type_name, word, c_type } = TypeText::parse(&text);
        let items: Vec<Item> = items.collect();
        let is_structure = |item: &Item| matches!(item, Item::Word(word, None) if word == "structure");
        let wire = if items.iter().any(is_structure) {
            Some(WireName { variant: "Structure".to_owned(), factor: None })
        } else {
            WireName::parse(word)
        };
        let wire = wire.ok_or_else(|| Error::new(ty.span(), "unknown type on the wire"))?;
        let mut parsed = Self {
            name: None,
            aliases: Vec::new(),
            word: Ident::new(&wire.variant, ty.span()),
            factor: wire.factor,
            c_type: c_type.to_owned(),
            type_name: type_name.to_owned(),
            dims: Vec::new(),
            key: false,
            diff: None,
            with: Vec::new(),
            without: Vec::new(),
            versions: Versions::default(),
            form: None,
        };
        for item in items {
            match item {
                Item::Word(word, None) if word == "key" => parsed.key = true,
                Item::Word(word, None) if word == "structure" => {}
                Item::Word(word, Some(text)) if word == "name" => parsed.name = Some(text.value()),
                Item::Word(word, Some(text)) if word == "alias" => parsed.aliases.push(text.value()),
                Item::Word(word, Some(text)) if word == "array" => parsed.dims = dims(&text)?,
                Item::Word(word, Some(text)) if word == "with" => parsed.with.push(text),
                Item::Word(word, Some(text)) if word == "without" => parsed.without.push(text),
                Item::Word(word, Some(text)) if word == "since" => parsed.versions.since = Some(text),
                Item::Word(word, Some(text)) if word == "before" => parsed.versions.before = Some(text),
                Item::Word(word, Some(text)) if word == "form" => parsed.form = Some(text.parse()?),
                Item::Word(word, Some(text)) if word == "diff" => {
                    let form = match text.value().as_str() {
                        "end-255" => "End255",
                        "end-length" => "EndLength",
                        _ => return Err(Error::new(text.span(), "expected \"end-255\" or \"end-length\"")),
                    };
                    parsed.diff = Some(Ident::new(form, text.span()));
                }
                Item::Text(text) => return Err(Error::new(text.span(), "unexpected text")),
                Item::Word(word, _) => {
                    return Err(Error::new(word.span(), "unknown attribute of #[field(...)]"));
                }
            }
        }
        Ok(parsed)
    }
}

/// The parts of a type in the definition language: `PlayerNo`, `uint8` and `int` of `PlayerNo = uint8(int)`.
struct TypeText<'a> {
    /// The type name, or the whole text if it has none. It can have a C type: `lamp_id(int) = uint16(int)`.
    type_name: &'a str,
    word: &'a str,
    c_type: &'a str,
}

impl<'a> TypeText<'a> {
    fn parse(text: &'a str) -> Self {
        let (type_name, basic) = text.split_once('=').unwrap_or((text, text));
        let (type_name, basic) = (type_name.trim(), basic.trim());
        let (word, c_type) = basic.split_once('(').unwrap_or((basic, ")"));
        Self { type_name, word, c_type: c_type.strip_suffix(')').unwrap_or(c_type) }
    }
}

/// A type on the wire. The Rust compiler rejects unknown variants.
struct WireName {
    /// The `WireType` variant: `CmParameter` for `cm_parameter`, `Ufloat` for `ufloat100`.
    variant: String,
    /// The factor of a float: 100 for `ufloat100`.
    factor: Option<u32>,
}

impl WireName {
    fn parse(word: &str) -> Option<Self> {
        for (float, variant) in [("ufloat", "Ufloat"), ("sfloat", "Sfloat")] {
            if let Some(factor) = word.strip_prefix(float) {
                return Some(Self { variant: variant.to_owned(), factor: Some(factor.parse().ok()?) });
            }
        }
        let parts = word.split('_').map(|part| {
            let (first, rest) = part.split_at_checked(1)?;
            Some(first.to_ascii_uppercase() + rest)
        });
        Some(Self { variant: parts.collect::<Option<String>>()?, factor: None })
    }
}

/// Parses a sequence of `[10]`, `[10:count]` and `[*]`.
fn dims(text: &LitStr) -> Result<Vec<Dim>> {
    let wrong = || Error::new(text.span(), "expected dimensions such as \"[10]\", \"[10:count]\" or \"[*]\"");
    let value = text.value();
    let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
    let dim = |dim: &str| {
        if dim == "*" {
            return Ok(Dim { limit: 0, count: Count::Own });
        }
        let (limit, count) = match dim.split_once(':') {
            None => (dim, Count::Fixed),
            Some((limit, field)) => {
                let ident = LitStr::new(field, text.span());
                (limit, Count::Field(ident.parse_with(<Ident as syn::ext::IdentExt>::parse_any)?))
            }
        };
        Ok(Dim { limit: limit.parse().map_err(|_| wrong())?, count })
    };
    inside.split("][").map(dim).collect()
}

/// Returns the documentation of an item: its `///` lines without the backslashes that escape the text for rustdoc.
pub(super) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect();
    let (mut text, mut in_code, mut escaped) = (String::new(), false, false);
    for c in lines.join("\n").chars() {
        if c == '\\' && !in_code && !escaped {
            escaped = true;
            continue;
        }
        in_code ^= c == '`' && !escaped;
        escaped = false;
        text.push(c);
    }
    text
}
