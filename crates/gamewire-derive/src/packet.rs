//! `#[derive(Packet)]`: a packet of Freeciv from its struct.
//!
//! It writes the definition of the packet as a constant, the fields by index, and calls to read, write and copy each
//! field. What these calls do is in `gamewire_freeciv::codec`, once for all packets.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Error, Fields, GenericArgument, PathArguments, Result, Type};

use super::packet_attributes::{Count, Dim, FieldAttribute, PacketAttribute, Versions, doc};

/// A field with everything that the derive needs of it.
struct Field {
    ident: Ident,
    /// The type of its value.
    ty: Type,
    /// True if it is an `Option`: not every connection sends it.
    is_optional: bool,
    doc: String,
    forms: Vec<Form>,
}

/// A form in which a field is sent: a field of the definition.
struct Form {
    attribute: FieldAttribute,
    /// Masks of the capabilities and versions that it needs and that exclude it.
    with: u32,
    without: u32,
}

/// A packet with its fields.
struct Packet {
    attribute: PacketAttribute,
    fields: Vec<Field>,
    /// Masks of the versions that it needs and that exclude it.
    with: u32,
    without: u32,
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
    let names = packet.forms().map(|(_, field, form)| field.name(form));
    let (index, of_index): (Vec<Literal>, Vec<&Ident>) =
        packet.forms().map(|(index, field, _)| (Literal::usize_unsuffixed(index), &field.ident)).unzip();
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
            return Err(Error::new(input.ident.span(), "a packet is a struct"));
        };
        let attribute = PacketAttribute::parse(input)?;
        let fields = match &data.fields {
            Fields::Named(fields) => {
                let fields = fields.named.iter().filter_map(|field| Some((field.ident.as_ref()?, field)));
                fields.map(|(ident, field)| Field::parse(ident, field, &attribute)).collect::<Result<_>>()?
            }
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                return Err(Error::new_spanned(fields, "a packet has fields with names"));
            }
        };
        let (with, without) = attribute.versions.masks()?;
        Ok(Self { attribute, fields, with, without })
    }

    fn is_delta(&self) -> bool {
        !self.attribute.no_delta && !self.fields.is_empty()
    }

    /// The forms of all fields, with their indices in the definition.
    fn forms(&self) -> impl Iterator<Item = (usize, &Field, &Form)> {
        let forms = self.fields.iter().flat_map(|field| field.forms.iter().map(move |form| (field, form)));
        forms.enumerate().map(|(index, (field, form))| (index, field, form))
    }

    /// The forms in the order of the wire: keys come first.
    fn in_order(&self) -> Vec<(Literal, &Field, &Form)> {
        let mut forms: Vec<_> = self.forms().collect();
        if self.is_delta() {
            forms.sort_by_key(|(_, _, form)| !form.attribute.key);
        }
        forms
            .into_iter()
            .map(|(index, field, form)| (Literal::usize_unsuffixed(index), field, form))
            .collect()
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
        let fields = self.forms().map(|(_, field, form)| field.definition(form, self));
        let keys = self.forms().filter(|(_, _, form)| form.attribute.key && self.is_delta());
        let keys = keys.map(|(index, ..)| index);
        let (with, without) = (self.with, self.without);
        let is_delta = self.is_delta();
        let bits = Versions::MASKS.map(|version| {
            let is_bit = |form: &Form| is_delta && !form.attribute.key && form.is_always_in(version);
            self.forms().filter(|(_, _, form)| is_bit(form)).count()
        });
        let optional = self.forms().filter(|(_, _, form)| form.is_optional()).map(|(index, ..)| index);
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
                optional: &[#(#optional),*],
                with: #with,
                without: #without,
                topic: #topic,
                doc: #doc,
            }
        }
    }

    fn read(&self) -> TokenStream {
        let is_delta = self.is_delta();
        let calls = self.in_order().into_iter().map(|(index, field, form)| {
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
        let calls = self.in_order().into_iter().map(|(index, field, form)| {
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

    /// Adds the bytes that the fields hold on the heap.
    fn heap_bytes(&self) -> TokenStream {
        let codec = &self.attribute.codec;
        let parts = self.fields.iter().filter(|field| !field.is_flat()).map(|field| {
            let value = field.sent(&self.attribute, "self");
            quote!(.saturating_add(#codec::Wire::heap_bytes(#value)))
        });
        quote!(#(#parts)*)
    }
}

impl Form {
    fn parse(attribute: FieldAttribute, packet: &PacketAttribute) -> Result<Self> {
        let (since, before) = attribute.versions.masks()?;
        let (with, without) = (packet.mask(&attribute.with)?, packet.mask(&attribute.without)?);
        Ok(Self { attribute, with: with | since, without: without | before })
    }

    /// Returns whether capabilities choose it.
    fn is_optional(&self) -> bool {
        let [.., newest] = Versions::MASKS;
        (self.with | self.without) & !newest != 0
    }

    /// Returns whether every connection of the version with this mask sends it.
    fn is_always_in(&self, version: u32) -> bool {
        version & self.with == self.with && version & self.without == 0 && !self.is_optional()
    }

    /// The type in which it is sent.
    fn ty<'a>(&'a self, field: &'a Field) -> &'a Type {
        self.attribute.form.as_ref().unwrap_or(&field.ty)
    }

    /// The name of a method for it, and the type that is sent if it is not that of the field.
    fn call(&self, method: &str) -> TokenStream {
        let Some(form) = &self.attribute.form else {
            let method = Ident::new(method, Span::call_site());
            return quote!(#method);
        };
        let method = Ident::new(&format!("{method}_as"), Span::call_site());
        quote!(#method::<#form, _>)
    }

    /// Returns whether its bit is its value.
    fn is_flag(&self) -> bool {
        self.attribute.c_type == "bool" && self.attribute.dims.is_empty() && !self.attribute.key
    }

    /// The form in which its changed elements are sent alone.
    fn changes(&self, packet: &PacketAttribute) -> Option<TokenStream> {
        let (codec, form) = (&packet.codec, self.attribute.diff.as_ref()?);
        (self.attribute.dims.len() == 1).then(|| quote!(#codec::ArrayDiff::#form))
    }

    /// A call for it, made if it is sent with the capabilities and in the version of the connection.
    fn when(&self, object: &TokenStream, call: TokenStream) -> TokenStream {
        let (with, without) = (self.with, self.without);
        if with == 0 && without == 0 { call } else { quote!(if #object.has(#with, #without) { #call }) }
    }

    /// The counts of its dimensions.
    fn counts(&self, packet: &Packet) -> TokenStream {
        let codec = &packet.attribute.codec;
        let counts = self.attribute.dims.iter().filter_map(|Dim { limit, count }| match count {
            Count::Field(name) => {
                let field = packet.fields.iter().find(|field| field.ident == *name)?;
                let value = field.sent(&packet.attribute, "self");
                Some(quote!(#codec::ElementCount::new(*#value, #limit)))
            }
            Count::Fixed | Count::Own => None,
        });
        quote!(&[#(#counts),*])
    }
}

impl Field {
    fn parse(ident: &Ident, field: &syn::Field, packet: &PacketAttribute) -> Result<Self> {
        let attributes = FieldAttribute::parse_all(field)?.into_iter();
        let forms = attributes.map(|attribute| Form::parse(attribute, packet)).collect::<Result<_>>()?;
        let (ty, is_optional) = match of_option(&field.ty) {
            Some(inner) => (inner.clone(), true),
            None => (field.ty.clone(), false),
        };
        Ok(Self { ident: ident.clone(), ty, is_optional, doc: doc(&field.attrs), forms })
    }

    /// The value that is read over.
    fn received(&self, packet: &PacketAttribute) -> TokenStream {
        let (ident, codec) = (&self.ident, &packet.codec);
        match self.is_optional {
            true => quote!(self.#ident.get_or_insert(#codec::Wire::ZERO)),
            false => quote!(&mut self.#ident),
        }
    }

    /// The value of a packet, `self` or `old`, that is sent or compared.
    fn sent(&self, packet: &PacketAttribute, of: &str) -> TokenStream {
        let (ident, codec, of) = (&self.ident, &packet.codec, Ident::new(of, Span::call_site()));
        match self.is_optional {
            true => quote!(#of.#ident.as_ref().unwrap_or(&#codec::Wire::ZERO)),
            false => quote!(&#of.#ident),
        }
    }

    /// The name of a form in the definition.
    fn name(&self, form: &Form) -> String {
        form.attribute.name.clone().unwrap_or_else(|| self.ident.unraw().to_string())
    }

    /// Returns whether its type is known to hold nothing on the heap.
    fn is_flat(&self) -> bool {
        fn is_flat(ty: &Type) -> bool {
            const ELASTIC: [&str; 7] = ["Text", "Texts", "Vec", "Vector", "Memory", "ShortList", "Worklist"];
            match ty {
                Type::Array(array) => is_flat(&array.elem),
                Type::Path(path) => path
                    .path
                    .segments
                    .last()
                    .is_some_and(|name| !ELASTIC.iter().any(|word| name.ident == word)),
                _ => false,
            }
        }
        is_flat(&self.ty)
    }

    fn definition(&self, form: &Form, packet: &Packet) -> TokenStream {
        let codec = &packet.attribute.codec;
        let (name, doc, ty) = (self.name(form), &self.doc, form.ty(self));
        let FieldAttribute { word, factor, c_type, type_name, dims, key, diff, .. } = &form.attribute;
        let wire = match (word.to_string().as_str(), factor) {
            ("Bitvector", _) => quote!(Bitvector { bytes: <#ty as #codec::Wire>::SIZE }),
            ("String" | "Estring", _) => quote!(#word { size: <#ty as #codec::Wire>::SIZE }),
            (_, Some(factor)) => quote!(#word { factor: #factor }),
            _ => quote!(#word),
        };
        let dims = dims.iter().map(|Dim { limit, count }| match count {
            Count::Fixed => quote!(#codec::fixed(#limit)),
            Count::Own => quote!(#codec::own()),
            Count::Field(name) => {
                let index = packet.forms().position(|(_, field, _)| field.ident == *name);
                quote!(#codec::counted(#limit, #index))
            }
        });
        let diff = match diff {
            Some(form) => quote!(::core::option::Option::Some(#codec::ArrayDiff::#form)),
            None => quote!(::core::option::Option::None),
        };
        let (with, without) = (form.with, form.without);
        quote! {
            #codec::FieldDefinition {
                name: #name,
                wire: #codec::WireType::#wire,
                c_type: #c_type,
                type_name: #type_name,
                dims: &[#(#dims),*],
                key: #key,
                diff: #diff,
                with: #with,
                without: #without,
                doc: #doc,
            }
        }
    }
}

/// The type in an `Option`.
fn of_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}
