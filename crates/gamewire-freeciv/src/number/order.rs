use super::macros::numbers;

numbers! {
    /// What one step of a unit's orders is.
    UnitOrder: u8;
    0 => MOVE "move", 1 => ACTIVITY "activity", 2 => FULL_MOVE_POINTS "full move points",
    3 => ACTION_MOVE "action move", 4 => PERFORM_ACTION "perform action",
}
