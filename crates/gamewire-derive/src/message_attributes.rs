//! The attribute `#[message(...)]` on a type.

use proc_macro2::Ident;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Fields, LitStr, Path, Result};

const NAME: &str = "message";

/// The attribute of a message.
pub(crate) struct MessageAttributes {
    pub(crate) kind: MessageKind,
    pub(crate) runtime: Option<Path>,
}

/// Send mode of a message, and its id.
pub(crate) enum MessageKind {
    Unreliable(Expr),
    Reliable(Expr),
    Notify,
}

/// Parses the attribute of a message.
pub(crate) fn of_message(input: &DeriveInput) -> Result<MessageAttributes> {
    let (mut id, mut mode, mut runtime) = (None::<Expr>, None::<LitStr>, None);
    each(&input.attrs, |meta| {
        if meta.path.is_ident("id") {
            once(&meta, &mut id, meta.value()?.parse()?)
        } else if meta.path.is_ident("mode") {
            once(&meta, &mut mode, meta.value()?.parse()?)
        } else if meta.path.is_ident("crate") {
            once(&meta, &mut runtime, path(&meta)?)
        } else {
            Err(meta.error("unknown attribute; use `id`, `mode` or `crate`"))
        }
    })?;
    let kind = kind(&input.ident, id, mode.as_ref())?;
    Ok(MessageAttributes { kind, runtime })
}

fn kind(name: &Ident, id: Option<Expr>, mode: Option<&LitStr>) -> Result<MessageKind> {
    let needed = |id: Option<Expr>| {
        let what = "a message needs an id: #[message(id = 1)], or #[message(mode = \"notify\")]";
        id.ok_or_else(|| Error::new(name.span(), what))
    };
    match mode.map(|mode| (mode, mode.value())) {
        None => needed(id).map(MessageKind::Reliable),
        Some((_, mode)) if mode == "reliable" => needed(id).map(MessageKind::Reliable),
        Some((_, mode)) if mode == "unreliable" => needed(id).map(MessageKind::Unreliable),
        Some((_, mode)) if mode == "notify" => match id {
            None => Ok(MessageKind::Notify),
            Some(id) => Err(Error::new_spanned(id, "unexpected id: a notify message has no id on the wire")),
        },
        Some((mode, _)) => {
            Err(Error::new(mode.span(), "unknown mode; use \"reliable\", \"unreliable\" or \"notify\""))
        }
    }
}

/// Parses the attribute of a value. Returns the path of the runtime if the attribute contains one.
pub(crate) fn of_value(input: &DeriveInput) -> Result<Option<Path>> {
    let mut runtime = None;
    each(&input.attrs, |meta| {
        if meta.path.is_ident("crate") {
            once(&meta, &mut runtime, path(&meta)?)
        } else {
            Err(meta.error(
                "unknown attribute; a value has only `crate`, and a type with an id derives `Message`",
            ))
        }
    })?;
    Ok(runtime)
}

/// Rejects attributes on fields and variants, which would have no effect.
pub(crate) fn reject_field_attributes(data: &Data) -> Result<()> {
    let refuse = |attributes: &[Attribute]| {
        each(
            attributes,
            |meta| Err(meta.error("write this attribute on the type, not on a field or variant")),
        )
    };
    let of_fields = |fields: &Fields| fields.iter().try_for_each(|field| refuse(&field.attrs));
    match data {
        Data::Struct(data) => of_fields(&data.fields),
        Data::Enum(data) => data.variants.iter().try_for_each(|variant| {
            refuse(&variant.attrs)?;
            of_fields(&variant.fields)
        }),
        Data::Union(_) => Ok(()),
    }
}

fn each(attributes: &[Attribute], mut take: impl FnMut(ParseNestedMeta<'_>) -> Result<()>) -> Result<()> {
    let mut ours = attributes.iter().filter(|attribute| attribute.path().is_ident(NAME));
    ours.try_for_each(|attribute| attribute.parse_nested_meta(&mut take))
}

fn path(meta: &ParseNestedMeta<'_>) -> Result<Path> {
    meta.value()?.parse::<LitStr>()?.parse_with(Path::parse_mod_style)
}

fn once<T>(meta: &ParseNestedMeta<'_>, place: &mut Option<T>, value: T) -> Result<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("duplicate attribute")),
    }
}
