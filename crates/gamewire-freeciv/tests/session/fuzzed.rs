//! What fuzz targets share with the tests.
#![allow(dead_code, reason = "the tests use the rest")]

pub mod sequence;
pub mod subjects;
pub mod support;
