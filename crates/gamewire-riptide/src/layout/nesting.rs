use super::error::{LayoutError, Location};
use super::kind::FieldType;
use super::layouts::StructLayout;

/// How many structs may stand inside each other.
const MAX_DEPTH: usize = 8;

/// Checks that no struct contains itself, nor too many others inside each other.
pub(super) fn check(structs: &[StructLayout]) -> Result<(), LayoutError> {
    let mut depths = vec![None; structs.len()];
    for index in 0..structs.len() {
        depth(structs, index, &mut Vec::new(), &mut depths)?;
    }
    Ok(())
}

/// How many structs stand inside each other in this one, itself included.
fn depth(
    structs: &[StructLayout],
    index: usize,
    around: &mut Vec<usize>,
    depths: &mut [Option<usize>],
) -> Result<usize, LayoutError> {
    if let Some(depth) = depths.get(index).copied().flatten() {
        return Ok(depth);
    }
    let name = |index: usize| structs.get(index).map_or("", |known| known.name);
    if let Some(start) = around.iter().position(|outer| *outer == index) {
        let circle = around.iter().skip(start).chain([&index]).map(|index| name(*index));
        let circle = circle.collect::<Vec<_>>().join(" in it ");
        return Err(
            Location::Struct(index).error(format!("struct {} contains itself: {circle}", name(index)))
        );
    }
    let too_deep = || {
        let message = format!("struct {} has more than {MAX_DEPTH} structs inside each other", name(index));
        Location::Struct(index).error(message)
    };
    // So long a chain is too long, whether it closes or not.
    if around.len() > MAX_DEPTH.saturating_mul(8) {
        return Err(too_deep());
    }
    around.push(index);
    let mut deepest = 0;
    for field in structs.get(index).map_or(&[][..], |known| &known.fields) {
        if let FieldType::Struct(inner) = field.kind {
            deepest = deepest.max(depth(structs, inner, around, depths)?);
        }
    }
    around.pop();
    let depth = deepest.saturating_add(1);
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    if let Some(known) = depths.get_mut(index) {
        *known = Some(depth);
    }
    Ok(depth)
}
