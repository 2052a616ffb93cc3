use crate::model::message::Input;

/// Inputs of coming ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct PlannedInputs {
    first_tick: i32,
    inputs: Vec<Input>,
}

impl PlannedInputs {
    pub(super) const fn new(first_tick: i32, inputs: Vec<Input>) -> Self {
        Self { first_tick, inputs }
    }

    /// Returns the input of a tick, if there is one.
    pub(super) fn at(&self, tick: i32) -> Option<Input> {
        let index = usize::try_from(tick.checked_sub(self.first_tick)?).ok()?;
        self.inputs.get(index).copied()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_input_has_its_tick() {
        let walking = |direction| Input { direction, ..Input::default() };
        let planned = PlannedInputs::new(10, vec![walking(1), walking(-1)]);
        let directions: Vec<_> = (9..13).map(|tick| planned.at(tick).map(|input| input.direction)).collect();
        assert_eq!(directions, [None, Some(1), Some(-1), None]);
        assert_eq!(planned.at(i32::MIN), None);
        assert!(!planned.is_empty() && PlannedInputs::default().is_empty());
    }
}
