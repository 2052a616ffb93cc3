/// 32 bytes that nobody can guess, from the operating system: for the seeds of machines' configs.
///
/// # Panics
/// When the operating system has no randomness, as no system that can open a socket does.
#[must_use]
#[allow(clippy::expect_used, reason = "without randomness nothing that follows would be safe")]
pub fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the operating system gives random bytes");
    seed
}
