//! From an item to what is implemented for it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, GenericParam, Generics, Path, Result, parse_quote};

use super::attributes::{self, MessageAttributes, MessageKind};
use super::fields::FieldsCode;
use super::variants;

/// How a value is written and read: the bodies of two functions.
pub(super) struct Expansion {
    pub(super) write: TokenStream,
    pub(super) read: TokenStream,
}

/// `Value` and `MessageType`.
pub(super) fn message(item: proc_macro::TokenStream, runtime: &str) -> proc_macro::TokenStream {
    finish(syn::parse(item).and_then(|input| expand_message(&input, runtime)))
}

/// `Value`.
pub(super) fn value(item: proc_macro::TokenStream, runtime: &str) -> proc_macro::TokenStream {
    finish(syn::parse(item).and_then(|input: DeriveInput| {
        let runtime = runtime_path(attributes::of_value(&input)?, runtime)?;
        expand_value(&input, &runtime)
    }))
}

fn finish(code: Result<TokenStream>) -> proc_macro::TokenStream {
    code.unwrap_or_else(Error::into_compile_error).into()
}

/// Where the traits are: what the attribute says, or where the derive comes from.
fn runtime_path(explicit: Option<Path>, otherwise: &str) -> Result<TokenStream> {
    let runtime = explicit.map_or_else(|| syn::parse_str(otherwise), Ok)?;
    Ok(quote!(#runtime::derive))
}

fn expand_message(input: &DeriveInput, runtime: &str) -> Result<TokenStream> {
    let MessageAttributes { kind, runtime: explicit } = attributes::of_message(input)?;
    let runtime = runtime_path(explicit, runtime)?;
    let value = expand_value(input, &runtime)?;
    let (id, mode) = match kind {
        MessageKind::Unreliable(id) => (quote!(Some(#id)), quote!(Unreliable)),
        MessageKind::Reliable(id) => (quote!(Some(#id)), quote!(Reliable)),
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

fn expand_value(input: &DeriveInput, runtime: &TokenStream) -> Result<TokenStream> {
    attributes::reject_field_attributes(&input.data)?;
    let name = &input.ident;
    let Expansion { write, read } = match &input.data {
        Data::Struct(data) => FieldsCode::new(&data.fields, runtime).as_struct(),
        Data::Enum(data) => variants::body(name, data, runtime)?,
        Data::Union(_) => {
            return Err(Error::new(name.span(), "a union does not say which of its fields it holds"));
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

/// With each type parameter a value.
fn bounded(generics: &Generics, runtime: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in &mut generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter.bounds.push(parse_quote!(#runtime::Value));
        }
    }
    generics
}
