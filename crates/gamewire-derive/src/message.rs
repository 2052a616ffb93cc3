//! `#[derive(Message)]` and `#[derive(Value)]`: implementations of `MessageType` and `Value`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Data, DataEnum, DeriveInput, Error, Expr, Field, Fields, GenericParam, Generics, Member, Path, Result,
    parse_quote,
};

use super::message_attributes::{self as attributes, MessageAttributes, MessageKind};
use super::message_id::checked;

/// The bodies of the functions that write and read a value.
struct Expansion {
    write: TokenStream,
    read: TokenStream,
}

/// Implements `Value` and `MessageType`.
pub(super) fn message(item: proc_macro::TokenStream, runtime: &str) -> proc_macro::TokenStream {
    finish(syn::parse(item).and_then(|input| expand_message(&input, runtime)))
}

/// Implements `Value`.
pub(super) fn value(item: proc_macro::TokenStream, runtime: &str) -> proc_macro::TokenStream {
    finish(syn::parse(item).and_then(|input: DeriveInput| {
        let runtime = runtime_path(attributes::of_value(&input)?, runtime)?;
        expand_value(&input, &runtime)
    }))
}

fn finish(code: Result<TokenStream>) -> proc_macro::TokenStream {
    code.unwrap_or_else(Error::into_compile_error).into()
}

/// Returns the path of the traits, from the attribute or the default of the derive macro.
fn runtime_path(explicit: Option<Path>, otherwise: &str) -> Result<TokenStream> {
    let runtime = explicit.map_or_else(|| syn::parse_str(otherwise), Ok)?;
    Ok(quote!(#runtime::derive))
}

fn expand_message(input: &DeriveInput, runtime: &str) -> Result<TokenStream> {
    let MessageAttributes { kind, runtime: explicit } = attributes::of_message(input)?;
    let runtime = runtime_path(explicit, runtime)?;
    let value = expand_value(input, &runtime)?;
    let (id, mode) = match kind {
        MessageKind::Unreliable(id) => (id_code(&id), quote!(Unreliable)),
        MessageKind::Reliable(id) => (id_code(&id), quote!(Reliable)),
        MessageKind::Notify => (quote!(None), quote!(Notify)),
    };
    let name = &input.ident;
    let generics = bounded(&input.generics, &runtime);
    let (for_generics, of_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #value

        #[automatically_derived]
        impl #for_generics #runtime::MessageType for #name #of_generics #where_clause {
            const ID: ::core::option::Option<u16> = ::core::option::Option::#id;
            const MODE: #runtime::MessageSendMode = #runtime::MessageSendMode::#mode;
        }
    })
}

