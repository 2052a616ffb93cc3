/// Returns 32 unpredictable bytes from the operating system, for the seeds of machines' configurations.
///
/// # Panics
/// If the operating system has no randomness. Every system that can open a socket has it.
#[must_use]
#[allow(clippy::expect_used, reason = "without randomness nothing that follows would be safe")]
pub fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the operating system gives random bytes");
    seed
}
