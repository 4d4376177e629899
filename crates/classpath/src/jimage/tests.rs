use super::index::Order;
use super::testing::{ImageBuilder, deflate};
use super::*;
use crate::testing::Random;

fn open(builder: ImageBuilder) -> JImage {
    JImage::from_bytes("test/modules", builder.finish().into()).unwrap()
}

fn sample(order: Order) -> ImageBuilder {
    ImageBuilder::new(order)
        .class("java.base", "java/lang/String", b"string")
        .class("java.base", "java/lang/Object", b"object")
        .class("java.base", "java/lang/package-info", b"p")
        .class("java.base", "module-info", b"m")
        .class("java.sql", "java/sql/Driver", b"driver")
        .class("java.sql", "java/lang/sub/Split", b"split")
        .class("other", "java/lang/sub/Other", b"other")
        .class("other", "deep/𝐀/Ä", b"letters")
}

#[test]
fn classes_are_found_in_both_byte_orders() {
    for order in [Order::Little, Order::Big] {
        let image = open(sample(order));
        let listed = image.class_names().unwrap();
        assert_eq!(
            listed,
            [
                "deep/𝐀/Ä",
                "java/lang/Object",
                "java/lang/String",
                "java/lang/sub/Other",
                "java/lang/sub/Split",
                "java/sql/Driver",
            ]
        );
        for name in &listed {
            assert!(image.find(name).unwrap().is_some(), "{name}");
        }
        let found = image.find("java/lang/String").unwrap().unwrap();
        assert_eq!(found.bytes, b"string");
        assert_eq!(found.origin, "test/modules!/java.base/java/lang/String.class");
        assert_eq!(image.find("java/lang/sub/Other").unwrap().unwrap().bytes, b"other");
        for missing in ["java/lang/Integer", "java/util/List", "String", "module-info"] {
            assert_eq!(image.find(missing).unwrap(), None, "{missing}");
        }
        assert!(image.find("java/../x").is_err());
    }
}

#[test]
fn modules_are_listed_with_their_classes() {
    let image = open(sample(Order::Little));
    assert_eq!(image.module_names().unwrap(), ["java.base", "java.sql", "other"]);
    let of = |module| image.class_names_of_module(module).unwrap();
    assert_eq!(of("java.base").unwrap(), ["java/lang/Object", "java/lang/String"]);
    assert_eq!(of("java.sql").unwrap(), ["java/lang/sub/Split", "java/sql/Driver"]);
    assert_eq!(of("packages"), None);
    assert_eq!(of("java.desktop"), None);
    assert_eq!(image.describe(), "JDK image test/modules");
}

/// A class file in the form of `compact-cp`, and what it stands for. Only the constant pool has
/// to make sense.
fn compact_class(builder: &mut ImageBuilder) -> (Vec<u8>, Vec<u8>) {
    let [name, descriptor, package, class, empty] =
        ["p/Shared", "(L;ILTop;)L;", "java/lang", "String", ""]
            .map(|text| builder.string(text).to_be_bytes());
    let top = [empty, builder.string("").to_be_bytes()].concat();
    let references = [&[package, class].concat(), &top, &[package, class].concat()[..]].concat();
    let head = b"\xCA\xFE\xBA\xBE\0\0\0\x3D\0\x08";
    let plain_descriptor = b"(Ljava/lang/String;ILTop;)Ljava/lang/String;";
    let other_constants = b"\x07\0\x01\x05\0\0\0\0\0\0\0\x2A\x0F\x06\0\x02";
    let tail = b"\x01\0\x05plainthe rest of the class";
    let compact = [
        &head[..],
        &[23],
        &name,
        &[25],
        &descriptor,
        &[0xA0 | references.len() as u8],
        &references,
        other_constants,
        tail,
    ];
    let expanded = [
        &head[..],
        &[1, 0, 8],
        b"p/Shared",
        &[1, 0, plain_descriptor.len() as u8],
        plain_descriptor,
        other_constants,
        tail,
    ];
    (compact.concat(), expanded.concat())
}

#[test]
fn compressed_classes_are_restored() {
    for order in [Order::Little, Order::Big] {
        let mut builder = ImageBuilder::new(order);
        let content = b"some content ".repeat(100);
        let zipped = builder.layer("zip", &deflate(&content), content.len());
        let (compact, expanded) = compact_class(&mut builder);
        let shared = builder.layer("compact-cp", &compact, expanded.len());
        let both = builder.layer("zip", &deflate(&shared), shared.len());
        let image = open(
            builder
                .compressed("p/Zipped", zipped, content.len())
                .compressed("p/Shared", shared, expanded.len())
                .compressed("p/Both", both, expanded.len()),
        );
        assert_eq!(image.find("p/Zipped").unwrap().unwrap().bytes, content);
        assert_eq!(image.find("p/Shared").unwrap().unwrap().bytes, expanded);
        assert_eq!(image.find("p/Both").unwrap().unwrap().bytes, expanded);
    }
}

