use super::*;
use crate::number::truncate;

/// A sequence of numbers that are the same in each run.
struct Sequence(u64);

impl Sequence {
    /// Returns the next number, from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit() as f32
    }
}

/// Returns the distance of two finite floats of the same sign in units of the last place.
fn ulps(one: f32, two: f32) -> u32 {
    one.to_bits().abs_diff(two.to_bits())
}

#[test]
fn exact_values_are_exact() {
    assert_eq!((powf(2.0, 10.0), powf(1.4, 0.0), powf(1.0, 7.5)), (1024.0, 1.0, 1.0));
    assert_eq!((powf(-2.0, 3.0), powf(-2.0, 4.0)), (-8.0, 16.0));
    assert!(powf(-2.0, 0.5).is_nan());
    assert_eq!((sinf(0.0), cosf(0.0)), (0.0, 1.0));
    assert_eq!((atan2f(0.0, 0.0), atan2f(0.0, -1.0), atan2f(1.0, 0.0)), (0.0, PI, PI / 2.0));
    assert_eq!(atan2f(-1.0, 0.0), -PI / 2.0);
}

/// Bits of a few results, which every platform must give.
#[test]
fn results_have_the_same_bits_on_every_platform() {
    let mut numbers = Sequence(1);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for _ in 0..20_000 {
        let (one, two) = (numbers.between(-40.0, 40.0), numbers.between(-40.0, 40.0));
        for value in [powf(one.abs() / 10.0, two / 4.0), atan2f(one, two), sinf(one), cosf(two)] {
            hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x100_0000_01b3);
        }
    }
    assert_eq!(hash, 0x5c_304a_296c_5b44, "{hash:#x}");
}

/// The games run with glibc. Its results are not always the nearest floats.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn results_agree_with_those_of_glibc() {
    const ROUNDS: u32 = 300_000;
    let mut numbers = Sequence(2);
    let mut differing = [0_u32; 6];
    for _ in 0..ROUNDS {
        let curvature = 1.4;
        let exponent = numbers.between(0.0, 3.0);
        let pairs = [
            (powf(curvature, exponent), curvature.powf(exponent)),
            {
                let base = numbers.between(0.01, 8.0);
                let exponent = numbers.between(-6.0, 6.0);
                (powf(base, exponent), base.powf(exponent))
            },
            {
                let angle = numbers.between(-7.0, 7.0);
                (sinf(angle), angle.sin())
            },
            {
                let angle = numbers.between(-7.0, 7.0);
                (cosf(angle), angle.cos())
            },
            {
                let (y, x) =
                    (numbers.between(-1000.0, 1000.0).round(), numbers.between(-1000.0, 1000.0).round());
                (atan2f(y, x), y.atan2(x))
            },
        ];
        for (count, (own, other)) in differing.iter_mut().zip(pairs) {
            assert!(ulps(own, other) <= 1, "{own:e} {other:e}");
            *count += u32::from(own != other);
        }
        let (y, x) = (numbers.between(-1000.0, 1000.0).round(), numbers.between(-1000.0, 1000.0).round());
        differing[5] += u32::from(truncate(atan2f(y, x) * 256.0) != truncate(y.atan2(x) * 256.0));
    }
    println!("of {ROUNDS}: powf of the ramp, powf, sin, cos, atan2, angle: {differing:?} differ");
    // In parts of a thousand.
    let max = [1, 1, 20, 20, 0, 0].map(|share| ROUNDS / 1000 * share);
    assert!(differing.iter().zip(max).all(|(count, max)| *count <= max), "{differing:?}");
}
