use super::text::TextBuf;
use crate::shared::pack::Text;

/// The name of the default parts of a skin in 0.7.
const STANDARD: Text<'static> = Text::new("standard");
/// The default skin in 0.6.
const DEFAULT: Text<'static> = Text::new("default");
/// Maximum length of a stored name in bytes.
const MAX_NAME: usize = 24;
/// Body, marking, decoration, hands, feet and eyes.
pub const SKIN_PARTS: usize = 6;
/// The default skin in 0.7, as the client 0.7.5 sends it. Parts that the skin does not have also have a color.
const DEFAULT_PARTS: [SkinPart<'static>; SKIN_PARTS] = [
    SkinPart { name: STANDARD, color: Some(1_798_004) },
    SkinPart { name: Text::new(""), color: Some(-16_776_961) },
    SkinPart { name: Text::new(""), color: Some(1_798_004) },
    SkinPart { name: STANDARD, color: Some(1_799_582) },
    SkinPart { name: STANDARD, color: Some(1_869_630) },
    SkinPart { name: STANDARD, color: Some(255) },
];
const BODY: usize = 0;
const FEET: usize = 4;

/// The looks of a tee. The versions have different skins. Each version shows a skin of the other one as similar as
/// possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Skin<'a> {
    /// A skin of 0.6.
    Whole {
        /// The name; empty for the default.
        name: Text<'a>,
        /// Custom colors.
        colors: Option<SkinColors>,
    },
    /// A skin of 0.7: body, marking, decoration, hands, feet and eyes.
    Parts([SkinPart<'a>; SKIN_PARTS]),
}

/// The custom colors of a skin of 0.6, as hue, saturation and lightness in 8 bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinColors {
    /// The color of the body.
    pub body: i32,
    /// The color of the feet.
    pub feet: i32,
}

/// A part of a skin of 0.7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SkinPart<'a> {
    /// The name; empty for none.
    pub name: Text<'a>,
    /// A custom color.
    pub color: Option<i32>,
}

impl<'a> Skin<'a> {
    /// Creates a skin of 0.6 without custom colors.
    pub const fn named(name: Text<'a>) -> Self {
        Self::Whole { name, colors: None }
    }

    /// Creates a skin of 0.7 with a body and default parts. An empty name selects the default body.
    pub fn with_body(body: Text<'a>) -> Self {
        let mut parts = Skin::default().parts();
        if !body.as_bytes().is_empty() {
            parts[BODY].name = body;
        }
        Self::Parts(parts)
    }

    /// Returns the name in 0.6. A skin of 0.7 becomes the default skin.
    pub fn name(&self) -> Text<'a> {
        match *self {
            Self::Whole { name, .. } if !name.as_bytes().is_empty() => name,
            Self::Whole { .. } | Self::Parts(_) => DEFAULT,
        }
    }

    /// Returns the custom colors in 0.6. For a skin of 0.7 they are the colors of its body and feet.
    pub fn colors(&self) -> Option<SkinColors> {
        match *self {
            Self::Whole { colors, .. } => colors,
            Self::Parts(parts) => {
                let color = |part: usize| parts.get(part).and_then(|part| part.color);
                Some(SkinColors { body: color(BODY)?, feet: color(FEET).unwrap_or_default() })
            }
        }
    }

    /// Returns the parts in 0.7. A skin of 0.6 becomes the default parts, with its own colors or the default colors.
    pub fn parts(&self) -> [SkinPart<'a>; SKIN_PARTS] {
        match *self {
            Self::Parts(parts) => parts,
            Self::Whole { colors, .. } => {
                let [mut body, marking, decoration, mut hands, mut feet, eyes] = DEFAULT_PARTS;
                if let Some(SkinColors { body: of_body, feet: of_feet }) = colors {
                    (body.color, hands.color, feet.color) = (Some(of_body), Some(of_body), Some(of_feet));
                }
                [body, marking, decoration, hands, feet, eyes]
            }
        }
    }
}

impl Default for Skin<'_> {
    fn default() -> Self {
        Self::named(DEFAULT)
    }
}

/// A [`Skin`] that owns its names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SkinBuf {
    /// A skin of 0.6.
    Whole {
        /// The name; empty for the default.
        name: TextBuf,
        /// Custom colors.
        colors: Option<SkinColors>,
    },
    /// A skin of 0.7: body, marking, decoration, hands, feet and eyes.
    Parts(Box<[SkinPartBuf; SKIN_PARTS]>),
}

/// A [`SkinPart`] that owns its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinPartBuf {
    /// The name; empty for none.
    pub name: TextBuf,
    /// A custom color.
    pub color: Option<i32>,
}

impl Default for SkinBuf {
    fn default() -> Self {
        Self::Whole { name: TextBuf::default(), colors: None }
    }
}

impl SkinBuf {
    /// Returns the borrowed form.
    pub fn as_skin(&self) -> Skin<'_> {
        match self {
            Self::Whole { name, colors } => Skin::Whole { name: name.as_text(), colors: *colors },
            Self::Parts(parts) => {
                let borrowed = parts.each_ref();
                Skin::Parts(borrowed.map(|part| SkinPart { name: part.name.as_text(), color: part.color }))
            }
        }
    }

    /// Replaces the skin. Does not allocate if the skin is equal.
    pub(crate) fn set(&mut self, skin: &Skin<'_>) {
        if self.as_skin() != *skin {
            *self = skin.into();
        }
    }
}

impl From<&Skin<'_>> for SkinBuf {
    /// Copies a skin, with names cut at 24 bytes.
    fn from(skin: &Skin<'_>) -> Self {
        let owned = |name: Text<'_>| {
            let bytes = name.as_bytes().get(..MAX_NAME).unwrap_or(name.as_bytes());
            TextBuf::from(Text::received(bytes, name.sanitize()))
        };
        match *skin {
            Skin::Whole { name, colors } => Self::Whole { name: owned(name), colors },
            Skin::Parts(parts) => Self::Parts(Box::new(
                parts.map(|part| SkinPartBuf { name: owned(part.name), color: part.color }),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skin_of_one_version_is_shown_in_the_other_with_its_colors() {
        let colors = Some(SkinColors { body: 1, feet: 2 });
        let whole = Skin::Whole { name: Text::new("bluekitty"), colors };
        let parts = whole.parts();
        assert_eq!(parts.map(|part| part.color.unwrap_or(0)), [1, -16_776_961, 1_798_004, 1, 2, 255]);
        let of_parts = Skin::Parts(parts);
        assert_eq!((of_parts.name().to_string(), of_parts.colors()), ("default".to_owned(), colors));
        assert_eq!(SkinBuf::from(&of_parts).as_skin(), of_parts);
    }
}
