//! The variants of an enum: a byte that says which one, then its fields.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{DataEnum, Error, Result};

use super::expand::Expansion;
use super::fields::FieldsCode;

/// How many variants a byte tells apart.
const MAX_VARIANTS: usize = 256;

pub(super) fn body(name: &Ident, data: &DataEnum, runtime: &TokenStream) -> Result<Expansion> {
    if data.variants.is_empty() {
        return Err(Error::new(name.span(), "an enum without variants has no values"));
    }
    if let Some(beyond) = data.variants.iter().nth(MAX_VARIANTS) {
        return Err(Error::new(beyond.ident.span(), "a byte tells no more than 256 variants apart"));
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
