//! Macros of snapshot objects.

/// Defines structures of integers. The fields of a structure are reported in place of the structure. `=> value` after a
/// field is its default: the field has this value instead of 0 if an item ends before it.
macro_rules! structure {
    ($($(#[doc = $doc:literal])+ $Type:ident $name:literal { $($fields:tt)* })+) => {$(
        $crate::shared::definition::structure! { @one $(#[doc = $doc])+ $Type $name { $($fields)* } }
    )+};
    (@one
        $(#[doc = $doc:literal])+
        $Type:ident $name:literal {
            $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty $(as $rule:expr)? $(=> $default:expr)?),* $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $Type {
            $(
                #[doc = $crate::shared::definition::field_doc!(text $field $($fdoc)*)]
                #[doc = concat!("\n\nOn the wire: `", stringify!($ty) $(, " as ", stringify!($rule))?, "`.")]
                $(#[doc = concat!("\n\nDefault: `", stringify!($default), "`.")])?
                pub $field: $ty,
            )*
        }

        impl Default for $Type {
            fn default() -> Self {
                Self { $($field: $crate::shared::definition::default_of!($($default)?)),* }
            }
        }

        impl $Type {
            /// Definition of the structure.
            pub const DEFINITION: &'static $crate::shared::definition::Definition =
                &$crate::shared::definition::Definition {
                    layer: gamewire_wire::Layer::Item,
                    name: $name,
                    doc: &[$($doc),+],
                    fields: $crate::shared::definition::fields!($($(#[doc = $fdoc])* $field: $ty $(as $rule)?),*),
                };
        }

        impl $crate::shared::field::IntFields for $Type {
            type Rule = ();
            const RULE: () = ();
            #[allow(clippy::arithmetic_side_effects, reason = "evaluated at compile time")]
            const COUNT: usize = 0 $(+ <$ty as $crate::shared::field::IntFields>::COUNT)*;

            fn shape((): &()) -> gamewire_wire::Shape {
                gamewire_wire::Shape::Inline(Self::DEFINITION)
            }

            #[inline]
            fn read_ints<S: $crate::shared::field::IntSource, T: gamewire_wire::Trace>(
                from: &mut S,
                (): &(),
                _: &'static str,
                trace: &mut T,
            ) -> gamewire_wire::Result<Self> {
                let _ = (&from, &trace);
                Ok(Self {
                    $($field: $crate::shared::definition::unless_left_out!(
                        from $(, $default)?;
                        $crate::shared::field::IntFields::read_ints(
                            from,
                            $crate::shared::definition::rule!($ty $(, $rule)?),
                            stringify!($field),
                            trace,
                        )?
                    ),)*
                })
            }

            #[inline]
            fn write_ints<K: $crate::shared::field::IntSink>(
                &self,
                to: &mut K,
            ) -> gamewire_wire::Result<()> {
                let _ = &to;
                $($crate::shared::field::IntFields::write_ints(&self.$field, to)?;)*
                Ok(())
            }
        }
    };
    // The object is defined in `shared`.
    ($Type:ident $name:literal ;) => {};
}

/// The default of a field. It is the default in the definition if there is one, otherwise the default of the type.
macro_rules! default_of {
    () => {
        Default::default()
    };
    ($default:expr) => {
        $default
    };
}

/// Returns the default of a field if the definition has one and the item leaves the field out. Otherwise reads the
/// field.
macro_rules! unless_left_out {
    ($from:ident; $read:expr) => {
        $read
    };
    ($from:ident, $default:expr; $read:expr) => {
        if $crate::shared::field::IntSource::is_padding($from) { $default } else { $read }
    };
}

/// Defines a set of snapshot objects: the structs, an enum of them, decoding by type, and a golden test for each. A
/// test does not build without its vector.
macro_rules! objects {
    (
        $(#[$meta:meta])*
        pub enum $Set:ident: $Id:ty, golden $dir:literal;
        $(
            $(#[doc = $doc:literal])*
            $id:literal $(= $unique:literal)? => $Type:ident $name:literal $body:tt
        )+
    ) => {
        $(
            $crate::shared::definition::structure! {
                $(#[doc = $doc])*
                $Type $name $body
            }
        )+

        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $Set {
            $(
                #[doc = concat!("`", stringify!($id), "`: ", $name, ".")]
                $Type($Type),
            )+
        }

        impl $Set {
            /// Every object of this set by type, in order.
            pub const DEFINITIONS: &'static [($Id, &'static $crate::shared::definition::Definition)] =
                &[$(($id, $Type::DEFINITION)),+];

            /// The unique names by type. A type is a hash of its name.
            pub const NAMES: &'static [(u128, &'static str)] = &[$($(($id, $unique),)?)+];
        }

        impl $crate::shared::object::ObjectSet for $Set {
            type Id = $Id;

            #[inline]
            fn decode<T: gamewire_wire::Trace>(
                id: $Id,
                from: &mut $crate::shared::object::ItemInts<'_>,
                trace: &mut T,
            ) -> Option<gamewire_wire::Result<Self>> {
                Some(match id {
                    $($id => $crate::shared::field::IntFields::read_ints(from, &(), $name, trace)
                        .map(Self::$Type)
                        .map_err(|error| error.in_packet($name)),)+
                    _ => return None,
                })
            }

            #[inline]
            fn size_of(id: $Id) -> Option<usize> {
                match id {
                    $($id => Some(<$Type as $crate::shared::field::IntFields>::COUNT),)+
                    _ => None,
                }
            }

            #[inline]
            fn name_of(id: $Id) -> Option<&'static str> {
                match id {
                    $($id => Some($name),)+
                    _ => None,
                }
            }

            #[inline]
            fn id(&self) -> $Id {
                match self {
                    $(Self::$Type(_) => $id,)+
                }
            }

            #[inline]
            fn encode<K: $crate::shared::field::IntSink>(
                &self,
                to: &mut K,
            ) -> gamewire_wire::Result<()> {
                match self {
                    $(Self::$Type(object) => $crate::shared::field::IntFields::write_ints(object, to),)+
                }
            }
        }

        #[cfg(test)]
        #[allow(non_snake_case, reason = "a test has the name of its object")]
        mod golden {
            $(
                #[test]
                fn $Type() {
                    $crate::golden_tests::object::<super::$Set>(
                        $id,
                        $name,
                        include_str!(concat!(
                            env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/", $dir, "/",
                            stringify!($Type), ".json"
                        )),
                    );
                }
            )+
        }
    };
}

pub(crate) use {default_of, objects, structure, unless_left_out};
