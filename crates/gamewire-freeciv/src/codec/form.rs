//! Fields with different forms on the wire in several versions. The type of such a field can hold every form.

use super::bytes::Bitvector;
use super::structure::ActionProbability;
use super::text::Text;
use super::wire::Wire;

/// A field type that can be sent as `W`, a type that holds less.
pub trait InForm<W: Wire>: Wire {
    /// Converts a value that was received.
    fn from_form(form: W) -> Self;

    /// Returns the value to send, or `None` if it does not fit.
    fn to_form(&self) -> Option<W>;
}

macro_rules! integers {
    ($($wide:ty: $($narrow:ty)+;)+) => {$($(
        impl InForm<$narrow> for $wide {
            fn from_form(form: $narrow) -> Self {
                form.into()
            }

            fn to_form(&self) -> Option<$narrow> {
                <$narrow>::try_from(*self).ok()
            }
        }
    )+)+};
}

integers! {
    u8: u8;
    u16: u8 u16;
    u32: u8 u16 u32;
    i8: i8;
    i16: i8 u8 i16;
    i32: i8 u8 i16 u16 i32;
}

/// Freeciv reads both forms into a signed integer.
impl InForm<u32> for i32 {
    fn from_form(form: u32) -> Self {
        form.cast_signed()
    }

    fn to_form(&self) -> Option<u32> {
        Some(self.cast_unsigned())
    }
}

macro_rules! same {
    ($($type:ty)+) => {$(
        impl InForm<Self> for $type {
            fn from_form(form: Self) -> Self {
                form
            }

            fn to_form(&self) -> Option<Self> {
                Some(*self)
            }
        }
    )+};
}

same! { bool ActionProbability }

/// A smaller set of bits. The other bits are not set.
impl<const WIDE: usize, const NARROW: usize> InForm<Bitvector<NARROW>> for Bitvector<WIDE> {
    fn from_form(form: Bitvector<NARROW>) -> Self {
        from_bytes(&form.0)
    }

    fn to_form(&self) -> Option<Bitvector<NARROW>> {
        is_zero_after(&self.0, NARROW).then(|| from_bytes(&self.0))
    }
}

/// A set that is an integer on the wire, with one bit for each member.
impl<const WIDE: usize> InForm<u8> for Bitvector<WIDE> {
    fn from_form(form: u8) -> Self {
        from_bytes(&form.to_le_bytes())
    }

    fn to_form(&self) -> Option<u8> {
        is_zero_after(&self.0, 1).then(|| u8::from_le_bytes(from_bytes(&self.0).0))
    }
}

/// A set that is an integer on the wire, with one bit for each member.
impl<const WIDE: usize> InForm<u16> for Bitvector<WIDE> {
    fn from_form(form: u16) -> Self {
        from_bytes(&form.to_le_bytes())
    }

    fn to_form(&self) -> Option<u16> {
        is_zero_after(&self.0, 2).then(|| u16::from_le_bytes(from_bytes(&self.0).0))
    }
}

/// A set that is an array of booleans on the wire.
impl<const WIDE: usize, const COUNT: usize> InForm<[bool; COUNT]> for Bitvector<WIDE> {
    fn from_form(form: [bool; COUNT]) -> Self {
        let mut set = Self::ZERO;
        for (bit, value) in form.into_iter().enumerate() {
            set.set(bit, value);
        }
        set
    }

    fn to_form(&self) -> Option<[bool; COUNT]> {
        let mut array = [false; COUNT];
        for bit in self.iter_ones() {
            *array.get_mut(bit)? = true;
        }
        Some(array)
    }
}

fn from_bytes<const BYTES: usize>(bytes: &[u8]) -> Bitvector<BYTES> {
    let mut set = Bitvector::ZERO;
    set.0.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
    set
}

fn is_zero_after(bytes: &[u8], count: usize) -> bool {
    bytes.iter().skip(count).all(|byte| *byte == 0)
}

/// A shorter text.
impl<const WIDE: usize, const NARROW: usize> InForm<Text<NARROW>> for Text<WIDE> {
    fn from_form(form: Text<NARROW>) -> Self {
        Self::try_from(&*form).unwrap_or_default()
    }

    fn to_form(&self) -> Option<Text<NARROW>> {
        Text::try_from(&**self).ok()
    }
}

/// An array with fewer elements. The other elements are zero.
impl<W: Wire, T: InForm<W>, const WIDE: usize, const NARROW: usize> InForm<[W; NARROW]> for [T; WIDE] {
    fn from_form(form: [W; NARROW]) -> Self {
        let mut array = Self::ZERO;
        array.iter_mut().zip(form).for_each(|(to, element)| *to = T::from_form(element));
        array
    }

    fn to_form(&self) -> Option<[W; NARROW]> {
        let mut array = [const { W::ZERO }; NARROW];
        for (to, element) in array.iter_mut().zip(self) {
            *to = element.to_form()?;
        }
        self.iter().skip(NARROW).all(|element| *element == T::ZERO).then_some(array)
    }
}

impl<W: Wire, T: InForm<W>> InForm<Vec<W>> for Vec<T> {
    fn from_form(form: Vec<W>) -> Self {
        form.into_iter().map(T::from_form).collect()
    }

    fn to_form(&self) -> Option<Vec<W>> {
        self.iter().map(T::to_form).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_that_does_not_fit_has_no_form() {
        assert_eq!(InForm::<u8>::to_form(&255_u16), Some(255));
        assert_eq!(InForm::<u8>::to_form(&256_u16), None);
        assert_eq!(<i32 as InForm<u16>>::from_form(65_535), 65_535);
        assert_eq!(InForm::<u32>::to_form(&-1_i32), Some(u32::MAX));
    }

    #[test]
    fn a_set_is_the_same_numbers_in_every_form() {
        let mut set = Bitvector::<4>::ZERO;
        set.set(0, true);
        set.set(9, true);
        assert_eq!(InForm::<u16>::to_form(&set), Some(0b10_0000_0001));
        assert_eq!(InForm::<u8>::to_form(&set), None);
        assert_eq!(InForm::<Bitvector<2>>::to_form(&set).map(|set| set.0), Some([1, 2]));
        let array: [bool; 10] = InForm::to_form(&set).unwrap();
        assert_eq!(<Bitvector<4> as InForm<[bool; 10]>>::from_form(array), set);
        assert_eq!(InForm::<[bool; 9]>::to_form(&set), None);
    }

    #[test]
    fn the_rest_of_a_longer_array_is_zero() {
        assert_eq!(<[u16; 3] as InForm<[u8; 2]>>::from_form([1, 2]), [1, 2, 0]);
        assert_eq!(InForm::<[u8; 2]>::to_form(&[1_u16, 2, 0]), Some([1, 2]));
        assert_eq!(InForm::<[u8; 2]>::to_form(&[1_u16, 2, 3]), None);
        assert_eq!(InForm::<Vec<u8>>::to_form(&vec![1_u16, 300]), None);
    }

    #[test]
    fn a_text_must_fit_in_the_shorter_one() {
        let text = Text::<120>::try_from("x".repeat(100).as_str()).unwrap();
        assert!(InForm::<Text<80>>::to_form(&text).is_none());
        assert!(InForm::<Text<101>>::to_form(&text).is_some());
    }
}
