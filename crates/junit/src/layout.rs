//! The file: its head, the test methods, and the methods that they use.

use std::collections::BTreeSet;

use petrel_program::{Program, ResolvedMethod};

use crate::body::{Body, Throws};
use crate::helpers::Helpers;
use crate::imports::Imports;
use crate::java::Statement;
use crate::parameterized::{self, Parameterized};
use crate::visible::Visible;
use crate::{JUnit, MARK, Test, TestClass, Written, WrittenTest, call, names};

/// A method of the file.
struct Method {
    /// Position, name, why it uses reflection, and number of inputs.
    test: Option<(usize, String, Option<String>, usize)>,
    lines: Vec<String>,
}

/// A test that is written.
enum Form<'a> {
    Plain(Body<'a>),
    Parameterized(Parameterized<'a>),
}

impl<'a> Form<'a> {
    fn n_inputs(&self) -> usize {
        match self {
            Form::Plain(_) => 1,
            Form::Parameterized(test) => test.n_inputs(),
        }
    }

    /// The test as its name tells it: inputs that are not written do not count.
    fn named<'t>(&self, test: &Test<'t>) -> Test<'t> {
        match self {
            Form::Plain(_) => Test { more: Vec::new(), ..test.clone() },
            Form::Parameterized(_) => test.clone(),
        }
    }

    /// The names that it takes if it has a name itself.
    fn names(&self, name: &str) -> Vec<String> {
        let own = [name.to_owned()].into_iter();
        match self {
            Form::Plain(_) => own.collect(),
            Form::Parameterized(_) => own.chain([Parameterized::source_name(name)]).collect(),
        }
    }

    fn into_body(self) -> Body<'a> {
        match self {
            Form::Plain(body) => body,
            Form::Parameterized(test) => test.body,
        }
    }

    fn lines(&mut self, annotation: &str, name: &str, junit: JUnit) -> Vec<String> {
        match self {
            Form::Plain(body) => {
                method_lines(body, vec![format!("@{annotation}")], name, "", junit)
            }
            Form::Parameterized(test) => {
                let (annotations, parameters) = (test.annotations(name), test.parameters());
                let mut lines = method_lines(&test.body, annotations, name, &parameters, junit);
                lines.push(String::new());
                lines.extend(test.source(name));
                lines
            }
        }
    }
}

pub(crate) fn write(program: &Program, class: &TestClass<'_>) -> Written {
    let internal = class.class.name();
    let package = class.class.package();
    let simple = internal.rsplit('/').next().unwrap_or(internal);
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    let simple: String = simple.replace('$', "_").chars().filter(is_part).collect();
    let name = format!("{simple}{}", class.suffix);
    let visible = Visible { program, package };
    let own = if package.is_empty() { name.clone() } else { format!("{package}/{name}") };
    let mut given = vec![own];
    given.extend(visible.name(internal).map(|name| name.outermost));
    let mut imports = Imports::new(visible, &given);
    let annotation = imports.junit(match class.junit {
        JUnit::Four => "org/junit/Test",
        JUnit::Five => "org/junit/jupiter/api/Test",
    });
    let mut helpers = Helpers::default();
    let wanted: Vec<String> = class.tests.iter().map(names::name).collect();
    let mut taken = BTreeSet::new();
    let mut methods = Vec::new();
    let mut refused = Vec::new();
    for (index, test) in class.tests.iter().enumerate() {
        let release = (class.junit, class.java);
        let with_parameters = match class.junit {
            JUnit::Four => None,
            JUnit::Five => parameterized::write(test, &imports, helpers, release),
        };
        let written = match with_parameters {
            Some(written) => Ok(Form::Parameterized(written)),
            None => call::write(test, imports.clone(), helpers, release).map(Form::Plain),
        };
        match written {
            Err(reason) => refused.push((index, reason)),
            Ok(mut form) => {
                let name = free_name(&form.named(test), &class.tests, &wanted, &|name| {
                    form.names(name).iter().all(|name| !taken.contains(name))
                });
                taken.extend(form.names(&name));
                let lines = form.lines(&annotation, &name, class.junit);
                let n_inputs = form.n_inputs();
                let body = form.into_body();
                let test = (index, name, body.by_reflection, n_inputs);
                methods.push(Method { test: Some(test), lines });
                imports = body.imports;
                helpers = body.helpers;
            }
        }
    }
    for lines in helpers.methods(&name, &mut imports) {
        methods.push(Method { test: None, lines });
    }
    let (source, tests) = file(package, &name, class.junit, &imports, methods);
    let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
    Written {
        file: format!("{folder}{name}.java"),
        package: package.replace('/', "."),
        name,
        source,
        tests,
        refused,
    }
}

/// A name that is free. Tests of other methods that want the same name are told apart by the methods.
fn free_name(
    test: &Test<'_>,
    tests: &[Test<'_>],
    wanted: &[String],
    is_free: &dyn Fn(&str) -> bool,
) -> String {
    let own = names::name(test);
    let alike = tests.iter().zip(wanted).filter(|(_, name)| **name == own);
    let methods: Vec<&ResolvedMethod> = alike.map(|(test, _)| test.method).collect();
    let names = names::names(test, &methods);
    let best = names.first().unwrap_or(&own).clone();
    let numbered = (2..).map(|number| format!("{best}_{number}"));
    let mut names = names.into_iter().chain(numbered);
    names.find(|name| is_free(name)).unwrap_or(best)
}

fn method_lines(
    body: &Body<'_>,
    annotations: Vec<String>,
    name: &str,
    parameters: &str,
    junit: JUnit,
) -> Vec<String> {
    let mut lines = annotations;
    if body.is_unchecked {
        lines.push("@SuppressWarnings({\"unchecked\", \"rawtypes\"})".to_owned());
    }
    let access = if junit == JUnit::Four { "public " } else { "" };
    let throws = match body.throws {
        Throws::Nothing => "",
        Throws::Exception => " throws Exception",
        Throws::Throwable => " throws Throwable",
    };
    lines.push(format!("{access}void {name}({parameters}){throws} {{"));
    let own = body.statements.iter().flat_map(Statement::lines);
    lines.extend(
        own.map(|line| if line.is_empty() { String::new() } else { format!("    {line}") }),
    );
    lines.push("}".to_owned());
    lines
}

fn file(
    package: &str,
    name: &str,
    junit: JUnit,
    imports: &Imports<'_>,
    methods: Vec<Method>,
) -> (String, Vec<WrittenTest>) {
    let mut lines = vec![MARK.to_owned()];
    if !package.is_empty() {
        lines.push(format!("package {};", package.replace('/', ".")));
    }
    lines.push(String::new());
    lines.extend(imports.lines());
    lines.push(String::new());
    let access = if junit == JUnit::Four { "public " } else { "" };
    lines.push(format!("{access}class {name} {{"));
    let mut tests = Vec::new();
    for method in methods {
        lines.push(String::new());
        let first = lines.len() as u32 + 1;
        for line in method.lines {
            lines.push(if line.is_empty() { line } else { format!("    {line}") });
        }
        if let Some((test, name, by_reflection, n_inputs)) = method.test {
            let lines = first..lines.len() as u32 + 1;
            tests.push(WrittenTest { test, name, lines, by_reflection, n_inputs });
        }
    }
    lines.push("}".to_owned());
    lines.push(String::new());
    (lines.join("\n"), tests)
}
