//! What code of a package can call to get objects of a class, and to change them.
//!
//! A test is such code: it lives in the package of the class that it tests. Private members, and classes that have
//! no name outside of the class that declares them, are out of its reach.

use std::collections::BTreeSet;
use std::sync::Arc;

use petrel_classfile::{InnerClass, JavaType, MethodDescriptor, Operand, flags, op};

use crate::class::Class;
use crate::members::ResolvedMethod;
use crate::program::Program;

/// How many calls deep code is looked through for the fields that it uses.
const DEPTH: u32 = 2;
/// So many methods are looked through at most.
const MOST_METHODS: usize = 64;

/// So many methods of a class are looked at for what they change.
const MOST_OF_CLASS: usize = 256;

/// Fields that code reads and writes: classes and names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldsUsed {
    /// Fields that are read.
    pub read: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Fields that are written.
    pub written: BTreeSet<(Arc<str>, Arc<str>)>,
    /// Static fields of the project, read or written.
    pub statics: BTreeSet<(Arc<str>, Arc<str>)>,
}

impl Program {
    /// Whether code of a package can name a class: it has a name, and neither it nor a class that it is a member
    /// of is private or the secret of another package.
    pub fn is_nameable(&self, class: &Arc<Class>, package: &str) -> bool {
        let is_here = class.package() == package;
        let pool = &class.file.constant_pool;
        let Some(entry) = class.as_member() else {
            return is_here || class.file.has_flags(flags::PUBLIC);
        };
        if entry.outer_class == 0 || entry.inner_name == 0 {
            return false;
        }
        let outer = pool.class_name(entry.outer_class).ok().and_then(|name| self.class(name).ok());
        let is_visible = is_visible(entry.access_flags, is_here);
        is_visible && outer.is_some_and(|outer| self.is_nameable(&outer, package))
    }

    /// Whether code of a package can call a method.
    pub fn is_callable(&self, method: &ResolvedMethod, package: &str) -> bool {
        let is_here = method.class().package() == package;
        !method.has_flags(flags::SYNTHETIC)
            && is_visible(method.flags(), is_here)
            && self.is_nameable(method.class(), package)
    }

    /// Constructors of a class and its own factories, the simplest first; those that are public before others.
    pub fn makers(&self, class: &Arc<Class>, package: &str) -> Vec<ResolvedMethod> {
        if class.is_abstract() || !self.is_nameable(class, package) {
            return Vec::new();
        }
        let gives_one = format!(")L{};", class.name());
        let is_maker = |method: &ResolvedMethod| {
            method.is_constructor()
                || method.is_static() && method.descriptor().ends_with(&gives_one)
        };
        let callable = class.methods().filter(|method| self.is_callable(method, package));
        let mut makers: Vec<ResolvedMethod> = callable.filter(is_maker).collect();
        makers.sort_by_key(|method| {
            let is_hidden = !method.has_flags(flags::PUBLIC);
            (!method.is_constructor(), is_hidden, complexity(method), method.index())
        });
        makers
    }

    /// Instance methods of a class that may change what some fields hold, the simplest first.
    pub fn mutators(
        &self,
        class: &Arc<Class>,
        package: &str,
        fields: &BTreeSet<(Arc<str>, Arc<str>)>,
    ) -> Vec<ResolvedMethod> {
        let of_project = class.lineage().filter(|class| self.is_project_class(class.name()));
        let mut found: Vec<(usize, ResolvedMethod)> = Vec::new();
        for (depth, class) in of_project.enumerate() {
            for method in class.methods().take(MOST_OF_CLASS) {
                let is_overridden = found.iter().any(|(_, known)| {
                    known.name() == method.name() && known.descriptor() == method.descriptor()
                });
                let is_usual = !method.is_constructor()
                    && !method.is_static()
                    && !method.is_abstract()
                    && !is_overridden
                    && method.name() != "<clinit>";
                if is_usual
                    && self.is_callable(&method, package)
                    && self.may_change(&method, fields)
                {
                    found.push((depth, method));
                }
            }
        }
        found.sort_by_key(|(depth, method)| {
            let is_setter = method.name().starts_with("set") || method.name().starts_with("add");
            (!is_setter, complexity(method), *depth, method.index())
        });
        found.into_iter().map(|(_, method)| method).collect()
    }

