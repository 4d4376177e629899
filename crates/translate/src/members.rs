//! Fields, calls, object creation and constants that name classes: instructions that resolve.
//!
//! What the JVM resolves when the instruction first runs is resolved here. A reference that does not
//! resolve becomes a rule that throws the linkage error. Initialisation of a class is a call of its
//! own, made before the access, unless it is certain to have happened.

use petrel_classfile::{Instruction, LoadableConstant, MethodDescriptor, Operand as Immediate, op};
use petrel_clp::{Callee, FieldId, Kind, Literal, MethodId, Operand};
use petrel_program::LinkageError;

use crate::draft::{DraftVariable, NameHint};
use crate::dynamic::{self, Outcome};
use crate::error::{Refusal, refuse};
use crate::walk::{Step, Walk};

impl Walk<'_> {
    fn constant_index(instruction: &Instruction) -> Result<u16, Refusal> {
        match instruction.operand {
            Immediate::Constant(index) => Ok(index),
            _ => refuse("the instruction names no constant"),
        }
    }

    /// The instruction throws a linkage error whenever it runs.
    pub(crate) fn end_with_linkage_error(&mut self, error: LinkageError) -> Result<Step, Refusal> {
        let message = self.text(&error.message);
        self.end_with_exception(error.java_class, message)
    }

    /// Initialises a class unless that is certain to have happened or to do nothing.
    fn initialise(&mut self, class: &str) -> Result<(), Refusal> {
        if self.source.linker.is_surely_initialised(class)? {
            return Ok(());
        }
        let id = self.tables.class(class);
        if self.state.initialised.contains(&id) {
            return Ok(());
        }
        self.call(Callee::Initialise(id), Vec::new(), None)?;
        for class in self.source.linker.superclasses(class)? {
            let id = self.tables.class(&class);
            if let Err(position) = self.state.initialised.binary_search(&id) {
                self.state.initialised.insert(position, id);
            }
        }
        Ok(())
    }

    /// `getstatic` to `putfield`.
    pub(crate) fn access_field(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let index = Self::constant_index(instruction)?;
        let reference = self.source.class.constant_pool.field(index)?;
        let descriptor = reference.descriptor;
        let kind = Kind::of_descriptor(descriptor);
        let opcode = instruction.opcode.byte();
        let is_write = matches!(opcode, op::PUTSTATIC | op::PUTFIELD);
        let is_static = matches!(opcode, op::GETSTATIC | op::PUTSTATIC);
        let mut value = if is_write { vec![self.pop(kind)?] } else { Vec::new() };
        let object = if is_static { None } else { Some(self.pop(Kind::Reference)?) };
        let field = match self.source.linker.field(reference, is_static, is_write)? {
            Ok(field) => field,
            Err(error) => return self.end_with_linkage_error(error),
        };
        let owner = field.class.clone();
        let field = FieldId::from(self.tables.fields.add(field));
        match object {
            Some(mut object) => {
                if self.require_non_null(&mut object, &mut value)? == Step::Done {
                    return Ok(Step::Done);
                }
                match value.first() {
                    Some(&value) => {
                        self.add(Literal::SetField { object, field, value });
                    }
                    None => {
                        let variable =
                            DraftVariable::of_descriptor(descriptor, NameHint::Field(field));
                        self.push_bound(variable, |target| Literal::GetField {
                            target,
                            object,
                            field,
                        });
                    }
                }
            }
            None => {
                // The value survives the call of the initialiser on the stack.
                self.state.stack.extend(&value);
                self.initialise(&owner)?;
                if is_write {
                    let value = self.pop(kind)?;
                    self.add(Literal::SetStatic { field, value });
                } else {
                    let variable = DraftVariable::of_descriptor(descriptor, NameHint::Field(field));
                    self.push_bound(variable, |target| Literal::GetStatic { target, field });
                }
            }
        }
        Ok(Step::Next)
    }

    /// `invokevirtual` to `invokeinterface`.
    pub(crate) fn invoke(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let index = Self::constant_index(instruction)?;
        let reference = self.source.class.constant_pool.method(index)?;
        let opcode = instruction.opcode.byte();
        let descriptor = MethodDescriptor::parse(reference.descriptor)?;
        let is_static = opcode == op::INVOKESTATIC;
        self.check_arguments(&descriptor, is_static)?;
        let (callee, method) = match self.source.linker.method(reference, opcode)? {
            Ok(linked) => linked,
            Err(error) => return self.end_with_linkage_error(error),
        };
        if *method.class == *"java/lang/Object" && *method.name == *"<init>" {
            // It does nothing and cannot throw: every constructor would otherwise start with a call
            // and a choice between its exits.
            let mut receiver = self.pop(Kind::Reference)?;
            return self.require_non_null(&mut receiver, &mut []);
        }
        let owner = method.class.clone();
        let method = MethodId::from(self.tables.methods.add(method));
        if is_static {
            self.initialise(&owner)?;
        }
        self.invoke_method(callee.of(method), &descriptor, is_static, NameHint::Result(method))
    }

    /// The operand stack holds what the call takes.
    fn check_arguments(
        &self,
        descriptor: &MethodDescriptor,
        is_static: bool,
    ) -> Result<(), Refusal> {
        let receiver = (!is_static).then_some(Kind::Reference);
        let kinds: Vec<Kind> = receiver
            .into_iter()
            .chain(descriptor.parameters.iter().map(|p| Kind::of_descriptor(&p.to_string())))
            .collect();
        let Some(start) = self.state.stack.len().checked_sub(kinds.len()) else {
            return refuse("the operand stack holds too few arguments");
        };
        for (&argument, &kind) in self.state.stack[start..].iter().zip(&kinds) {
            if self.kind(argument) != kind {
                return refuse("an argument does not fit the called method");
            }
        }
        Ok(())
    }

    /// Takes the arguments from the stack, calls, and pushes the result.
    fn invoke_method(
        &mut self,
        callee: Callee,
        descriptor: &MethodDescriptor,
        is_static: bool,
        hint: NameHint,
    ) -> Result<Step, Refusal> {
        let count = descriptor.parameters.len() + usize::from(!is_static);
        let start = self.state.stack.len() - count;
        let mut arguments = self.state.stack.split_off(start);
        if let Some((receiver, others)) = arguments.split_first_mut().filter(|_| !is_static)
            && self.require_non_null(receiver, others)? == Step::Done
        {
            return Ok(Step::Done);
        }
        let result = descriptor
            .result
            .as_ref()
            .map(|result| DraftVariable::of_descriptor(&result.to_string(), hint));
        if let Some(result) = self.call(callee, arguments, result)? {
            self.push(result);
        }
        Ok(Step::Next)
    }

    /// A known bootstrap method is replaced by a call of a synthesised method; any other stays a
    /// dynamic call.
    pub(crate) fn invoke_dynamic(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let index = Self::constant_index(instruction)?;
        let pool = &self.source.class.constant_pool;
        let site = pool.invoke_dynamic(index)?;
        let descriptor = MethodDescriptor::parse(site.descriptor)?;
        self.check_arguments(&descriptor, true)?;
        let site = dynamic::site(self.source.class, &site)?;
        let own = self.source.method;
        let number = self.source.class.methods.iter().position(|method| std::ptr::eq(method, own));
        let place = dynamic::Place { method: number.unwrap_or_default(), pc: instruction.pc };
        let callee = match self.source.linker.synthesise_call(&site, index, place)? {
            Outcome::Method(method) => {
                // The class of a lambda is initialised with its interface, if that has default
                // methods.
                self.initialise(&method.class)?;
                Callee::Static(self.tables.methods.add(method).into())
            }
            Outcome::Unknown => Callee::Dynamic(self.tables.dynamics.add(site).into()),
            Outcome::Linkage(error) => return self.end_with_linkage_error(error),
        };
        self.invoke_method(callee, &descriptor, true, NameHint::Word("V"))
    }

    pub(crate) fn new_object(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let index = Self::constant_index(instruction)?;
        let name = self.source.class.constant_pool.class_name(index)?;
        if name.starts_with('[') {
            return refuse("new makes no arrays");
        }
        if let Err(error) = self.source.linker.instantiable(name) {
            return self.end_with_linkage_error(error);
        }
        self.initialise(name)?;
        let class = self.tables.class(name);
        let variable =
            DraftVariable { exact: Some(class), ..DraftVariable::non_null(NameHint::Word("Obj")) };
        self.push_bound(variable, |target| Literal::NewObject { target, class });
        Ok(Step::Next)
    }

    /// `ldc` and its wide forms.
    pub(crate) fn load_constant(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let index = Self::constant_index(instruction)?;
        let reference = DraftVariable::non_null(NameHint::Word("S"));
        match self.source.class.constant_pool.loadable(index)? {
            LoadableConstant::Integer(value) => self.push(Operand::Int(value)),
            LoadableConstant::Float(bits) => self.push(Operand::Float(bits)),
            LoadableConstant::Long(value) => self.push(Operand::Long(value)),
            LoadableConstant::Double(bits) => self.push(Operand::Double(bits)),
            LoadableConstant::String(value) => {
                let string = self.tables.string(value);
                self.push_bound(reference, |target| Literal::LoadString { target, string });
            }
            LoadableConstant::Class(name) => {
                if let Err(error) = self.source.linker.class_exists(name) {
                    return self.end_with_linkage_error(error);
                }
                let class = self.tables.class(name);
                self.push_bound(reference, |target| Literal::LoadClass { target, class });
            }
            LoadableConstant::MethodHandle(handle) => {
                let handle = dynamic::handle(handle);
                if let Some(error) = self.source.linker.unlinked_handle(&handle)? {
                    return self.end_with_linkage_error(error);
                }
                let handle = self.tables.handles.add(handle).into();
                self.push_bound(reference, |target| Literal::LoadMethodHandle { target, handle });
            }
            LoadableConstant::MethodType(descriptor) => {
                if let Some(error) = self.source.linker.unlinked_method_type(descriptor)? {
                    return self.end_with_linkage_error(error);
                }
                let descriptor = self.tables.string(descriptor.into());
                self.push_bound(reference, |target| Literal::LoadMethodType { target, descriptor });
            }
            LoadableConstant::Dynamic(site) => {
                let site = dynamic::site(self.source.class, &site)?;
                return self.load_dynamic_constant(index, site);
            }
        }
        Ok(Step::Next)
    }

    fn load_dynamic_constant(
        &mut self,
        index: u16,
        site: petrel_clp::DynamicSite,
    ) -> Result<Step, Refusal> {
        let kind = Kind::of_descriptor(&site.descriptor);
        let result = Some(DraftVariable::new(kind, NameHint::Word("V")));
        let callee = match self.source.linker.synthesise_constant(&site, index)? {
            Outcome::Method(method) => Callee::Static(self.tables.methods.add(method).into()),
            Outcome::Unknown => Callee::DynamicConstant(self.tables.dynamics.add(site).into()),
            Outcome::Linkage(error) => return self.end_with_linkage_error(error),
        };
        if let Some(value) = self.call(callee, Vec::new(), result)? {
            self.push(value);
        }
        Ok(Step::Next)
    }
}
