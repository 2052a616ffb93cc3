//! Times several implementations of the same work in turns, so that a disturbance of the machine affects all of them.

use std::time::Instant;

const ROUNDS: usize = 60;

/// The name of an implementation, and its function. All functions must return the same number.
pub(crate) type Way<'a> = (&'a str, Box<dyn FnMut() -> usize + 'a>);

/// Runs the implementations in turns. Prints the median time of each. Returns the factors by which the first one is
/// faster than each: the medians of the ratios, round by round.
pub(crate) fn compare(ways: &mut [Way<'_>]) -> Vec<f64> {
    let expected = ways[0].1();
    let mut seconds = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for ((name, way), seconds) in ways.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            let result = way();
            seconds.push(start.elapsed().as_secs_f64());
            assert_eq!(result, expected, "{name}");
        }
    }
    let ratios =
        seconds.iter().map(|other| median(other.iter().zip(&seconds[0]).map(|(other, ours)| other / ours)));
    let ratios: Vec<f64> = ratios.collect();
    for (((name, _), seconds), ratio) in ways.iter().zip(&seconds).zip(&ratios) {
        let milliseconds = median(seconds.iter().copied()) * 1e3;
        println!("{name:<20} {milliseconds:>7.2} ms, {ratio:.2} times as long as {}", ways[0].0);
    }
    ratios
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
