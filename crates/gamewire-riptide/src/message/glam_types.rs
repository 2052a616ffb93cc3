//! To and from the types of `glam`.

use super::{Quaternion, Vector2, Vector3};

impl From<glam::Vec2> for Vector2 {
    fn from(other: glam::Vec2) -> Self {
        Self::new(other.x, other.y)
    }
}

impl From<Vector2> for glam::Vec2 {
    fn from(Vector2 { x, y }: Vector2) -> Self {
        Self::new(x, y)
    }
}

impl From<glam::Vec3> for Vector3 {
    fn from(other: glam::Vec3) -> Self {
        Self::new(other.x, other.y, other.z)
    }
}

impl From<Vector3> for glam::Vec3 {
    fn from(Vector3 { x, y, z }: Vector3) -> Self {
        Self::new(x, y, z)
    }
}

impl From<glam::Quat> for Quaternion {
    fn from(other: glam::Quat) -> Self {
        Self::new(other.x, other.y, other.z, other.w)
    }
}

impl From<Quaternion> for glam::Quat {
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        Self::from_xyzw(x, y, z, w)
    }
}
