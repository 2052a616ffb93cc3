//! Elementary functions in double precision, by operations that give the same bits on every platform.
//!
//! The games call the functions of glibc. The tests count how often the results agree.

/// pi as a float.
pub(crate) const PI: f32 = ::core::f32::consts::PI;
const HALF_PI: f64 = ::core::f64::consts::FRAC_PI_2;
/// pi / 2 in three parts. The first two have trailing zeros, so that small multiples of them are exact.
const HALF_PI_PARTS: [f64; 3] =
    [1.570_796_325_802_803, 9.920_935_774_287_987e-10, 2.251_741_774_156_217_6e-18];
/// ln 2 in two parts. The first has trailing zeros.
const LN_2_PARTS: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
/// atan(k / 8).
const ATAN_OF_EIGHTHS: [f64; 9] = [
    0.0,
    0.124_354_994_546_761_44,
    0.244_978_663_126_864_14,
    0.358_770_670_270_572_25,
    0.463_647_609_000_806_1,
    0.558_599_315_343_562_4,
    0.643_501_108_793_284_4,
    0.718_829_999_621_624_5,
    ::core::f64::consts::FRAC_PI_4,
];

/// Returns `base` to the power of `exponent`.
#[must_use]
pub fn powf(base: f32, exponent: f32) -> f32 {
    if exponent == 0.0 || base == 1.0 {
        return 1.0;
    }
    if base.is_nan() || exponent.is_nan() {
        return f32::NAN;
    }
    if base == 0.0 {
        return if exponent > 0.0 { 0.0 } else { f32::INFINITY };
    }
    if base < 0.0 {
        return power_of_negative(base, exponent);
    }
    exponential(f64::from(exponent) * logarithm(f64::from(base))) as f32
}

/// Returns the power of a negative number, which exists for whole exponents only.
fn power_of_negative(base: f32, exponent: f32) -> f32 {
    if exponent.trunc() != exponent {
        return f32::NAN;
    }
    let size = powf(-base, exponent);
    let half = exponent * 0.5;
    if half.trunc() == half { size } else { -size }
}

/// Returns the angle of a vector in double precision.
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (width, height) = (x.abs(), y.abs());
    let angle = if width == 0.0 && height == 0.0 {
        0.0
    } else if height <= width {
        arctangent(height / width)
    } else {
        HALF_PI - arctangent(width / height)
    };
    let angle = if x.is_sign_negative() { ::core::f64::consts::PI - angle } else { angle };
    if y.is_sign_negative() { -angle } else { angle }
}

/// Returns the angle of a vector in single precision, with the rounding errors of glibc: one other bit can change the
/// angle that a server sends.
#[must_use]
pub fn atan2f(y: f32, x: f32) -> f32 {
    const PI_REST: f32 = -8.742_278e-8;
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let size = if y == 0.0 {
        0.0
    } else if x == 0.0 {
        PI / 2.0
    } else {
        atanf((y / x).abs())
    };
    let is_up = y.is_sign_negative();
    match (x.is_sign_negative() && !(x == 0.0 && y != 0.0), is_up) {
        (false, false) => size,
        (false, true) => -size,
        (true, false) => PI - (size - PI_REST),
        (true, true) => (size - PI_REST) - PI,
    }
}

