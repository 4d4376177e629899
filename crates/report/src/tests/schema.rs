//! The published schemas are those of the types.

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::schemas;

/// Whether a document fits its schema.
#[track_caller]
pub(super) fn check(name: &str, document: &Json) {
    let schema = schemas().into_iter().find(|schema| schema.name == name).unwrap();
    let validator = jsonschema::validator_for(schema.schema.as_value()).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|it| it.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "schema"].iter().collect()
}

#[test]
fn published_schemas_are_up_to_date() {
    let mut expected = Vec::new();
    for schema in schemas() {
        let path = folder().join(schema.file_name());
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, schema.text()).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(published, schema.text(), "{}: BLESS=1 writes it", schema.file_name());
        expected.push(schema.file_name());
    }
    let files = std::fs::read_dir(folder()).unwrap();
    let mut files: Vec<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, expected);
}

#[test]
fn schemas_refuse_what_is_none_of_their_documents() {
    for schema in schemas() {
        let validator = jsonschema::validator_for(schema.schema.as_value()).unwrap();
        for document in [Json::Null, serde_json::json!({}), serde_json::json!({ "schema": 1 })] {
            assert!(!validator.is_valid(&document), "{}: {document}", schema.name);
        }
    }
}
