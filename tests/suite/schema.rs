//! JSON Schema as far as the schemas of exports need it: a keyword that is none of these is refused.
//!
//! No library is taken: one for all of JSON Schema (`jsonschema`) brings 28 crates for these few keywords.
//!
//! Source: JSON Schema, draft 2020-12, core and validation.

use serde_json::{Map, Value};

/// What is wrong with a document, each with its place; nothing if it is valid.
pub fn faults(schema: &Value, document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, document, "", &mut faults);
    faults
}

fn check(schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let schema = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in schema {
        let holds = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
            "type" => match rule {
                Value::Array(names) => names.iter().any(|name| is_of(name, value)),
                name => is_of(name, value),
            },
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                names.into_iter().all(|name| value.get(name).is_some())
            }
            "properties" | "additionalProperties" => {
                if let Value::Object(members) = value {
                    check_members(schema, keyword, members, at, faults);
                }
                true
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, item, &format!("{at}/{number}"), faults);
                }
                true
            }
            "oneOf" => {
                let valid = |schema: &&Value| self::faults(schema, value).is_empty();
                rule.as_array().unwrap().iter().filter(valid).count() == 1
            }
            other => panic!("{other} is no keyword that is known here"),
        };
        if !holds {
            faults.push(format!("{at}: {keyword} {rule} does not hold for {value}"));
        }
    }
}

fn check_members(
    schema: &Map<String, Value>,
    keyword: &str,
    members: &Map<String, Value>,
    at: &str,
    faults: &mut Vec<String>,
) {
    let named = |name: &String| schema.get("properties").and_then(|all| all.get(name));
    for (name, member) in members {
        let at = format!("{at}/{name}");
        match (keyword, named(name), &schema.get("additionalProperties")) {
            ("properties", Some(schema), _) => check(schema, member, &at, faults),
            ("additionalProperties", None, Some(Value::Bool(false))) => {
                faults.push(format!("{at}: there is no such member"));
            }
            ("additionalProperties", None, Some(schema)) => check(schema, member, &at, faults),
            _ => {}
        }
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other} is no type"),
    }
}
