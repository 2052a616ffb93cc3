//! The fields of a struct or variant: written and read in the order that they stand in.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Field, Fields, Member};

use super::expand::Expansion;

/// What fields become.
pub(super) struct FieldsCode {
    /// `{ name: local, ... }`: takes a value apart. Tuples can be taken apart like that too.
    pub(super) pattern: TokenStream,
    /// Writes the locals.
    pub(super) write: TokenStream,
    /// `{ name: value, ... }`: reads the values.
    pub(super) read: TokenStream,
}

impl FieldsCode {
    pub(super) fn new(fields: &Fields, runtime: &TokenStream) -> Self {
        let (mut pattern, mut write, mut read) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        for (number, (member, field)) in fields.members().zip(fields).enumerate() {
            let local = format_ident!("__field_{number}");
            pattern.extend(quote!(#member: #local,));
            write.extend(write_field(field, &member, &local, runtime));
            read.extend(read_field(field, &member, runtime));
        }
        Self { pattern: quote!({ #pattern }), write, read: quote!({ #read }) }
    }

    pub(super) fn as_struct(&self) -> Expansion {
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

/// Where the compiler points to when the type of a field is no value.
fn type_span(field: &Field) -> Span {
    field.ty.span().resolved_at(Span::mixed_site())
}

fn name(member: &Member) -> String {
    member.to_token_stream().to_string().trim_start_matches("r#").to_owned()
}
