//! The role that sends a message, from the row of the message.

use gamewire_machine::Role;

/// The role that sends a message: by the prefix of its type, or by the word in its row. A row without either does not
/// compile, except in the sets of control and browsing messages (`any`).
macro_rules! sender {
    (by_prefix $Type:ident) => {{
        // An item, because the compiler evaluates it also if nothing uses it.
        const SENDER: Option<gamewire_machine::Role> = $crate::shared::definition::sender_by_prefix(stringify!($Type));
        SENDER
    }};
    (by_word $Type:ident server) => {
        Some(gamewire_machine::Role::Server)
    };
    (by_word $Type:ident client) => {
        Some(gamewire_machine::Role::Client)
    };
    (by_word $Type:ident either) => {
        None
    };
    (any $Type:ident) => {
        None
    };
    ($by:ident $Type:ident $($word:ident)?) => {
        compile_error!(concat!(
            stringify!($Type),
            ": before `=>`, write `from server`, `from client` or `from either` in a set with `sender by_word`, and \
             nothing in other sets"
        ))
    };
}

/// Returns the role that sends a game message, by the prefix of its type.
#[allow(clippy::panic, reason = "only constants call it, so a wrong name is an error of the compiler")]
pub(crate) const fn sender_by_prefix(type_name: &str) -> Option<Role> {
    match type_name.as_bytes() {
        // Demos are recordings of what a server sends.
        [b'S', b'v', ..] | [b'D', b'e', ..] => Some(Role::Server),
        [b'C', b'l', ..] => Some(Role::Client),
        _ => panic!("the type of a game message begins with `Sv`, `Cl` or `De`"),
    }
}

pub(crate) use sender;