fn id_code(id: &Expr) -> TokenStream {
    let id = match id {
        // A constant, or a variant of an enum.
        Expr::Path(path) => checked(&path.to_token_stream()),
        id => id.to_token_stream(),
    };
    quote!(Some(#id))
}

fn expand_value(input: &DeriveInput, runtime: &TokenStream) -> Result<TokenStream> {
    attributes::reject_field_attributes(&input.data)?;
    let name = &input.ident;
    let Expansion { write, read } = match &input.data {
        Data::Struct(data) => FieldsCode::new(&data.fields, runtime).as_struct(),
        Data::Enum(data) => enum_code(name, data, runtime)?,
        Data::Union(_) => {
            return Err(Error::new(name.span(), "unions are not supported"));
        }
    };
    let generics = bounded(&input.generics, runtime);
    let (for_generics, of_generics, where_clause) = generics.split_for_impl();
    let packet = name.to_string();
    Ok(quote! {
        #[automatically_derived]
        impl #for_generics #runtime::Value for #name #of_generics #where_clause {
            fn write<__V: #runtime::Version>(
                &self,
                __to: &mut #runtime::Writer<'_, __V>,
            ) -> ::core::result::Result<(), #runtime::CodecError> {
                let __written: ::core::result::Result<(), #runtime::CodecError> = (|| { #write })();
                __written.map_err(|error| error.in_packet(#packet))
            }

            fn read<__V: #runtime::Version>(
                __from: &mut #runtime::Reader<'_, __V>,
            ) -> ::core::result::Result<Self, #runtime::CodecError> {
                let __read: ::core::result::Result<Self, #runtime::CodecError> = (|| { #read })();
                __read.map_err(|error| error.in_packet(#packet))
            }
        }
    })
}

/// Returns the generics with the bound `Value` on each type parameter.
fn bounded(generics: &Generics, runtime: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in &mut generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter.bounds.push(parse_quote!(#runtime::Value));
        }
    }
    generics
}

/// Code for the fields of a struct or variant.
struct FieldsCode {
    /// `{ name: local, ... }`: a pattern that binds the fields to locals. It is also valid for tuples.
    pattern: TokenStream,
    /// Code that writes the locals.
    write: TokenStream,
    /// `{ name: value, ... }`: code that reads the values.
    read: TokenStream,
}

impl FieldsCode {
    fn new(fields: &Fields, runtime: &TokenStream) -> Self {
        let (mut pattern, mut write, mut read) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for (number, (member, field)) in fields.members().zip(fields).enumerate() {
            let local = format_ident!("__field_{number}");
            pattern.extend(quote!(#member: #local,));
            write.extend(write_field(field, &member, &local, runtime));
            read.extend(read_field(field, &member, runtime));
        }
        Self { pattern: quote!({ #pattern }), write, read: quote!({ #read }) }
    }

    fn as_struct(&self) -> Expansion {
        let Self { pattern, write, read } = self;
        Expansion {
            write: quote! {
                let Self #pattern = self;
                #write
                ::core::result::Result::Ok(())
            },
            read: quote!(::core::result::Result::Ok(Self #read)),
        }
    }
}

fn write_field(field: &Field, member: &Member, local: &Ident, runtime: &TokenStream) -> TokenStream {
    let (Field { ty, .. }, name) = (field, name(member));
    let span = type_span(field);
    let call = quote_spanned!(span=> <#ty as #runtime::Value>::write);
    quote!(#call(#local, __to).map_err(|error| error.in_field(#name))?;)
}

fn read_field(field: &Field, member: &Member, runtime: &TokenStream) -> TokenStream {
    let (Field { ty, .. }, name) = (field, name(member));
    let span = type_span(field);
    let call = quote_spanned!(span=> <#ty as #runtime::Value>::read);
    quote!(#member: #call(__from).map_err(|error| error.in_field(#name))?,)
}

/// Returns the span for the compiler error about a field type that is not a value.
fn type_span(field: &Field) -> Span {
    field.ty.span().resolved_at(Span::mixed_site())
}

fn name(member: &Member) -> String {
    member.to_token_stream().to_string().trim_start_matches("r#").to_owned()
}

/// Maximum number of variants, because the index of a variant is one byte.
const MAX_VARIANTS: usize = 256;

fn enum_code(name: &Ident, data: &DataEnum, runtime: &TokenStream) -> Result<Expansion> {
    if data.variants.is_empty() {
        return Err(Error::new(name.span(), "an enum without variants has no values"));
    }
    if let Some(beyond) = data.variants.iter().nth(MAX_VARIANTS) {
        return Err(Error::new(beyond.ident.span(), "at most 256 variants are supported"));
    }
    let (mut numbers, mut write, mut read) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
    let mut before: Option<Ident> = None;
    for (place, variant) in data.variants.iter().enumerate() {
        let number = format_ident!("__VARIANT_{place}");
        let value = match (&variant.discriminant, before) {
            (Some((_, value)), _) => quote!(#value),
            (None, Some(before)) => quote!(#before + 1),
            (None, None) => quote!(0),
        };
        numbers.extend(quote!(const #number: u8 = #value;));
        let ident = &variant.ident;
        let FieldsCode { pattern, write: fields, read: values } = FieldsCode::new(&variant.fields, runtime);
        write.extend(quote! {
            Self::#ident #pattern => {
                <u8 as #runtime::Value>::write(&#number, __to)?;
                #fields
            }
        });
        read.extend(quote!(#number => Self::#ident #values,));
        before = Some(number);
    }
    let expected = format!("a variant of {name}");
    Ok(Expansion {
        write: quote! {
            #numbers
            match self { #write }
            ::core::result::Result::Ok(())
        },
        read: quote! {
            #numbers
            let __at = __from.position() / 8;
            ::core::result::Result::Ok(match <u8 as #runtime::Value>::read(__from)? {
                #read
                #[allow(unreachable_patterns)]
                __other => {
                    let found = #runtime::Found::Value(::core::primitive::i64::from(__other));
                    return ::core::result::Result::Err(#runtime::CodecError::new(__at, #expected, found));
                }
            })
        },
    })
}
