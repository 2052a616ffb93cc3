//! Vectors of two floats, with one rounding per operation.

use ::core::ops::{Add, AddAssign, Mul, MulAssign, Sub};

use crate::number::{clamp, mix};

/// A vector of two floats. A position is in units of 1/32 tile, to the right and downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// The part to the right.
    pub x: f32,
    /// The part downwards.
    pub y: f32,
}

impl Vec2 {
    /// The zero vector.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };

    /// Creates a vector.
    #[must_use]
    #[inline]
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Returns the length.
    #[must_use]
    #[inline]
    pub fn length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// Returns the distance to another position.
    #[must_use]
    #[inline]
    pub fn distance(self, other: Self) -> f32 {
        (self - other).length()
    }

    /// Returns the dot product.
    #[must_use]
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the vector with length 1. With `is_zero_safe`, as in DDNet, the zero vector stays zero; without, as in
    /// Teeworlds, it becomes NaN.
    #[must_use]
    #[inline]
    pub fn normalized(self, is_zero_safe: bool) -> Self {
        let length = self.length();
        if is_zero_safe && length == 0.0 {
            return Self::ZERO;
        }
        let factor = 1.0 / length;
        Self::new(self.x * factor, self.y * factor)
    }

    /// Returns the position between this one and `to`.
    #[must_use]
    #[inline]
    pub fn mix(self, to: Self, amount: f32) -> Self {
        Self::new(mix(self.x, to.x, amount), mix(self.y, to.y, amount))
    }

    /// Returns the position on the line from `from` to `to` that is nearest to `point`, by the formula of Teeworlds. It is
    /// NaN for a line of length zero.
    #[must_use]
    #[inline]
    pub(crate) fn nearest_on_line(from: Self, to: Self, point: Self) -> Self {
        let direction = (to - from).normalized(false);
        let amount = direction.dot(point - from) / from.distance(to);
        from.mix(to, clamp(amount, 0.0, 1.0))
    }

    /// Returns the position on the line from `from` to `to` that is nearest to `point`, by the formula of DDNet; `None` for
    /// a line of length zero.
    #[must_use]
    #[inline]
    pub(crate) fn nearest_on_line_ddnet(from: Self, to: Self, point: Self) -> Option<Self> {
        let line = to - from;
        let squared = line.dot(line);
        if squared > 0.0 {
            let amount = (point - from).dot(line) / squared;
            Some(from + line * clamp(amount, 0.0, 1.0))
        } else {
            None
        }
    }
}

impl Add for Vec2 {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec2 {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vec2 {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f32) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

impl MulAssign<f32> for Vec2 {
    #[inline]
    fn mul_assign(&mut self, factor: f32) {
        *self = *self * factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_vector_has_a_direction_in_ddnet_only() {
        assert_eq!(Vec2::ZERO.normalized(true), Vec2::ZERO);
        assert!(Vec2::ZERO.normalized(false).x.is_nan());
    }

    #[test]
    fn the_nearest_position_is_on_the_line() {
        let (from, to) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(Vec2::nearest_on_line(from, to, Vec2::new(4.0, 3.0)), Vec2::new(4.0, 0.0));
        assert_eq!(Vec2::nearest_on_line(from, to, Vec2::new(-4.0, 3.0)), from);
        assert_eq!(Vec2::nearest_on_line_ddnet(from, to, Vec2::new(40.0, 3.0)), Some(to));
        assert_eq!(Vec2::nearest_on_line_ddnet(from, from, to), None);
        assert!(Vec2::nearest_on_line(from, from, to).x.is_nan());
    }
}
