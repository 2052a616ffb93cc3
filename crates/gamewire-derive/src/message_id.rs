//! `#[derive(MessageId)]`: conversions between an enum and message ids.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

/// Implements `From<Enum> for u16` and `TryFrom<u16> for Enum`.
pub(super) fn message_id(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    syn::parse(item).and_then(|input| expand(&input)).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(name.span(), "MessageId can only be derived for an enum"));
    };
    if let Some(variant) = data.variants.iter().find(|variant| !matches!(variant.fields, Fields::Unit)) {
        return Err(Error::new(
            variant.ident.span(),
            "unexpected fields: each variant is an id without fields",
        ));
    }
    let variants = || data.variants.iter().map(|variant| &variant.ident);
    let ids = variants().map(|variant| checked(&quote!(#name::#variant)));
    let variants: Vec<_> = variants().collect();
    Ok(quote! {
        #(const _: u16 = #ids;)*

        #[automatically_derived]
        #[allow(clippy::as_conversions, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        impl ::core::convert::From<#name> for u16 {
            fn from(id: #name) -> Self {
                id as Self
            }
        }

        #[automatically_derived]
        #[allow(clippy::as_conversions, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        impl ::core::convert::TryFrom<u16> for #name {
            /// The id that no variant has.
            type Error = u16;

            fn try_from(id: u16) -> ::core::result::Result<Self, u16> {
                #(if id == Self::#variants as u16 {
                    return ::core::result::Result::Ok(Self::#variants);
                })*
                ::core::result::Result::Err(id)
            }
        }
    })
}

/// Returns a constant expression with the number of `path`, which is a variant or a constant. It does not compile if
/// the number exceeds 16 bits.
pub(super) fn checked(path: &TokenStream) -> TokenStream {
    quote! {{
        #[allow(clippy::as_conversions, clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_lossless)]
        const ID: u16 = {
            assert!(#path as i128 >= 0 && #path as i128 <= 65535, "a message id must be from 0 to 65535");
            #path as u16
        };
        ID
    }}
}