#[test]
fn defects_of_compressed_classes_are_named() {
    let mut builder = ImageBuilder::new(Order::Little);
    let zeros = vec![0; MAX_CLASS_BYTES as usize + 1];
    let bomb = deflate(&zeros);
    let honest = builder.layer("zip", &bomb, zeros.len());
    let lying = builder.layer("zip", &bomb, 100);
    let short = builder.layer("zip", &deflate(b"short"), 100);
    let garbage = builder.layer("zip", b"garbage", 100);
    let unknown = builder.layer("lzma", b"garbage", 100);
    let mut cut = builder.layer("zip", &deflate(b"content"), 7);
    cut.pop();
    let stream = deflate(b"content");
    let open_end = builder.layer("zip", &stream[..stream.len() - 1], 7);
    let mut nested = b"core".to_vec();
    for _ in 0..5 {
        nested = builder.layer("zip", &deflate(&nested), nested.len());
    }
    let (compact, expanded) = compact_class(&mut builder);
    let too_long = builder.layer("compact-cp", &compact, expanded.len() - 1);
    let truncated = builder.layer("compact-cp", &compact[..20], expanded.len());
    let cases = [
        ("p/Honest", honest, 100, "too much"),
        ("p/Huge", Vec::from([1]), zeros.len(), "larger than the limit"),
        ("p/Lying", lying, 100, "101 bytes instead of 100"),
        ("p/Short", short, 100, "5 bytes instead of 100"),
        ("p/Garbage", garbage, 100, "cannot be inflated"),
        ("p/Unknown", unknown, 100, "\"lzma\""),
        ("p/Cut", cut, 7, "cut off"),
        ("p/OpenEnd", open_end, 7, "ends too early"),
        ("p/Nested", nested, 4, "more than 4 times"),
        ("p/TooLong", too_long, expanded.len() - 1, "more than it declares"),
        ("p/Truncated", truncated, expanded.len(), "cut off"),
        ("p/Plain", b"no header".to_vec(), 5, "9 bytes instead of 5"),
    ];
    for (name, stored, size, _) in &cases {
        builder = builder.compressed(name, stored.clone(), *size);
    }
    let image = open(builder);
    for (name, _, _, expected) in cases {
        let error = image.find(name).unwrap_err().to_string();
        assert!(error.starts_with(&format!("test/modules!/m/{name}.class")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn files_that_are_not_images_are_named() {
    let good = sample(Order::Little).finish();
    let message = |bytes: &[u8]| JImage::from_bytes("bad", bytes.into()).unwrap_err().to_string();
    assert!(message(b"").starts_with("bad is not a usable JDK image: the file ends"));
    assert!(message(&[0; 100]).contains("CAFEDADA"));
    assert!(message(&good[..60]).contains("cut off"));
    let with = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    assert!(message(&with(4, 7 << 16)).contains("version 7"));
    for field in [16, 20, 24] {
        assert!(message(&with(field, u32::MAX)).contains("too large"), "field {field}");
        assert!(message(&with(field, 1 << 20)).contains("cut off"), "field {field}");
    }
    // A later minor version is no reason to give up.
    assert!(JImage::from_bytes("good", with(4, 1 << 16 | 5).into()).is_ok());
    // An image without anything.
    let empty = open(ImageBuilder::new(Order::Big));
    assert_eq!(empty.class_names().unwrap(), [""; 0]);
    assert_eq!(empty.find("a/B").unwrap(), None);
}

#[test]
fn a_resource_beyond_the_end_of_the_file_is_named() {
    let bytes = ImageBuilder::new(Order::Little).class("m", "p/A", &[7; 500]).finish();
    let image = JImage::from_bytes("cut", bytes[..bytes.len() - 100].into()).unwrap();
    let error = image.find("p/A").unwrap_err().to_string();
    // The entry that leads from the package to the module is behind the class.
    assert!(error.starts_with("cut!/packages/p: the file ends"), "{error}");
}

#[test]
fn no_damage_to_an_image_makes_it_panic() {
    let mut builder = sample(Order::Little);
    let (compact, expanded) = compact_class(&mut builder);
    let shared = builder.layer("compact-cp", &compact, expanded.len());
    let zipped = builder.layer("zip", &deflate(&expanded), expanded.len());
    let original = builder
        .compressed("p/Shared", shared, expanded.len())
        .compressed("p/Zipped", zipped, expanded.len())
        .finish();
    let names = JImage::from_bytes("", original.clone().into()).unwrap().class_names().unwrap();
    let mut random = Random::new(2);
    let mut readable = 0;
    for _ in 0..20_000 {
        let mut bytes = original.clone();
        random.damage(&mut bytes);
        if let Ok(image) = JImage::from_bytes("damaged", bytes.into()) {
            let listed = image.class_names().unwrap_or_default();
            for name in names.iter().chain(&listed) {
                readable += usize::from(image.find(name).is_ok());
            }
            let _ = image.module_names();
        }
    }
    assert!(readable > 1000, "the damage is too heavy to be of interest: {readable}");
}
