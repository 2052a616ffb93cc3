//! Derived code does not depend on names in scope.
#![allow(dead_code, reason = "that it compiles is the test")]

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct Value;
struct Version;
struct CodecError;
struct Found;

mod core {}
mod std {}

#[derive(gamewire_riptide::Message)]
#[message(id = 1)]
struct Struct {
    error: u8,
    to: ::std::vec::Vec<u8>,
    from: bool,
    __to: u16,
}

#[derive(gamewire_riptide::Value)]
enum Enum {
    Ok { found: u8 },
    Err(u8, #[allow(unused, reason = "an attribute of another macro")] u16),
    None,
}

#[derive(gamewire_riptide::Value)]
enum Full {
    Only = 255,
}

#[test]
fn derived_code_ignores_names_in_scope() {
    let written = Struct { error: 1, to: ::std::vec![2], from: true, __to: 3 };
    let mut message = gamewire_riptide::Message::create(gamewire_riptide::MessageSendMode::Reliable, 1_u16);
    message.add_serializable(&written);
    let read: Struct = message.read_as().unwrap();
    assert_eq!((read.error, read.to, read.from, read.__to), (1, ::std::vec![2], true, 3));
}
