use thiserror::Error;

use crate::delta::Value;

/// Access to the fields of a packet by their index in the definition.
pub trait Fields {
    /// Returns the names of the fields of all variants, in the order of the definition.
    fn names(&self) -> &'static [&'static str];

    /// Returns the field with an index.
    fn field(&self, index: usize) -> Option<&dyn FieldValue>;

    /// Returns the field with an index, for changes.
    fn field_mut(&mut self, index: usize) -> Option<&mut dyn FieldValue>;
}

impl dyn Fields + '_ {
    /// Returns the value of the field with an index. It is [`Value::Absent`] if the packet has no such field, or the
    /// connection does not send it.
    pub fn value(&self, index: usize) -> Value {
        self.field(index).map_or(Value::Absent, FieldValue::value)
    }

    /// Returns the value of the field with a name. Searches linearly.
    pub fn value_of(&self, name: &str) -> Option<Value> {
        let index = self.names().iter().position(|known| *known == name)?;
        Some(self.field(index)?.value())
    }

    /// Changes the field with an index. [`Value::Absent`] sets its initial value.
    ///
    /// # Errors
    /// [`WrongValue`] if the field cannot have the value, or there is no such field. The field may be partly changed.
    pub fn set_value(&mut self, index: usize, value: &Value) -> Result<(), WrongValue> {
        self.field_mut(index).ok_or(WrongValue { expected: "a field of the packet" })?.set_value(value)
    }
}

/// Sets the field with an index to a value in one of its forms, which may be a shorter array.
///
/// # Errors
/// [`WrongValue`] in the cases of [`Fields::set_value`].
pub(crate) fn set_in_form(fields: &mut dyn Fields, index: usize, value: &Value) -> Result<(), WrongValue> {
    let set = fields.set_value(index, value);
    match (value, fields.value(index)) {
        // The field is a longer array, so `set_value` rejected the list. Set only the first elements.
        (Value::List(list), Value::List(mut whole)) if set.is_err() && list.len() < whole.len() => {
            whole.iter_mut().zip(list).for_each(|(to, element)| to.clone_from(element));
            fields.set_value(index, &Value::List(whole))
        }
        _ => set,
    }
}

/// Access to a field as a [`Value`].
pub trait FieldValue {
    /// Returns its value.
    fn value(&self) -> Value;

    /// Sets its value.
    ///
    /// # Errors
    /// [`WrongValue`] if the field cannot have the value. It may be partly changed.
    fn set_value(&mut self, value: &Value) -> Result<(), WrongValue>;
}

/// The error for a value that a field cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}")]
pub struct WrongValue {
    /// The values that the field can have.
    pub expected: &'static str,
}

impl WrongValue {
    /// The value is of another type.
    pub(super) const TYPE: Self = Self { expected: "a value of the field's type" };
    /// The text is too long or contains a NUL.
    pub(super) const TEXT: Self = Self { expected: "a text without NUL that fits in its field" };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packets::{EditCity, GameInfo};

    #[test]
    fn a_shorter_array_is_the_start_of_the_longer_one() {
        let index =
            |fields: &dyn Fields, name| fields.names().iter().position(|known| *known == name).unwrap();
        let list = Value::List(vec![Value::Int(7)]);
        let (mut city, mut game) = (EditCity::default(), GameInfo::default());
        let (trade, outputs) = (index(&city, "trade"), index(&game, "min_city_center_output"));
        set_in_form(&mut city, trade, &list).unwrap();
        set_in_form(&mut game, outputs, &list).unwrap();
        assert_eq!((city.trade, game.min_city_center_output), (Some([7, 0, 0, 0, 0]), [7, 0, 0, 0, 0, 0]));
    }
}
