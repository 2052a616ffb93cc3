/// Compiles the Rust code of `docs/from-csharp-to-rust.md`.
#[doc = include_str!("../../../../docs/from-csharp-to-rust.md")]
struct FromCSharpToRust;