    /// Whether a method may change what some fields hold: it writes one of them, or gets hold of an object that
    /// is in one and has arguments to put into that.
    fn may_change(&self, method: &ResolvedMethod, fields: &BTreeSet<(Arc<str>, Arc<str>)>) -> bool {
        let used = self.fields_used(method);
        let takes_something = !method.descriptor().starts_with("()");
        let gives_nothing = method.descriptor().ends_with(['V', 'Z']);
        used.written.iter().any(|field| fields.contains(field))
            || takes_something
                && gives_nothing
                && used.read.iter().any(|field| fields.contains(field))
    }

    /// The fields of the project that a method uses, and the methods that it calls.
    pub fn fields_used(&self, method: &ResolvedMethod) -> FieldsUsed {
        let mut used = FieldsUsed::default();
        let mut seen = vec![method.clone()];
        let mut next = 0;
        let mut depths = vec![0];
        while let Some(method) = seen.get(next).cloned() {
            let depth = depths[next];
            next += 1;
            for callee in scan(self, &method, &mut used) {
                if depth < DEPTH && seen.len() < MOST_METHODS && !seen.contains(&callee) {
                    seen.push(callee);
                    depths.push(depth + 1);
                }
            }
        }
        used
    }
}

impl Class {
    /// What the class file says of its own class as a member of another; `None` if it is none. Local and anonymous
    /// classes have an entry without an outer class.
    pub fn as_member(&self) -> Option<&InnerClass> {
        let pool = &self.file.constant_pool;
        self.file
            .inner_classes
            .iter()
            .find(|entry| pool.class_name(entry.inner_class).is_ok_and(|name| name == self.name()))
    }

    /// Whether its objects belong to an object of the class around it.
    pub fn is_inner(&self) -> bool {
        self.as_member().is_some_and(|entry| {
            entry.outer_class != 0 && entry.access_flags & (flags::STATIC | flags::INTERFACE) == 0
        })
    }
}

/// Whether code can use something with such flags, in the package where that is declared or in another one.
pub fn is_visible(access: u16, is_here: bool) -> bool {
    access & flags::PUBLIC != 0 || is_here && access & flags::PRIVATE == 0
}

/// How hard the arguments of a method are to come by.
fn complexity(method: &ResolvedMethod) -> usize {
    let parameters = MethodDescriptor::parse(method.descriptor()).map(|of| of.parameters);
    let of_type = |of: &JavaType| match of {
        JavaType::Object(name) if &**name == "java/lang/String" => 1,
        JavaType::Object(name) if name.starts_with("java/") => 3,
        JavaType::Object(_) => 4,
        JavaType::Array(_) => 2,
        _ => 1,
    };
    parameters.map_or(usize::MAX, |parameters| parameters.iter().map(of_type).sum())
}

/// Notes the fields that the code of a method uses; the project's methods that it calls, as the call names them.
fn scan(program: &Program, method: &ResolvedMethod, used: &mut FieldsUsed) -> Vec<ResolvedMethod> {
    let file = &method.class().file;
    let Ok(Some(code)) = file.code(method.declaration()) else { return Vec::new() };
    let pool = &file.constant_pool;
    let mut callees = Vec::new();
    for instruction in &code.instructions {
        let Operand::Constant(index) = instruction.operand else { continue };
        let opcode = instruction.opcode.byte();
        match opcode {
            op::GETSTATIC | op::PUTSTATIC => {
                let Ok(member) = pool.field(index) else { continue };
                if program.is_project_class(member.class) {
                    used.statics.insert((member.class.into(), member.name.into()));
                }
            }
            op::GETFIELD | op::PUTFIELD => {
                let Ok(member) = pool.field(index) else { continue };
                let field = (Arc::from(member.class), Arc::from(member.name));
                if opcode == op::GETFIELD {
                    used.read.insert(field);
                } else {
                    used.written.insert(field);
                }
            }
            op::INVOKEVIRTUAL | op::INVOKESPECIAL | op::INVOKESTATIC => {
                let Ok(member) = pool.method(index) else { continue };
                if !program.is_project_class(member.class) {
                    continue;
                }
                let class = program.class(member.class).ok();
                let declared = class.and_then(|class| {
                    class
                        .lineage()
                        .find_map(|of| of.declared_method(member.name, member.descriptor))
                });
                callees.extend(declared);
            }
            _ => {}
        }
    }
    callees
}
