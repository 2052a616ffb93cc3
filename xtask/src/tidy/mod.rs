//! `cargo xtask tidy`: the rules of the project that compilers do not check.

mod bounds;
mod circles;
mod documents;
mod edges;
mod file_circles;
mod file_lengths;
mod finding;
mod folders;
mod lints;
mod markers;
mod portability;
mod purity;
mod roots;
mod run;
mod source;
mod test_modules;
mod vocabulary;

pub(crate) use run::run;
