//! `#[derive(Packet)]`: implements a packet of Freeciv for its struct.
//!
//! The derive macro writes the definition of the packet as a constant, access to the fields by index, and calls that
//! read, write and copy each field. The called functions are in `gamewire_freeciv::codec`, once for all packets.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result};

use super::packet_attributes::{Masks, PacketAttribute, Versions, doc};
use super::packet_field::{Field, Form};

/// A packet with its fields.
pub(super) struct Packet {
    pub(super) attribute: PacketAttribute,
    pub(super) fields: Vec<Field>,
    /// The versions that have the packet.
    versions: Masks,
}

/// A form of a field, with its index in the definition of the packet.
pub(super) struct IndexedForm<'a> {
    pub(super) index: usize,
    pub(super) field: &'a Field,
    pub(super) form: &'a Form,
}

impl IndexedForm<'_> {
    fn index_literal(&self) -> Literal {
        Literal::usize_unsuffixed(self.index)
    }
}

pub(super) fn packet(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    syn::parse(item).and_then(|input| expand(&input)).unwrap_or_else(Error::into_compile_error).into()
}

fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let packet = Packet::parse(input)?;
    let (name, codec) = (&input.ident, &packet.attribute.codec);
    let idents: Vec<&Ident> = packet.fields.iter().map(|field| &field.ident).collect();
    let initial = packet.fields.iter().map(|field| match field.is_optional {
        true => quote!(::core::option::Option::None),
        false => quote!(#codec::Wire::ZERO),
    });
    let names = packet.forms().map(|indexed| indexed.field.name(indexed.form));
    let (index, of_index): (Vec<Literal>, Vec<&Ident>) =
        packet.forms().map(|indexed| (indexed.index_literal(), &indexed.field.ident)).unzip();
    let definition = packet.definition(&doc(&input.attrs));
    let (read, write, assign, bytes) = (packet.read(), packet.write(), packet.assign(), packet.heap_bytes());
    Ok(quote! {
        #[automatically_derived]
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#idents: #initial),* }
            }
        }

        #[automatically_derived]
        impl #codec::Fields for #name {
            fn names(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }

            fn field(&self, index: usize) -> ::core::option::Option<&dyn #codec::FieldValue> {
                match index {
                    #(#index => ::core::option::Option::Some(&self.#of_index),)*
                    _ => ::core::option::Option::None,
                }
            }

            fn field_mut(&mut self, index: usize) -> ::core::option::Option<&mut dyn #codec::FieldValue> {
                match index {
                    #(#index => ::core::option::Option::Some(&mut self.#of_index),)*
                    _ => ::core::option::Option::None,
                }
            }
        }

        #codec::serde_impls!(#name);

        #[automatically_derived]
        impl #codec::PacketStruct for #name {
            const DEFINITION: #codec::PacketDefinition = #definition;
        }

        #[automatically_derived]
        #[allow(unused_variables)]
        impl #codec::AnyPacket for #name {
            fn definition(&self) -> &'static #codec::PacketDefinition {
                const { &<Self as #codec::PacketStruct>::DEFINITION }
            }

            fn read(
                &mut self,
                from: &mut #codec::Source<'_>,
            ) -> ::core::result::Result<(), ::std::boxed::Box<#codec::CodecError>> {
                #read
                ::core::result::Result::Ok(())
            }

            fn write(
                &self,
                old: &dyn #codec::AnyPacket,
                to: &mut #codec::Sink<'_>,
            ) -> ::core::result::Result<(), ::std::boxed::Box<#codec::CodecError>> {
                let old: &dyn ::core::any::Any = old;
                if let ::core::option::Option::Some(old) = old.downcast_ref::<Self>() {
                    #write
                }
                ::core::result::Result::Ok(())
            }

            fn assign(&mut self, new: &dyn #codec::AnyPacket) {
                let new: &dyn ::core::any::Any = new;
                if let ::core::option::Option::Some(new) = new.downcast_ref::<Self>() {
                    #assign
                }
            }

            fn boxed_clone(&self) -> ::std::boxed::Box<dyn #codec::AnyPacket> {
                ::std::boxed::Box::new(::core::clone::Clone::clone(self))
            }

            fn bytes(&self) -> usize {
                ::core::mem::size_of::<Self>()#bytes
            }
        }
    })
}

