//! The types of Unity that its package adds to messages: floats in the order x, y, z, w.

use gamewire_wire::CodecError;

use super::{Message, Value};
use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

macro_rules! vectors {
    ($($(#[doc = $doc:literal])+ $name:ident: $($part:ident)+;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $(#[doc = concat!("Its ", stringify!($part), ".")] pub $part: f32,)+
        }

        impl $name {
            /// One of these parts.
            #[must_use]
            pub const fn new($($part: f32),+) -> Self {
                Self { $($part),+ }
            }
        }

        impl Value for $name {
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
                [$(self.$part),+].write(to)
            }

            fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError> {
                let [$($part),+] = Value::read(from)?;
                Ok(Self { $($part),+ })
            }
        }
    )+};
}

vectors! {
    /// Unity's `Vector2`.
    Vector2: x y;
    /// Unity's `Vector3`.
    Vector3: x y z;
    /// Unity's `Quaternion`. Its default is all zeros, as there; no rotation is
    /// [`Quaternion::IDENTITY`].
    Quaternion: x y z w;
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);
}

macro_rules! methods {
    ($($add:ident $get:ident $name:ident)+) => {
        /// What Unity's package adds.
        impl Message {$(
            #[doc = concat!("`Add", stringify!($name), "`.")]
            pub fn $add(&mut self, value: impl Into<$name>) -> &mut Self {
                self.add_serializable(&value.into())
            }

            #[doc = concat!("`Get", stringify!($name), "`.")]
            ///
            /// # Errors
            /// At the end of the message.
            pub fn $get(&mut self) -> Result<$name, CodecError> {
                self.get_serializable()
            }
        )+}
    };
}

methods! {
    add_vector2 get_vector2 Vector2
    add_vector3 get_vector3 Vector3
    add_quaternion get_quaternion Quaternion
}
