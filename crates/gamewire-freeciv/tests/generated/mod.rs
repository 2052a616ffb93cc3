//! The generated codec must behave as the interpreter: the same packets, bits, errors and bytes.

mod damage;
mod streams;
mod support;
