use super::context::Context;
use super::expression::evaluate;
use super::names::Names;
use crate::diagnostic::Diagnostic;
use crate::ir::{Count, Dim, Field, Packet};
use crate::limits::{MAX_DIMS, MAX_ELEMENTS};
use crate::parse::{Declarator, Extent, Size};

/// Evaluates the brackets after a name. Returns `None` if a constant is not defined.
pub(super) fn dims<'a>(
    declarator: &Declarator<'a>,
    field: &Field,
    packet: &Packet,
    names: &Names<'a>,
    context: &mut Context<'_, 'a>,
) -> Result<Option<Vec<Dim>>, Diagnostic> {
    // The size of a string is not a dimension.
    if declarator.extents.len() > MAX_DIMS.saturating_add(1) {
        let message = format!("more than {MAX_DIMS} dimensions");
        return Err(Diagnostic::new(message, declarator.name.span.clone()));
    }
    let mut dims = Some(Vec::new());
    let mut elements = 1_u32;
    for extent in &declarator.extents {
        let Some(dim) = dim(extent, field, packet, names, context)? else {
            dims = None;
            continue;
        };
        let product = elements.checked_mul(dim.limit).filter(|product| *product <= MAX_ELEMENTS);
        elements = product.ok_or_else(|| {
            let message = format!("more than {MAX_ELEMENTS} elements");
            Diagnostic::new(message, extent.span.clone())
        })?;
        if let Some(dims) = &mut dims {
            dims.push(dim);
        }
    }
    Ok(dims)
}

fn dim<'a>(
    extent: &Extent<'a>,
    field: &Field,
    packet: &Packet,
    names: &Names<'a>,
    context: &mut Context<'_, 'a>,
) -> Result<Option<Dim>, Diagnostic> {
    let count = match &extent.count {
        Some(name) => Count::Field(names.count(name, field, packet)?),
        None => Count::Fixed,
    };
    let expression = match &extent.size {
        Size::Expression(expression) => expression,
        Size::Own if extent.count.is_none() => {
            return Ok(Some(Dim { limit: Dim::MAX_OWN, count: Count::Own }));
        }
        Size::Own => {
            let error = Diagnostic::new("`[*]` has its length on the wire", extent.span.clone());
            return Err(error.hint("write `[*]`, or the maximum size in place of the `*`"));
        }
    };
    let Some(value) = evaluate(expression, context.constants, &mut context.missing)? else {
        return Ok(None);
    };
    let limit = u32::try_from(value).ok().filter(|limit| (1..=MAX_ELEMENTS).contains(limit));
    limit.map(|limit| Some(Dim { limit, count })).ok_or_else(|| {
        let error = Diagnostic::new(format!("the size is {value}"), expression.span.clone());
        error.label(format!("should be 1 to {MAX_ELEMENTS}"))
    })
}
