//! The types of Unity that its package adds to messages: floats in the order x, y, z, w. They convert
//! from and to the types of `glam` and `mint`.

use gamewire_wire::CodecError;

use super::{Message, Value};
use crate::shared::message::{Reader, Writer};
use crate::shared::version::Version;

macro_rules! vectors {
    ($($(#[doc = $doc:literal])+ $name:ident: $($component:ident)+;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $(#[doc = concat!("Component ", stringify!($component), ".")] pub $component: f32,)+
        }

        impl $name {
            /// Creates a value of these components.
            #[must_use]
            pub const fn new($($component: f32),+) -> Self {
                Self { $($component),+ }
            }
        }

        impl Value for $name {
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
                [$(self.$component),+].write(to)
            }

            fn read<V: Version>(from: &mut Reader<'_, V>) -> Result<Self, CodecError> {
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

#[cfg(feature = "glam")]
impl From<glam::Vec2> for Vector2 {
    fn from(other: glam::Vec2) -> Self {
        Self::new(other.x, other.y)
    }
}

#[cfg(feature = "glam")]
impl From<Vector2> for glam::Vec2 {
    fn from(Vector2 { x, y }: Vector2) -> Self {
        Self::new(x, y)
    }
}

#[cfg(feature = "glam")]
impl From<glam::Vec3> for Vector3 {
    fn from(other: glam::Vec3) -> Self {
        Self::new(other.x, other.y, other.z)
    }
}

#[cfg(feature = "glam")]
impl From<Vector3> for glam::Vec3 {
    fn from(Vector3 { x, y, z }: Vector3) -> Self {
        Self::new(x, y, z)
    }
}

#[cfg(feature = "glam")]
impl From<glam::Quat> for Quaternion {
    fn from(other: glam::Quat) -> Self {
        Self::new(other.x, other.y, other.z, other.w)
    }
}

#[cfg(feature = "glam")]
impl From<Quaternion> for glam::Quat {
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        Self::from_xyzw(x, y, z, w)
    }
}

#[cfg(feature = "mint")]
impl From<mint::Vector2<f32>> for Vector2 {
    fn from(other: mint::Vector2<f32>) -> Self {
        Self::new(other.x, other.y)
    }
}

#[cfg(feature = "mint")]
impl From<Vector2> for mint::Vector2<f32> {
    fn from(Vector2 { x, y }: Vector2) -> Self {
        Self { x, y }
    }
}

#[cfg(feature = "mint")]
impl From<mint::Vector3<f32>> for Vector3 {
    fn from(other: mint::Vector3<f32>) -> Self {
        Self::new(other.x, other.y, other.z)
    }
}

#[cfg(feature = "mint")]
impl From<Vector3> for mint::Vector3<f32> {
    fn from(Vector3 { x, y, z }: Vector3) -> Self {
        Self { x, y, z }
    }
}

#[cfg(feature = "mint")]
impl From<mint::Quaternion<f32>> for Quaternion {
    fn from(mint::Quaternion { v, s }: mint::Quaternion<f32>) -> Self {
        Self::new(v.x, v.y, v.z, s)
    }
}

#[cfg(feature = "mint")]
impl From<Quaternion> for mint::Quaternion<f32> {
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        Self { v: mint::Vector3 { x, y, z }, s: w }
    }
}
