//! The types of Unity that its package adds to messages: floats in the order x, y, z, w. They convert to and from the
//! types of `glam` and `mint`.

use gamewire_wire::Result;

use super::{Message, Value};
use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

macro_rules! vectors {
    ($($(#[doc = $doc:literal])+ $name:ident: $($component:ident)+;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            $(#[doc = concat!("Component ", stringify!($component), ".")] pub $component: f32,)+
        }

        impl $name {
            /// Creates a value of these components.
            pub const fn new($($component: f32),+) -> Self {
                Self { $($component),+ }
            }
        }

        impl Value for $name {
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
                [$(self.$component),+].write(to)
            }

            fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self> {
                let [$($component),+] = Value::read(from)?;
                Ok(Self { $($component),+ })
            }
        }
    )+};
}

vectors! {
    /// Unity's `Vector2`.
    Vector2: x y;
    /// Unity's `Vector3`.
    Vector3: x y z;
    /// Unity's `Quaternion`. The default is all zeros, as in Unity; no rotation is
    /// [`Quaternion::IDENTITY`].
    Quaternion: x y z w;
}

impl Quaternion {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);
}

macro_rules! methods {
    ($($add:ident $get:ident $name:ident)+) => {
        /// Methods that Unity's package adds.
        impl Message {$(
            #[doc = concat!("`Add", stringify!($name), "`.")]
            pub fn $add(&mut self, value: impl Into<$name>) -> &mut Self {
                self.add_serializable(&value.into())
            }

            #[doc = concat!("`Get", stringify!($name), "`.")]
            ///
            /// # Errors
            /// At the end of the message.
            pub fn $get(&mut self) -> Result<$name> {
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

/// Defines conversions to and from the types of another crate.
macro_rules! conversions {
    ($($feature:literal $name:ident $other:ty: |$value:ident| $from:expr, $into:expr;)+) => {$(
        #[cfg(feature = $feature)]
        impl From<$other> for $name {
            fn from($value: $other) -> Self {
                $from
            }
        }

        #[cfg(feature = $feature)]
        impl From<$name> for $other {
            fn from($value: $name) -> Self {
                $into
            }
        }
    )+};
}

conversions! {
    "glam" Vector2 glam::Vec2: |v| Self::new(v.x, v.y), Self::new(v.x, v.y);
    "glam" Vector3 glam::Vec3: |v| Self::new(v.x, v.y, v.z), Self::new(v.x, v.y, v.z);
    "glam" Quaternion glam::Quat: |v| Self::new(v.x, v.y, v.z, v.w), Self::from_xyzw(v.x, v.y, v.z, v.w);
    "mint" Vector2 mint::Vector2<f32>: |v| Self::new(v.x, v.y), Self { x: v.x, y: v.y };
    "mint" Vector3 mint::Vector3<f32>: |v| Self::new(v.x, v.y, v.z), Self { x: v.x, y: v.y, z: v.z };
    "mint" Quaternion mint::Quaternion<f32>: |q| Self::new(q.v.x, q.v.y, q.v.z, q.s),
        Self { v: mint::Vector3 { x: q.x, y: q.y, z: q.z }, s: q.w };
}
