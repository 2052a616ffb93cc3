//! The macro for orders that cannot fail.

/// Defines orders that cannot fail.
macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) -> $packet:ty = $value:expr;)+) => {$(
        $(#[$doc])*
        pub fn $name($($argument: $type),*) -> $packet {
            $value
        }
    )+};
}

pub(super) use orders;
