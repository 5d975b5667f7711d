//! The JSON Schema of a configuration, and the tree of fields that the rest of the module reads.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::Config;

/// One field of a configuration file.
#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    /// What the field is for, from the doc comment of the struct's member.
    pub description: String,
    /// `None`: the file must set the field.
    pub default: Option<Value>,
    pub kind: Kind,
}

/// What a field may hold.
#[derive(Debug, Clone)]
pub enum Kind {
    Table(Vec<Field>),
    Integer { min: i64, max: i64 },
    Text { pattern: Option<String> },
    Switch,
}

impl Kind {
    /// The name of the TOML type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Kind::Table(_) => "table",
            Kind::Integer { .. } => "integer",
            Kind::Text { .. } => "string",
            Kind::Switch => "boolean",
        }
    }

    /// The legal values in words.
    pub fn legal(&self) -> String {
        match self {
            Kind::Table(_) => "a table".into(),
            Kind::Integer { min, max } => format!("{min} to {max}"),
            Kind::Text { pattern: None } => "any text".into(),
            Kind::Text {
                pattern: Some(pattern),
            } => format!("text matching `{pattern}`"),
            Kind::Switch => "true or false".into(),
        }
    }
}

/// The JSON Schema (draft 2020-12), for editors and other tools.
pub fn json_schema() -> Value {
    SchemaSettings::draft2020_12()
        // Without references the tree of the schema is the tree of the file.
        .with(|settings| settings.inline_subschemas = true)
        .into_generator()
        .into_root_schema_for::<Config>()
        .to_value()
}

/// The fields of the top level in the order of their definition; tables hold theirs.
pub fn fields() -> Vec<Field> {
    table_fields(&json_schema())
}

fn table_fields(schema: &Value) -> Vec<Field> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, property)| Field {
            name: name.clone(),
            description: one_line(property["description"].as_str()),
            default: (!required.contains(&name.as_str())).then(|| property["default"].clone()),
            kind: kind(name, property),
        })
        .collect()
}

/// Panics on what no struct of this module uses: a new kind of field has to be taught here, or its values would pass
/// unchecked. The unit tests of this module build the whole tree, so they find it.
fn kind(name: &str, schema: &Value) -> Kind {
    match schema["type"].as_str() {
        Some("object") => Kind::Table(table_fields(schema)),
        Some("integer") => {
            let bound = |key: &str| {
                schema[key].as_i64().unwrap_or_else(|| {
                    panic!("`{name}` has no {key}: give it a #[schemars(range)]")
                })
            };
            Kind::Integer {
                min: bound("minimum"),
                max: bound("maximum"),
            }
        }
        Some("string") => Kind::Text {
            pattern: schema["pattern"].as_str().map(str::to_owned),
        },
        Some("boolean") => Kind::Switch,
        other => panic!("no check for fields of type {other:?} (`{name}`)"),
    }
}

/// Doc comments are wrapped for the source; everywhere else a description is one line.
fn one_line(description: Option<&str>) -> String {
    let description = description.expect("every field has a doc comment");
    description.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_legal() {
        fn check(fields: &[Field]) -> usize {
            fields
                .iter()
                .map(|field| match (&field.kind, &field.default) {
                    (Kind::Table(fields), _) => check(fields),
                    (Kind::Integer { min, max }, Some(default)) => {
                        let default = default.as_i64().unwrap();
                        assert!((*min..=*max).contains(&default), "{}", field.name);
                        1
                    }
                    _ => 0,
                })
                .sum()
        }
        assert_eq!(check(&fields()), 13);
    }

    #[test]
    fn only_name_and_router_are_required() {
        let required: Vec<String> = fields()
            .into_iter()
            .filter(|field| field.default.is_none())
            .map(|field| field.name)
            .collect();
        assert_eq!(required, ["name", "router"]);
    }
}
