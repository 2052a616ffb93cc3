//! Modules that the fuzz targets and the tests share.
#![allow(dead_code, reason = "the tests use the rest")]

pub(crate) mod sequence;
pub(crate) mod subjects;
pub(crate) mod support;
