use super::aliases::ResolvedType;
use super::basic_type::{BasicType, VECTOR_STRING, string};
use super::context::Context;
use super::extents;
use super::flags::set_field_flags;
use super::names::Names;
use crate::diagnostic::{Diagnostic, Errors};
use crate::ir::{ArrayDiff, Count, Dim, Field, Packet, WireType};
use crate::limits::MAX_DIMS;
use crate::parse::{Declarator, FieldLine};

/// Adds fields to a packet, line by line.
pub(super) struct Fields<'a> {
    packet: Packet,
    names: Names<'a>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(packet: Packet) -> Self {
        Self { packet, names: Names::default() }
    }

    pub(super) fn finish(self) -> Packet {
        self.packet
    }

    pub(super) fn add_line(
        &mut self,
        line: &FieldLine<'a>,
        context: &mut Context<'_, 'a>,
        errors: &mut Errors,
    ) {
        let basic = context.aliases.resolve(&line.type_name, errors);
        // With an unknown type the other parts of the line are still checked.
        let mut template = Field::new("", WireType::Uint8);
        let is_diff = set_field_flags(&mut template, &line.flags, errors);
        template.doc.clone_from(&line.doc);
        template.type_name = type_name(line);
        if let Some(basic) = &basic {
            basic.public.clone_into(&mut template.c_type);
        }
        for declarator in &line.declarators {
            let mut field = template.clone();
            declarator.name.text.clone_into(&mut field.name);
            let added = self.add(field, declarator, basic.as_ref(), is_diff, context);
            if let Err(error) = added {
                errors.push(error);
            }
            if errors.is_full() {
                break;
            }
        }
    }

    fn add(
        &mut self,
        mut field: Field,
        declarator: &Declarator<'a>,
        basic: Option<&ResolvedType<'a>>,
        is_diff: bool,
        context: &mut Context<'_, 'a>,
    ) -> Result<(), Diagnostic> {
        let dims = extents::dims(declarator, &field, &self.packet, &self.names, context);
        if let (Some(basic), Ok(Some(dims))) = (basic, &dims) {
            field.dims.clone_from(dims);
            finish_type(&mut field, &basic.basic, declarator, context)?;
            if field.dims.len() > MAX_DIMS {
                let message = format!("more than {MAX_DIMS} dimensions");
                return Err(Diagnostic::new(message, declarator.name.span.clone()));
            }
            if is_diff && !self.packet.no_delta {
                field.diff = Some(diff(&field, declarator, context.constants.array_diff)?);
            }
            if field.key && (!field.dims.is_empty() || field.wire == WireType::Memory) {
                let error = Diagnostic::new("an array cannot be a key", declarator.name.span.clone());
                return Err(error.hint("remove `key`, or the sizes after the name"));
            }
        }
        let index = self.packet.fields.len();
        self.names.add(&declarator.name, &field, index, &self.packet)?;
        for capability in field.add_caps.iter().chain(&field.remove_caps) {
            // Keep one more than allowed, so that the caller can report it.
            let is_excess = self.packet.capabilities.len() > Packet::MAX_CAPABILITIES;
            if !is_excess && !self.packet.capabilities.contains(capability) {
                self.packet.capabilities.push(capability.clone());
            }
        }
        self.packet.fields.push(field);
        dims.map(|_| ())
    }
}

/// Returns the type as the file writes it.
fn type_name(line: &FieldLine<'_>) -> String {
    let word = line.type_name.word.text;
    match &line.type_name.public {
        Some(public) => format!("{word}({})", public.text),
        None => word.to_owned(),
    }
}

/// Sets the wire type. The last dimension of a string is part of it.
fn finish_type<'a>(
    field: &mut Field,
    shape: &BasicType<'a>,
    declarator: &Declarator<'a>,
    context: &mut Context<'_, 'a>,
) -> Result<(), Diagnostic> {
    let at_name = |message: &str| Diagnostic::new(message, declarator.name.span.clone());
    field.wire = match shape {
        BasicType::Wire(wire) => *wire,
        BasicType::Bitvector(name) => match context.constants.bitvectors.get(*name) {
            Some(&bytes) => WireType::Bitvector { bytes },
            None => {
                context.missing.bitvector(name, &declarator.name.span);
                WireType::Bitvector { bytes: 1 }
            }
        },
        BasicType::String { is_estring } => match field.dims.pop() {
            Some(Dim { limit, count: Count::Fixed }) => string(*is_estring, limit),
            Some(_) => {
                let error = at_name("the size of a string is fixed");
                return Err(error.hint("a string ends with its NUL: its last size takes no count"));
            }
            None => {
                let error = at_name("a string needs a size").label("without `[...]`");
                return Err(error.hint("write its maximum number of bytes, with the NUL: `name[48]`"));
            }
        },
        BasicType::StringVector { is_estring } => {
            field.dims.push(Dim { limit: Dim::MAX_OWN, count: Count::Own });
            string(*is_estring, VECTOR_STRING)
        }
        BasicType::Memory if field.dims.len() == 1 => WireType::Memory,
        BasicType::Memory => {
            return Err(at_name("memory needs exactly one size").hint("write `data[1400:length]`"));
        }
    };
    Ok(())
}

/// Checks and returns the form of array-diff for this field.
fn diff(field: &Field, declarator: &Declarator<'_>, form: ArrayDiff) -> Result<ArrayDiff, Diagnostic> {
    let span = declarator.extents.first().map_or(&declarator.name.span, |extent| &extent.span).clone();
    let Some(outer) = field.dims.first() else {
        let error = Diagnostic::new("array-diff needs an array", span);
        return Err(error.hint("remove `diff`"));
    };
    if form == ArrayDiff::End255 && field.dims.len() > 1 {
        let error = Diagnostic::new("array-diff works on one dimension only", span);
        return Err(error.hint("remove `diff`"));
    }
    if outer.limit > form.max_limit() {
        let message = format!("an array of {} is too large for array-diff", outer.limit);
        let error = Diagnostic::new(message, span).label(format!("at most {} elements", form.max_limit()));
        return Err(
            error.hint("an index must fit before the end mark: remove `diff`, or make the array smaller")
        );
    }
    Ok(form)
}
