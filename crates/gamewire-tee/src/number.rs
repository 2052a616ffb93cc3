//! Conversions and small functions with the rounding of the games' binaries.

/// Converts a float to an integer, truncating toward zero. NaN and values out of range become `i32::MIN`, as on x86.
#[must_use]
#[inline]
pub const fn truncate(value: f32) -> i32 {
    if value >= -2_147_483_648.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

/// Converts a double to an integer, truncating toward zero. NaN and values out of range become `i32::MIN`, as on x86.
#[must_use]
#[inline]
pub const fn truncate_double(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

/// Rounds to the nearest integer as the games do: adds or subtracts 0.5, and truncates.
#[must_use]
#[inline]
pub const fn round(value: f32) -> i32 {
    if value > 0.0 { truncate(value + 0.5) } else { truncate(value - 0.5) }
}

/// Limits a value. NaN stays NaN.
#[must_use]
#[inline]
pub(crate) fn clamp(value: f32, min: f32, max: f32) -> f32 {
    if value < min {
        min
    } else if value > max {
        max
    } else {
        value
    }
}

/// Interpolates linearly from `from` to `to`.
#[inline]
pub(crate) fn mix(from: f32, to: f32, amount: f32) -> f32 {
    from + (to - from) * amount
}

/// Adds to a speed unless that would leave the range from `min` to `max`. A speed that is outside already stays.
#[inline]
pub(crate) fn saturated_add(min: f32, max: f32, current: f32, modifier: f32) -> f32 {
    if modifier < 0.0 {
        if current < min {
            return current;
        }
        let sum = current + modifier;
        if sum < min { min } else { sum }
    } else {
        if current > max {
            return current;
        }
        let sum = current + modifier;
        if sum > max { max } else { sum }
    }
}

/// Converts a count that is far below the range of exact floats.
#[inline]
pub(crate) const fn float(value: i32) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_out_of_range_give_the_smallest_integer() {
        assert_eq!(truncate(f32::NAN), i32::MIN);
        assert_eq!(truncate(3e9), i32::MIN);
        assert_eq!(truncate(-3e9), i32::MIN);
        assert_eq!(truncate_double(-2_147_483_648.5), i32::MIN);
        assert_eq!((truncate(1.9), truncate(-1.9)), (1, -1));
    }

    #[test]
    fn rounding_adds_a_half_in_single_precision() {
        // The sum rounds to 1.
        assert_eq!(round(0.499_999_97), 1);
        assert_eq!((round(0.5), round(-0.5), round(0.4)), (1, -1, 0));
        assert_eq!(round(f32::NAN), i32::MIN);
    }

    #[test]
    fn a_speed_out_of_range_is_kept() {
        assert_eq!(saturated_add(-5.0, 5.0, 9.0, 1.0), 9.0);
        assert_eq!(saturated_add(-5.0, 5.0, 9.0, -1.0), 8.0);
        assert_eq!(saturated_add(-5.0, 5.0, 4.5, 1.0), 5.0);
        assert_eq!(saturated_add(-5.0, 5.0, -4.5, -1.0), -5.0);
    }
}
