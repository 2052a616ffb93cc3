/// How far `id` is after `other`; negative when it is before. Numbers that are 32768 apart go by
/// their size: 32768 is after 0, and 0 is before 32768.
pub(super) fn seq_diff(id: u16, other: u16) -> i32 {
    let difference = i32::from(id).wrapping_sub(i32::from(other));
    match difference {
        ..=-32_769 => difference.wrapping_add(65_536),
        32_769.. => difference.wrapping_sub(65_536),
        _ => difference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r4_gaps_wrap_and_half_of_all_numbers_goes_by_size() {
        let gaps = [(1, 0), (0, 1), (0, 65_535), (65_535, 0), (32_768, 0), (0, 32_768), (32_769, 0), (7, 7)];
        let expected = [1, -1, 1, -1, 32_768, -32_768, -32_767, 0];
        assert_eq!(gaps.map(|(id, other)| seq_diff(id, other)), expected);
    }
}
