/// The longest name that is compared, in bytes.
const MAX_COMPARED: usize = 48;
/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.75;

/// `did you mean ...?` with the candidate most like this name, or the other hint.
pub(super) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let mut best: Option<(f64, &str)> = None;
    if name.len() <= MAX_COMPARED {
        for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= MAX_COMPARED) {
            let likeness = strsim::normalized_damerau_levenshtein(name, candidate);
            if likeness >= ALIKE && best.is_none_or(|(most, _)| likeness > most) {
                best = Some((likeness, candidate));
            }
        }
    }
    best.map_or_else(|| otherwise.to_owned(), |(_, candidate)| format!("did you mean `{candidate}`?"))
}
