//! The structures in fields, part by part.

use super::number::Number;

/// A part of a structure.
#[derive(Clone, Copy, Debug)]
pub(super) struct StructField {
    /// Name of the part; empty in a structure of one part, which is a plain number.
    pub(super) name: &'static str,
    pub(super) number: Number,
}

const fn part(name: &'static str, number: Number) -> StructField {
    StructField { name, number }
}

pub(super) const REQUIREMENT: &[StructField] = &[
    part("kind", Number::U8),
    part("value", Number::S32),
    part("range", Number::U8),
    part("survives", Number::Bool8),
    part("present", Number::Bool8),
    part("quiet", Number::Bool8),
];

pub(super) const UNIT_ORDER: &[StructField] = &[
    part("order", Number::U8),
    part("activity", Number::U8),
    part("target", Number::S32),
    part("sub_target", Number::S16),
    part("action", Number::U8),
    part("dir", Number::S8),
];

pub(super) const CM_PARAMETER: &[StructField] = &[
    part("minimal_surplus_0", Number::S16),
    part("minimal_surplus_1", Number::S16),
    part("minimal_surplus_2", Number::S16),
    part("minimal_surplus_3", Number::S16),
    part("minimal_surplus_4", Number::S16),
    part("minimal_surplus_5", Number::S16),
    part("max_growth", Number::Bool8),
    part("require_happy", Number::Bool8),
    part("allow_disorder", Number::Bool8),
    part("allow_specialists", Number::Bool8),
    part("factor_0", Number::U16),
    part("factor_1", Number::U16),
    part("factor_2", Number::U16),
    part("factor_3", Number::U16),
    part("factor_4", Number::U16),
    part("factor_5", Number::U16),
    part("happy_factor", Number::U16),
];

pub(super) const ACTION_PROBABILITY: &[StructField] = &[part("min", Number::U8), part("max", Number::U8)];

pub(super) const WORKLIST_ENTRY: &[StructField] = &[part("kind", Number::U8), part("id", Number::U8)];

pub(super) const UINT8: &[StructField] = &[part("", Number::U8)];

pub(super) const UINT16: &[StructField] = &[part("", Number::U16)];