impl Packet {
    fn parse(input: &DeriveInput) -> Result<Self> {
        let Data::Struct(data) = &input.data else {
            return Err(Error::new(input.ident.span(), "Packet can only be derived for a struct"));
        };
        let attribute = PacketAttribute::parse(input)?;
        let fields = match &data.fields {
            Fields::Named(fields) => {
                let fields = fields.named.iter().filter_map(|field| Some((field.ident.as_ref()?, field)));
                fields.map(|(ident, field)| Field::parse(ident, field, &attribute)).collect::<Result<_>>()?
            }
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                return Err(Error::new_spanned(fields, "expected fields with names"));
            }
        };
        let versions = attribute.versions.masks()?;
        Ok(Self { attribute, fields, versions })
    }

    fn is_delta(&self) -> bool {
        !self.attribute.no_delta && !self.fields.is_empty()
    }

    /// Returns the forms of all fields, in the order of the definition.
    pub(super) fn forms(&self) -> impl Iterator<Item = IndexedForm<'_>> {
        let forms = self.fields.iter().flat_map(|field| field.forms.iter().map(move |form| (field, form)));
        forms.enumerate().map(|(index, (field, form))| IndexedForm { index, field, form })
    }

    /// Returns the forms in the order of the wire, in which keys are first.
    fn in_order(&self) -> Vec<IndexedForm<'_>> {
        let mut forms: Vec<_> = self.forms().collect();
        if self.is_delta() {
            forms.sort_by_key(|indexed| !indexed.form.attribute.key);
        }
        forms
    }

    fn definition(&self, doc: &str) -> TokenStream {
        let PacketAttribute {
            codec,
            name,
            number,
            to_client,
            to_server,
            no_delta,
            info,
            force,
            cancels,
            capabilities,
            versions: _,
            topic,
        } = &self.attribute;
        let fields = self.forms().map(|indexed| indexed.field.definition(indexed.form, self));
        let keys = self.forms().filter(|indexed| indexed.form.attribute.key && self.is_delta());
        let keys = keys.map(|indexed| indexed.index);
        let Masks { with, without } = self.versions;
        let is_delta = self.is_delta();
        let bits = Versions::MASKS.map(|version| {
            let is_bit = |form: &Form| is_delta && !form.attribute.key && form.is_always_in(version);
            self.forms().filter(|indexed| is_bit(indexed.form)).count()
        });
        let of_capabilities =
            self.forms().filter(|indexed| indexed.form.is_of_capability()).map(|indexed| indexed.index);
        quote! {
            #codec::PacketDefinition {
                name: #name,
                number: #number,
                directions: #codec::Directions { to_client: #to_client, to_server: #to_server },
                no_delta: #no_delta,
                info: #codec::Info::#info,
                force: #force,
                cancels: &[#(#cancels),*],
                fields: &[#(#fields),*],
                keys: &[#(#keys),*],
                capabilities: &[#(#capabilities),*],
                bits: [#(#bits),*],
                of_capabilities: &[#(#of_capabilities),*],
                with: #with,
                without: #without,
                topic: #topic,
                doc: #doc,
            }
        }
    }

    fn read(&self) -> TokenStream {
        let is_delta = self.is_delta();
        let calls = self.in_order().into_iter().map(|indexed| {
            let IndexedForm { field, form, .. } = indexed;
            let index = indexed.index_literal();
            let (to, counts) = (field.received(&self.attribute), form.counts(self));
            let call = if !is_delta || form.attribute.key {
                let always = form.call("always");
                quote!(from.#always(#index, #to, #counts)?;)
            } else if form.is_flag() {
                quote!(from.flag(#to);)
            } else if let Some(diff) = form.changes(&self.attribute) {
                let changes = form.call("changes");
                quote!(from.#changes(#index, #diff, #to, #counts)?;)
            } else {
                let of_field = form.call("field");
                quote!(from.#of_field(#index, #to, #counts)?;)
            };
            form.when(&quote!(from), call)
        });
        quote!(#(#calls)*)
    }

    fn write(&self) -> TokenStream {
        let is_delta = self.is_delta();
        let calls = self.in_order().into_iter().map(|indexed| {
            let IndexedForm { field, form, .. } = indexed;
            let index = indexed.index_literal();
            let counts = form.counts(self);
            let (new, old) = (field.sent(&self.attribute, "self"), field.sent(&self.attribute, "old"));
            let call = if !is_delta || form.attribute.key {
                let always = form.call("always");
                quote!(to.#always(#index, #new, #counts)?;)
            } else if form.is_flag() {
                quote!(to.flag(*#new, *#old);)
            } else if let Some(diff) = form.changes(&self.attribute) {
                let changes = form.call("changes");
                quote!(to.#changes(#index, #diff, #new, #old, #counts)?;)
            } else {
                let of_field = form.call("field");
                quote!(to.#of_field(#index, #new, #old, #counts)?;)
            };
            form.when(&quote!(to), call)
        });
        quote!(#(#calls)*)
    }

    fn assign(&self) -> TokenStream {
        if self.fields.iter().all(|field| field.is_flat()) {
            return quote!(*self = ::core::clone::Clone::clone(new););
        }
        let calls = self.fields.iter().map(|field| {
            let ident = &field.ident;
            quote!(::core::clone::Clone::clone_from(&mut self.#ident, &new.#ident);)
        });
        quote!(#(#calls)*)
    }

    /// Returns code that adds the bytes that the fields hold on the heap.
    fn heap_bytes(&self) -> TokenStream {
        let codec = &self.attribute.codec;
        let parts = self.fields.iter().filter(|field| !field.is_flat()).map(|field| {
            let value = field.sent(&self.attribute, "self");
            quote!(.saturating_add(#codec::Wire::heap_bytes(#value)))
        });
        quote!(#(#parts)*)
    }
}
