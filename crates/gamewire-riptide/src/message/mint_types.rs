//! To and from the types of `mint`.

use super::{Quaternion, Vector2, Vector3};

impl From<mint::Vector2<f32>> for Vector2 {
    fn from(other: mint::Vector2<f32>) -> Self {
        Self::new(other.x, other.y)
    }
}

impl From<Vector2> for mint::Vector2<f32> {
    fn from(Vector2 { x, y }: Vector2) -> Self {
        Self { x, y }
    }
}

impl From<mint::Vector3<f32>> for Vector3 {
    fn from(other: mint::Vector3<f32>) -> Self {
        Self::new(other.x, other.y, other.z)
    }
}

impl From<Vector3> for mint::Vector3<f32> {
    fn from(Vector3 { x, y, z }: Vector3) -> Self {
        Self { x, y, z }
    }
}

impl From<mint::Quaternion<f32>> for Quaternion {
    fn from(mint::Quaternion { v, s }: mint::Quaternion<f32>) -> Self {
        Self::new(v.x, v.y, v.z, s)
    }
}

impl From<Quaternion> for mint::Quaternion<f32> {
    fn from(Quaternion { x, y, z, w }: Quaternion) -> Self {
        Self { v: mint::Vector3 { x, y, z }, s: w }
    }
}
