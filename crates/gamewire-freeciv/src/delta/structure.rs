//! The structures of Freeciv's own types.

use gamewire_schema::ir::{Part, Structure, WireType};

/// Passes the definitions of the structures to the macro `$define`: the tables of the interpreter, or the structs of the
/// typed codec.
macro_rules! freeciv_structures {
    ($define:ident) => {
        $define! {
            /// A condition of a building, an effect and so on.
            Requirement = "requirement" {
                /// The kind of the thing that is required: a technology, a government, a terrain and so on.
                kind: u8 = "kind",
                /// The number of the thing.
                value: i32 = "value",
                /// The distance or group within which the thing counts.
                range: u8 = "range",
                /// True if the thing still counts after it was destroyed.
                survives: bool = "survives",
                /// True if the thing must exist, false if it must not exist.
                present: bool = "present",
                /// True if help texts omit the condition.
                quiet: bool = "quiet",
            }
            /// The probability that an action succeeds, in half percent; 253 to 255 have special meanings.
            ActionProbability = "action_probability" {
                /// Minimum.
                min: u8 = "min",
                /// Maximum.
                max: u8 = "max",
            }
            /// One item that a city builds.
            Work = "work" {
                /// Its kind: a building, a unit and so on.
                kind: u8 = "kind",
                /// Its number.
                id: u8 = "id",
            }
            /// One step of the orders of a unit.
            UnitOrder = "unit_order" {
                /// The order: move, act, do an activity and so on.
                order: u8 = "order",
                /// The activity.
                activity: u8 = "activity",
                /// The number of the target: a tile, a unit, a city and so on.
                target: i32 = "target",
                /// The part of the target.
                sub_target: i16 = "sub_target",
                /// The action.
                action: u8 = "action",
                /// The direction; -1 for none.
                dir: i8 = "dir",
            }
            /// The goals of a city manager.
            CmParameter = "cm_parameter" {
                /// The minimum surplus of each output.
                minimal_surplus: [i16; 6] = "minimal_surplus",
                /// True if the city should grow as fast as it can.
                max_growth: bool = "max_growth",
                /// True if the city must celebrate.
                require_happy: bool = "require_happy",
                /// True if the city may be in disorder.
                allow_disorder: bool = "allow_disorder",
                /// True if specialists are allowed.
                allow_specialists: bool = "allow_specialists",
                /// The weight of each output.
                factor: [u16; 6] = "factor",
                /// The weight of celebration.
                happy_factor: u16 = "happy_factor",
            }
        }
    };
}

pub(crate) use freeciv_structures;

/// Creates a part of a structure.
macro_rules! part {
    ($name:literal [$type:tt; $count:literal]) => {
        Part { count: Some($count), ..part!($name $type) }
    };
    ($name:literal u8) => {
        Part::new($name, WireType::Uint8)
    };
    ($name:literal u16) => {
        Part::new($name, WireType::Uint16)
    };
    ($name:literal i8) => {
        Part::new($name, WireType::Sint8)
    };
    ($name:literal i16) => {
        Part::new($name, WireType::Sint16)
    };
    ($name:literal i32) => {
        Part::new($name, WireType::Sint32)
    };
    ($name:literal bool) => {
        Part::new($name, WireType::Bool8)
    };
}

macro_rules! lookup {
    ($(
        $(#[$doc:meta])*
        $struct:ident = $type_name:literal {
            $($(#[$part_doc:meta])* $part:ident: $type:tt = $part_name:literal,)+
        }
    )+) => {
        /// Returns the structure of a type of Freeciv. It has no parts if the type is not a structure.
        pub(super) fn freeciv_structure(type_name: &str) -> Structure {
            match type_name {
                $($type_name => Structure::new($type_name, vec![$(part!($part_name $type)),+]),)+
                _ => Structure::new("", Vec::new()),
            }
        }
    };
}

freeciv_structures!(lookup);
