//! The fields of a Freeciv packet, for `#[derive(Packet)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{GenericArgument, PathArguments, Result, Type};

use super::packet::Packet;
use super::packet_attributes::{Count, Dim, FieldAttribute, Masks, PacketAttribute, Versions, doc};

/// A field, with all data that the derive macro needs.
pub(super) struct Field {
    pub(super) ident: Ident,
    /// The type of the field's value, without `Option`.
    pub(super) ty: Type,
    /// True if the field is an `Option`, because some connections do not send it.
    pub(super) is_optional: bool,
    pub(super) doc: String,
    pub(super) forms: Vec<Form>,
}

/// A form in which a field is sent. Each form is a field in the definition.
pub(super) struct Form {
    pub(super) attribute: FieldAttribute,
    /// The capabilities and versions that have the form.
    pub(super) masks: Masks,
}

impl Form {
    pub(super) fn parse(attribute: FieldAttribute, packet: &PacketAttribute) -> Result<Self> {
        let versions = attribute.versions.masks()?;
        let masks = Masks {
            with: packet.mask(&attribute.with)? | versions.with,
            without: packet.mask(&attribute.without)? | versions.without,
        };
        Ok(Self { attribute, masks })
    }

    /// Returns whether the form depends on capabilities.
    pub(super) fn is_of_capability(&self) -> bool {
        let [.., newest] = Versions::MASKS;
        (self.masks.with | self.masks.without) & !newest != 0
    }

    /// Returns whether every connection of the version with this mask sends the form.
    pub(super) fn is_always_in(&self, version: u64) -> bool {
        let Masks { with, without } = self.masks;
        version & with == with && version & without == 0 && !self.is_of_capability()
    }

    /// Returns the type in which the form is sent.
    pub(super) fn ty<'a>(&'a self, field: &'a Field) -> &'a Type {
        self.attribute.form.as_ref().unwrap_or(&field.ty)
    }

    /// Returns the name of the method for this form. If the type of the form differs from the field's type, the method
    /// has the suffix `_as` and the type of the form.
    pub(super) fn call(&self, method: &str) -> TokenStream {
        let Some(form) = &self.attribute.form else {
            let method = Ident::new(method, Span::call_site());
            return quote!(#method);
        };
        let method = Ident::new(&format!("{method}_as"), Span::call_site());
        quote!(#method::<#form, _>)
    }

    /// Returns whether the bit in the delta header is the value of the field itself.
    pub(super) fn is_flag(&self) -> bool {
        self.attribute.c_type == "bool" && self.attribute.dims.is_empty() && !self.attribute.key
    }

    /// Returns code for the kind of array-diff if only the changed elements of the array can be sent.
    pub(super) fn changes(&self, packet: &PacketAttribute) -> Option<TokenStream> {
        let (codec, form) = (&packet.codec, self.attribute.diff.as_ref()?);
        (self.attribute.dims.len() == 1).then(|| quote!(#codec::ArrayDiff::#form))
    }

    /// Returns a call for this form, which runs if the connection's capabilities and version include the form.
    pub(super) fn when(&self, object: &TokenStream, call: TokenStream) -> TokenStream {
        let Masks { with, without } = self.masks;
        if with == 0 && without == 0 { call } else { quote!(if #object.has(#with, #without) { #call }) }
    }

    /// Returns code for the counts of the form's dimensions.
    pub(super) fn counts(&self, packet: &Packet) -> TokenStream {
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
    pub(super) fn parse(ident: &Ident, field: &syn::Field, packet: &PacketAttribute) -> Result<Self> {
        let attributes = FieldAttribute::parse_all(field)?.into_iter();
        let forms = attributes.map(|attribute| Form::parse(attribute, packet)).collect::<Result<_>>()?;
        let (ty, is_optional) = match of_option(&field.ty) {
            Some(inner) => (inner.clone(), true),
            None => (field.ty.clone(), false),
        };
        Ok(Self { ident: ident.clone(), ty, is_optional, doc: doc(&field.attrs), forms })
    }

    /// Returns code for the value that reading the field overwrites.
    pub(super) fn received(&self, packet: &PacketAttribute) -> TokenStream {
        let (ident, codec) = (&self.ident, &packet.codec);
        match self.is_optional {
            true => quote!(self.#ident.get_or_insert(#codec::Wire::ZERO)),
            false => quote!(&mut self.#ident),
        }
    }

    /// Returns code for the field's value in `self` or `old`, which is sent or compared.
    pub(super) fn sent(&self, packet: &PacketAttribute, of: &str) -> TokenStream {
        let (ident, codec, of) = (&self.ident, &packet.codec, Ident::new(of, Span::call_site()));
        match self.is_optional {
            true => quote!(#of.#ident.as_ref().unwrap_or(&#codec::Wire::ZERO)),
            false => quote!(&#of.#ident),
        }
    }

    /// Returns the name of a form in the definition.
    pub(super) fn name(&self, form: &Form) -> String {
        form.attribute.name.clone().unwrap_or_else(|| self.ident.unraw().to_string())
    }

    /// Returns whether the field's type is known to have no data on the heap.
    pub(super) fn is_flat(&self) -> bool {
        fn is_flat(ty: &Type) -> bool {
            const ELASTIC: [&str; 9] = [
                "Text",
                "Texts",
                "Vec",
                "Vector",
                "Memory",
                "ShortList",
                "Worklist",
                "EndedList",
                "BitString",
            ];
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

    pub(super) fn definition(&self, form: &Form, packet: &Packet) -> TokenStream {
        let codec = &packet.attribute.codec;
        let (name, doc, ty) = (self.name(form), &self.doc, form.ty(self));
        let FieldAttribute { aliases, word, factor, c_type, type_name, dims, key, diff, .. } =
            &form.attribute;
        let wire = match (word.to_string().as_str(), factor) {
            ("Bitvector", _) => quote!(Bitvector { bytes: <#ty as #codec::Wire>::SIZE }),
            ("String" | "Estring" | "BitString", _) => quote!(#word { size: <#ty as #codec::Wire>::SIZE }),
            ("EndedList", _) => quote! {
                #word { end: <#ty as #codec::Wire>::END, max: <#ty as #codec::Wire>::SIZE }
            },
            (_, Some(factor)) => quote!(#word { factor: #factor }),
            _ => quote!(#word),
        };
        let structure = match word == "Structure" {
            true => quote!(<#ty as #codec::Wire>::STRUCTURE),
            false => quote!(::core::option::Option::None),
        };
        let dims = dims.iter().map(|Dim { limit, count }| match count {
            Count::Fixed => quote!(#codec::fixed(#limit)),
            Count::Own => quote!(#codec::own()),
            Count::Field(name) => {
                let index = packet.forms().position(|indexed| indexed.field.ident == *name);
                quote!(#codec::counted(#limit, #index))
            }
        });
        let diff = match diff {
            Some(form) => quote!(::core::option::Option::Some(#codec::ArrayDiff::#form)),
            None => quote!(::core::option::Option::None),
        };
        let Masks { with, without } = form.masks;
        quote! {
            #codec::FieldDefinition {
                name: #name,
                aliases: &[#(#aliases),*],
                wire: #codec::WireType::#wire,
                structure: #structure,
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

/// Returns the type in an `Option`.
fn of_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(inner)) => Some(inner),
        _ => None,
    }
}
