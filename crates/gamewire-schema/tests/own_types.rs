//! Types of the application in the constants file.

use gamewire_schema::emit::{Json, Markdown, Rust, compare};
use gamewire_schema::ir::{Field, WireType};
use gamewire_schema::{Constants, compile};

const DEFINITION: &str = "
type FOOBAR = foobar(struct foobar)
PACKET_A = 1; sc
  FOOBAR f;
  FOOBAR g[4];
end
";

fn constants(types: &str) -> Constants {
    Constants::from_toml(&format!("[constants]\nSIZE = 3\n[types]\n{types}\n")).unwrap()
}

/// Returns the error for a list of types. The first line of the types is line 3.
fn error(types: &str) -> String {
    let text = format!("[constants]\nSIZE = 3\n{types}\n");
    Constants::from_toml(&text.replacen("SIZE = 3\n", "SIZE = 3\n[types]\n", 1)).unwrap_err().to_string()
}

fn fields(types: &str) -> Vec<Field> {
    compile(DEFINITION, &constants(types)).unwrap().packets.remove(0).fields
}

#[test]
fn a_structure_has_several_parts() {
    let fields = fields(r#"foobar = ["uint8", "sint16"]"#);
    let structure = fields[0].structure.as_ref().unwrap();
    assert_eq!(
        (fields[0].wire, structure.to_string().as_str()),
        (WireType::Structure, "struct(uint8,sint16)")
    );
    assert_eq!((structure.bytes(), structure.number_count(), structure.depth()), (3, 2, 1));
    let names: Vec<&str> = structure.parts.iter().map(|part| &*part.name).collect();
    assert_eq!(names, ["part_0", "part_1"]);
    assert_eq!((fields[1].dims[0].limit, &fields[1].structure), (4, &fields[0].structure));
}

#[test]
fn structures_contain_others_and_arrays_of_them() {
    let fields = fields(
        r#"
        foobar = ["uint8 kind", "corner corners[SIZE]", "tiny small[2]"]
        corner = ["point at", "bool8 is_round"]
        point = ["sint16 x", "sint16 y"]
        tiny = "uint8"
        "#,
    );
    let structure = fields[0].structure.as_ref().unwrap();
    assert_eq!(structure.to_string(), "struct(uint8,struct(struct(sint16,sint16),bool8)[3],uint8[2])");
    assert_eq!((structure.bytes(), structure.number_count(), structure.depth()), (18, 12, 3));
    let names: Vec<String> = structure.numbers().into_iter().map(|number| number.name).collect();
    assert_eq!(names[..4], ["kind", "corners_0_at_x", "corners_0_at_y", "corners_0_is_round"]);
    assert_eq!(names[10..], ["small_0", "small_1"]);
}

#[test]
fn a_structure_can_have_the_name_of_a_known_type() {
    let constants = constants(
        r#"requirement = ["uint8 kind", "requirement_value value"]
requirement_value = "sint32""#,
    );
    let text = "PACKET_A = 1; sc\n  requirement(struct requirement) r;\nend";
    let protocol = compile(text, &constants).unwrap();
    assert_eq!(protocol.packets[0].fields[0].structure.as_ref().unwrap().bytes(), 5);
}

#[test]
fn unknown_and_impossible_parts_are_errors_with_a_place() {
    assert_eq!(
        error(r#"foobar = ["uint8", "uint61 x"]"#),
        "error at line 4, column 20\n  |\n4 | foobar = [\"uint8\", \"uint61 x\"]\n  |                    ^^^^^^^^^^\n\
         unknown type `uint61` of a part; did you mean `uint16`?"
    );
    for (types, message) in [
        (r#"foobar = "uint61""#, "unknown type `uint61`; did you mean `uint16`?"),
        (r#"foobar = ["string name"]"#, "a part cannot be of the type `string`; parts are integers"),
        (r#"foobar = ["worklist"]"#, "a part cannot be of the type `worklist`"),
        (r#"foobar = ["ufloat100"]"#, "a part cannot be of the type `ufloat100`"),
        (r#"foobar = []"#, "a structure needs parts"),
        (r#"foobar = ["uint8 a b"]"#, "expected a part such as"),
        (r#"foobar = ["uint8 1a"]"#, "expected a part such as"),
        (r#"foobar = [""]"#, "unknown type `` of a part"),
        (r#"foobar = ["uint8 a[0]"]"#, "expected one size from 1 to 1024"),
        (r#"foobar = ["uint8 a[2][2]"]"#, "expected one size from 1 to 1024"),
        (r#"foobar = ["uint8 a[MANY]"]"#, "expected one size from 1 to 1024"),
        (r#"foobar = ["uint8 a", "uint8 a"]"#, "two parts of the structure are named `a`"),
        (r#"foobar = ["uint8 a_0", "uint8 a[2]"]"#, "two parts of the structure are named `a_0`"),
        (r#"foobar = ["foobar inner"]"#, "the structure `foobar` contains itself"),
        ("foobar = [\"other\"]\nother = [\"foobar\"]", "the structure `foobar` contains itself"),
        (r#"foobar = ["uint8 a[1000]", "uint8 b[25]"]"#, "a structure of more than 1024 numbers"),
        (r#"foobar = 5"#, "invalid type: integer `5`, expected a type such as"),
        (r#"foobar = ["uint8", 5]"#, "invalid type: integer `5`, expected a string"),
    ] {
        let error = error(types);
        assert!(error.contains(message), "{types}: {error}");
        assert!(error.contains("line 4") || error.contains("line 5"), "{types}: {error}");
    }
}

#[test]
fn structures_that_grow_without_end_are_rejected() {
    let nested: String =
        (0..20).map(|at| format!("t{at} = [\"t{} x[9]\", \"t{} y\"]\n", at + 1, at + 1)).collect();
    let message = error(&format!("{nested}t20 = [\"uint8\"]"));
    assert!(
        message.contains("structures nested more than 8 deep") || message.contains("1024 numbers"),
        "{message}"
    );
}

#[test]
fn every_output_has_the_parts() {
    let types = r#"foobar = ["uint8 kind", "point points[2]"]
point = ["sint16 x", "sint16 y"]"#;
    let protocol = compile(DEFINITION, &constants(types)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&Json(&protocol).to_string()).unwrap();
    let field = &json["packets"][0]["fields"][0];
    assert_eq!((&field["wire"], &field["parts"][0]["wire"]), (&"struct".into(), &"uint8".into()));
    assert_eq!(field["parts"][1]["parts"][1]["name"], "y");
    assert_eq!(field["parts"][1]["count"], 2);
    let reference = Markdown::new(&protocol).to_string();
    assert!(reference.contains("| `g`   | `foobar[4]` | FOOBAR |"), "{reference}");
    assert!(reference.contains("uint8 kind, 2 times point (sint16 x, sint16 y) points"), "{reference}");
    let rust = Rust::new(&protocol).unwrap().file();
    assert!(
        rust.find("Point = \"point\" {").unwrap() < rust.find("Foobar = \"foobar\" {").unwrap(),
        "{rust}"
    );
    assert!(rust.contains("points: [Point; 2] = \"points\","), "{rust}");
    assert!(rust.contains("pub g: [Foobar; 4],"), "{rust}");
}

#[test]
fn another_part_is_a_difference_on_the_wire_and_another_name_is_not() {
    let protocol = |parts: &str| {
        compile("PACKET_A = 1; sc\n  p(struct p) f;\nend", &constants(&format!("p = [{parts}]"))).unwrap()
    };
    let old = protocol(r#""uint8 a", "uint8 b""#);
    assert!(compare(&old, &protocol(r#""uint8 x", "uint8 y""#)).list.is_empty());
    let differences = compare(&old, &protocol(r#""uint8 a", "uint16 b""#)).list;
    assert_eq!(differences[0].what, "struct(uint8,uint8) -> struct(uint8,uint16)");
    assert!(!differences[0].is_wider);
}

#[test]
fn types_of_freeciv_2_are_known() {
    let text = "
        PACKET_A = 1; sc
          tech_list(int) techs[MAX];
          unit_list(int) units[MAX];
          building_list(int) buildings[MAX];
          float1000000(float) rate;
          bit_string(char) parts[33];
          city_map(char) map[26];
        end";
    let sizes = "[constants]\nMAX = 10\nA_LAST = 200\nU_LAST = 201\nB_LAST = 202";
    let protocol = compile(text, &Constants::from_toml(sizes).unwrap()).unwrap();
    let wires: Vec<String> = protocol.packets[0].fields.iter().map(|field| field.wire.to_string()).collect();
    let lists = ["ended_list(200,10)", "ended_list(201,10)", "ended_list(202,10)"];
    assert_eq!(wires[..3], lists);
    assert_eq!(wires[3..], ["ufloat1000000", "bit_string(33)", "memory"]);
    assert_eq!(protocol.packets[0].fields[5].dims[0].limit, 4);
    assert!(Rust::new(&protocol).unwrap().file().contains("pub techs: EndedList<200, 10>,"));
    assert!(Markdown::new(&protocol).to_string().contains("and after fewer the end mark 202"));
    for (constants, message) in [
        ("MAX = 10\nA_LAST = 200\nU_LAST = 201", "1 constant is not defined: `B_LAST`"),
        ("MAX = 10\nA_LAST = 256\nU_LAST = 1\nB_LAST = 1", "the end mark A_LAST is not 0 to 255"),
        (
            "MAX = 256\nA_LAST = 1\nU_LAST = 1\nB_LAST = 1",
            "a list with an end mark needs a size from 1 to 255",
        ),
    ] {
        let constants = Constants::from_toml(&format!("[constants]\n{constants}")).unwrap();
        let errors = compile(text, &constants).unwrap_err();
        assert!(errors.to_string().contains(message), "{errors}");
    }
}
