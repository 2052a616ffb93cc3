use super::macros::numbers;

numbers! {
    /// What a unit is busy with.
    Activity: u8;
    0 => IDLE "idle", 1 => CLEAN_POLLUTION "pollution", 3 => MINE "mine", 4 => IRRIGATE "irrigate",
    5 => FORTIFIED "fortified", 7 => SENTRY "sentry", 9 => PILLAGE "pillage", 10 => GOTO "goto",
    11 => EXPLORE "explore", 12 => TRANSFORM "transform", 15 => FORTIFYING "fortifying",
    16 => CLEAN_FALLOUT "fallout", 18 => BASE "base", 19 => ROAD "road", 20 => CONVERT "convert",
    21 => NONE "none",
}
