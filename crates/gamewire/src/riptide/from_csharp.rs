/// The Rust of `docs/from-csharp-to-rust.md` is compiled as it stands there.
#[doc = include_str!("../../../../docs/from-csharp-to-rust.md")]
struct FromCSharpToRust;