/// Returns the arctangent in single precision, with the rounding errors of glibc, by the polynomial of fdlibm.
#[must_use]
#[allow(clippy::excessive_precision, reason = "the literals choose the right one of two floats")]
pub fn atanf(value: f32) -> f32 {
    let size = value.abs();
    // Above, the result is the nearest float to pi / 2.
    if size >= 17_179_869_184.0 {
        return (PI / 2.0).copysign(value);
    }
    let (high, low, x) = if size < 0.4375 {
        (0.0, 0.0, size)
    } else if size < 0.6875 {
        (0.463_647_6, 5.012_158_2e-9, (2.0 * size - 1.0) / (2.0 + size))
    } else if size < 1.1875 {
        (0.785_398_13, 3.774_894_7e-8, (size - 1.0) / (size + 1.0))
    } else if size < 2.4375 {
        (0.982_793_7, 3.447_321_7e-8, (size - 1.5) / (1.0 + 1.5 * size))
    } else {
        (1.570_796_25, 7.549_789_4e-8, -1.0 / size)
    };
    let z = x * x;
    let w = z * z;
    let mut odd = 0.016_285_819;
    for factor in [0.049_768_779, 0.066_610_731, 0.090_908_870, 0.142_857_149, 0.333_333_343_f32] {
        odd = factor + w * odd;
    }
    let mut even = -0.036_531_571;
    for factor in [-0.058_335_702_9, -0.076_918_758_5, -0.111_111_104_5, -0.200_000_003_f32] {
        even = factor + w * even;
    }
    let sum = z * odd + w * even;
    let result = if size < 0.4375 { x - x * sum } else { high - ((x * sum - low) - x) };
    result.copysign(value)
}

/// Returns the sine in single precision.
#[must_use]
pub fn sinf(angle: f32) -> f32 {
    sine_and_cosine(f64::from(angle)).0 as f32
}

/// Returns the cosine in single precision.
#[must_use]
pub fn cosf(angle: f32) -> f32 {
    sine_and_cosine(f64::from(angle)).1 as f32
}

/// Returns the natural logarithm of a positive finite number.
pub(crate) fn logarithm(value: f64) -> f64 {
    if value.is_infinite() {
        return value;
    }
    // The bits of the exponent; a float that was converted to a double is never subnormal.
    let bits = value.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as f64 - 1023.0;
    let mut mantissa = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if mantissa > ::core::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut sum = 0.0;
    for odd in [23.0, 21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sum = sum * square + 1.0 / odd;
    }
    let series = 2.0 * ratio + 2.0 * ratio * square * sum;
    exponent * LN_2_PARTS[0] + (exponent * LN_2_PARTS[1] + series)
}

/// Returns e to the power of `value`.
fn exponential(value: f64) -> f64 {
    if value > 700.0 {
        return f64::INFINITY;
    }
    if value < -700.0 {
        return 0.0;
    }
    let count = (value / ::core::f64::consts::LN_2).round();
    let rest = (value - count * LN_2_PARTS[0]) - count * LN_2_PARTS[1];
    let mut sum = 1.0;
    for divisor in (1..=16).rev() {
        sum = 1.0 + sum * rest / f64::from(divisor);
    }
    let exponent = (count as i64).saturating_add(1023).clamp(1, 2046);
    sum * f64::from_bits(exponent.unsigned_abs() << 52)
}

/// Returns the arctangent of a number from 0 to 1.
fn arctangent(value: f64) -> f64 {
    let index = (value * 8.0).round();
    let base = index / 8.0;
    let rest = (value - base) / (1.0 + value * base);
    let square = rest * rest;
    let mut sum = 0.0;
    for odd in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = 1.0 / odd - sum * square;
    }
    let known = (0..).zip(ATAN_OF_EIGHTHS).find(|(eighths, _)| f64::from(*eighths) == index);
    known.map_or(0.0, |(_, angle)| angle) + rest * sum
}

/// Returns sine and cosine. Angles above a million lose precision; the games use a few turns at most.
fn sine_and_cosine(angle: f64) -> (f64, f64) {
    let count = (angle / HALF_PI).round();
    let mut rest = angle;
    for part in HALF_PI_PARTS {
        rest -= count * part;
    }
    let square = rest * rest;
    let (mut sine, mut cosine) = (1.0, 1.0);
    for step in (1..=9).rev() {
        let even = f64::from(step) * 2.0;
        sine = 1.0 - sine * square / (even * (even + 1.0));
        cosine = 1.0 - cosine * square / (even * (even - 1.0));
    }
    let sine = sine * rest;
    match (count as i64).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests;
