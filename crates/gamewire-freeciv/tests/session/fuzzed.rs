//! What fuzz targets share with the tests.
#![allow(dead_code, reason = "the tests use the rest")]

pub(crate) mod sequence;
pub(crate) mod subjects;
pub(crate) mod support;
