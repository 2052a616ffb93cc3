use std::fmt;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::ir::Topic;

/// A part of the text, with its byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Range<usize>,
}

impl Spanned<'_> {
    /// Creates an error about this part.
    pub(crate) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(message, self.span.clone())
    }
}

/// The syntax tree of all texts.
#[derive(Default)]
pub(crate) struct Definition<'a> {
    pub(crate) aliases: Vec<AliasLine<'a>>,
    /// The lines of types that have several forms; see `check::versions`.
    pub(crate) forms: Vec<AliasLine<'a>>,
    pub(crate) packets: Vec<PacketBlock<'a>>,
    /// The topics, one for each text that has a topic.
    pub(crate) topics: Vec<Topic>,
}

/// An alias: `type NAME = SOURCE`, and flags after a `;`.
pub(crate) struct AliasLine<'a> {
    pub(crate) name: Spanned<'a>,
    pub(crate) source: TypeName<'a>,
    pub(crate) flags: Vec<Flag<'a>>,
}

/// The name of a type: an alias, or a basic type with its C type in parentheses.
#[derive(Clone, Debug)]
pub(crate) struct TypeName<'a> {
    pub(crate) word: Spanned<'a>,
    pub(crate) public: Option<Spanned<'a>>,
}

/// Writes the type in the definition language.
impl fmt::Display for TypeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.public {
            Some(public) => write!(f, "{}({})", self.word.text, public.text),
            None => f.write_str(self.word.text),
        }
    }
}

/// A packet, from the header to `end`.
pub(crate) struct PacketBlock<'a> {
    pub(crate) name: Spanned<'a>,
    pub(crate) number: Spanned<'a>,
    pub(crate) flags: Vec<Flag<'a>>,
    pub(crate) lines: Vec<FieldLine<'a>>,
    pub(crate) topic: &'a str,
    pub(crate) doc: String,
}

/// A flag: `word` or `word(argument)`.
#[derive(Clone)]
pub(crate) struct Flag<'a> {
    pub(crate) word: Spanned<'a>,
    pub(crate) argument: Option<Spanned<'a>>,
}

/// One line, which declares fields of one type.
#[derive(Clone)]
pub(crate) struct FieldLine<'a> {
    /// The alias of the type, if it has several forms. `type_name` is one of them.
    pub(crate) alias: Option<&'a str>,
    pub(crate) type_name: TypeName<'a>,
    pub(crate) declarators: Vec<Declarator<'a>>,
    pub(crate) flags: Vec<Flag<'a>>,
    pub(crate) doc: String,
}

impl FieldLine<'_> {
    /// Returns whether both lines define a field with the same name, in different versions or forms.
    pub(crate) fn is_of_the_same_field(&self, other: &Self) -> bool {
        match (self.declarators.as_slice(), other.declarators.as_slice()) {
            ([one], [another]) => one.name.text == another.name.text,
            _ => false,
        }
    }
}

/// The name of a field with its sizes.
#[derive(Clone)]
pub(crate) struct Declarator<'a> {
    pub(crate) name: Spanned<'a>,
    pub(crate) extents: Vec<Extent<'a>>,
}

/// The content of one pair of brackets.
#[derive(Clone)]
pub(crate) struct Extent<'a> {
    pub(crate) size: Size<'a>,
    /// The field after the colon.
    pub(crate) count: Option<Spanned<'a>>,
    /// Byte range including the brackets.
    pub(crate) span: Range<usize>,
}

/// The size before the colon.
#[derive(Clone)]
pub(crate) enum Size<'a> {
    /// `*`: a length prefix.
    Own,
    /// An unparsed expression.
    Expression(Spanned<'a>),
}
