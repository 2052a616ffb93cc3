//! Derives for messages of Riptide Networking. Use them through `gamewire_riptide` or
//! `gamewire::riptide`, which tell what they do; each of the two has its own pair here, since
//! code that a derive writes names the crate that it stands on.

#![forbid(unsafe_code)]

mod attributes;
mod expand;
mod fields;
mod variants;

use proc_macro::TokenStream;

/// `gamewire_riptide::Message`: a message of its own, with an id.
#[proc_macro_derive(Message, attributes(message))]
pub fn message(item: TokenStream) -> TokenStream {
    expand::message(item, "::gamewire_riptide")
}

/// `gamewire_riptide::Value`: what stands in messages.
#[proc_macro_derive(Value, attributes(message))]
pub fn value(item: TokenStream) -> TokenStream {
    expand::value(item, "::gamewire_riptide")
}

/// `gamewire::riptide::Message`: a message of its own, with an id.
#[proc_macro_derive(FacadeMessage, attributes(message))]
pub fn facade_message(item: TokenStream) -> TokenStream {
    expand::message(item, "::gamewire::riptide")
}

/// `gamewire::riptide::Value`: what stands in messages.
#[proc_macro_derive(FacadeValue, attributes(message))]
pub fn facade_value(item: TokenStream) -> TokenStream {
    expand::value(item, "::gamewire::riptide")
}
