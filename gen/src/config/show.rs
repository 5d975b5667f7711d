//! A configuration for people: the commented listing of one, and the table of all fields.

use serde_json::Value;

use super::schema::{fields, Field, Kind};
use super::{Config, TableMemory};

/// The TOML text of a configuration with every default filled in and every field explained, and a comment about what
/// follows from them. It reads back as the same configuration.
pub fn listing(config: &Config) -> String {
    let values = toml::Table::try_from(config).expect("a configuration is a table");
    let mut text = String::new();
    list_table("", &fields(), &values, &mut text);
    let memory = TableMemory::of(&config.router.routing);
    text += &format!("\n# Routing table of a port: {memory}\n");
    text
}

fn list_table(path: &str, fields: &[Field], values: &toml::Table, text: &mut String) {
    // TOML wants the values of a table before its sub-tables; the structs are in that order.
    for field in fields {
        let value = &values[&field.name];
        match (&field.kind, value) {
            (Kind::Table(fields), toml::Value::Table(values)) => {
                let path = if path.is_empty() {
                    field.name.clone()
                } else {
                    format!("{path}.{}", field.name)
                };
                *text += &format!("\n# {}\n[{path}]\n", field.description);
                list_table(&path, fields, values, text);
            }
            _ => {
                let Field {
                    name, description, ..
                } = field;
                let limits = limits(field);
                *text += &format!("# {description} ({limits})\n{name} = {value}\n");
            }
        }
    }
}

fn limits(field: &Field) -> String {
    let legal = field.kind.legal();
    match default(field) {
        Some(default) => format!("{legal}, default {default}"),
        None => legal,
    }
}

/// The table of all fields in Markdown.
pub fn field_table() -> String {
    let mut text = String::from("| field | legal | default | what it is |\n|---|---|---|---|\n");
    table_rows("", &fields(), &mut text);
    text
}

fn table_rows(path: &str, fields: &[Field], text: &mut String) {
    for field in fields {
        let name = format!("{path}{}", field.name);
        let default = match (&field.kind, default(field)) {
            (Kind::Table(_), Some(_)) => "its fields' defaults".into(),
            (_, Some(default)) => format!("`{default}`"),
            (_, None) => "none: must be set".into(),
        };
        let legal = field.kind.legal();
        *text += &format!(
            "| `{name}` | {legal} | {default} | {} |\n",
            field.description
        );
        if let Kind::Table(fields) = &field.kind {
            table_rows(&format!("{name}."), fields, text);
        }
    }
}

fn default(field: &Field) -> Option<String> {
    field.default.as_ref().map(Value::to_string)
}

#[cfg(test)]
mod tests {
    use super::super::{Router, Routing};
    use super::*;

    #[test]
    fn a_listing_reads_back_as_the_same_configuration() {
        let config = Config {
            name: "listed".into(),
            description: "quotes \" and\nlines".into(),
            router: Router {
                rows: 3,
                virtual_channels: 7,
                routing: Routing {
                    in_supernode_entries: 9,
                    ..Routing::default()
                },
                ..Router::default()
            },
        };
        assert_eq!(Config::parse("listing", &listing(&config)).unwrap(), config);
    }
}
