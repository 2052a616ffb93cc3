use super::error::{LayoutError, Location};
use super::field_type::FieldType;
use super::layouts::StructLayout;

/// Maximum nesting of structs.
const MAX_DEPTH: usize = 8;

/// Checks that no struct contains itself and that the nesting is limited.
pub(super) fn check(structs: &[StructLayout]) -> Result<(), LayoutError> {
    let mut depths = vec![None; structs.len()];
    for index in 0..structs.len() {
        depth(structs, index, &mut Vec::new(), &mut depths)?;
    }
    Ok(())
}

/// Returns the nesting depth of a struct, at least 1.
fn depth(
    structs: &[StructLayout],
    index: usize,
    outer: &mut Vec<usize>,
    depths: &mut [Option<usize>],
) -> Result<usize, LayoutError> {
    if let Some(depth) = depths.get(index).copied().flatten() {
        return Ok(depth);
    }
    let name = |index: usize| structs.get(index).map_or("", |known| known.name);
    if let Some(start) = outer.iter().position(|other| *other == index) {
        let cycle = outer.iter().skip(start).chain([&index]).map(|index| name(*index));
        let cycle = cycle.collect::<Vec<_>>().join(" contains ");
        return Err(Location::Struct(index).error(format!("struct {} contains itself: {cycle}", name(index))));
    }
    let too_deep = || {
        let message = format!("struct {} nests more than {MAX_DEPTH} structs", name(index));
        Location::Struct(index).error(message)
    };
    // Limits the recursion before a cycle is found.
    if outer.len() > MAX_DEPTH.saturating_mul(8) {
        return Err(too_deep());
    }
    outer.push(index);
    let mut deepest = 0;
    for field in structs.get(index).map_or(&[][..], |known| &known.fields) {
        if let FieldType::Struct(inner) = field.field_type {
            deepest = deepest.max(depth(structs, inner, outer, depths)?);
        }
    }
    outer.pop();
    let depth = deepest.saturating_add(1);
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    if let Some(known) = depths.get_mut(index) {
        *known = Some(depth);
    }
    Ok(depth)
}
