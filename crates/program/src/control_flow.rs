//! The control flow of a method, instruction by instruction, with exception edges.
//!
//! A node is an instruction in a context. Almost always there is one context and node `i` is
//! instruction `i`. The old `jsr`/`ret` subroutines (JVMS 6.5) are inlined: each call of a
//! subroutine is a context of its own with its own copy of the subroutine's nodes, `jsr` becomes a
//! jump that pushes a return address and `ret` a jump back to the place that the context knows.

use petrel_classfile::{ClassFileError, Code, Instruction, Operand, op};
use rustc_hash::FxHashMap;

/// A node of the control-flow graph.
pub type NodeId = u32;

/// Inlining subroutines can double the code with every nesting level; real code nests two or three.
const MAX_NODES: usize = 1 << 18;
/// Every call of a subroutine remembers the calls around it.
const MAX_NESTING: usize = 64;

/// A method's control-flow graph. Node 0 is the entry.
#[derive(Debug)]
pub struct ControlFlow<'a> {
    code: &'a Code,
    nodes: Vec<Node>,
    /// Nodes by context and instruction; empty if there is one context only.
    inlined: FxHashMap<(u32, u32), NodeId>,
    protection: Protection,
}

#[derive(Debug, Clone)]
struct Node {
    instruction: u32,
    context: u32,
    next: Option<NodeId>,
    targets: Vec<NodeId>,
}

/// A subroutine call that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Subroutine {
    entry: u32,
    return_to: u32,
    /// Local variable that holds the return address, if the subroutine starts by storing it.
    slot: Option<u16>,
}

impl<'a> ControlFlow<'a> {
    /// The control flow of a method's code.
    pub fn of(code: &'a Code) -> Result<ControlFlow<'a>, ClassFileError> {
        let has_subroutines = code
            .instructions
            .iter()
            .any(|i| matches!(i.opcode.byte(), op::JSR | op::JSR_W | op::RET));
        if has_subroutines { Inliner::new(code)?.run() } else { Self::plain(code) }
    }

    fn plain(code: &'a Code) -> Result<ControlFlow<'a>, ClassFileError> {
        let mut nodes = Vec::with_capacity(code.instructions.len());
        for (index, instruction) in code.instructions.iter().enumerate() {
            let mut targets = Vec::new();
            instruction.for_each_target(|target| {
                targets.extend(code.index_of(target).map(|target| target as NodeId));
            });
            // Old code may end in instructions that nothing leads to, so that falling off the end
            // is for whoever gets there to refuse.
            let next =
                following(code, index as u32).filter(|_| falls_through(instruction.opcode.byte()));
            nodes.push(Node { instruction: index as u32, context: 0, next, targets });
        }
        let protection = Protection::of(code)?;
        Ok(ControlFlow { code, nodes, inlined: FxHashMap::default(), protection })
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes, which no parsed code has.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The code that the graph is of.
    pub fn code(&self) -> &'a Code {
        self.code
    }

    /// The instruction of a node.
    pub fn instruction(&self, node: NodeId) -> &'a Instruction {
        &self.code.instructions[self.nodes[node as usize].instruction as usize]
    }

    /// The node that follows when the instruction neither jumps nor throws.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node as usize].next
    }

    /// The nodes that the instruction jumps to, the default of a switch first; `jsr` and `ret` jump.
    pub fn targets(&self, node: NodeId) -> &[NodeId] {
        &self.nodes[node as usize].targets
    }

    /// The handlers that cover a node, in the order in which they are tried: caught type (0 for
    /// all) and first node.
    pub fn handlers(&self, node: NodeId) -> impl Iterator<Item = (u16, NodeId)> + '_ {
        let Node { instruction, context, .. } = self.nodes[node as usize];
        self.protection.handlers(self.code.instructions[instruction as usize].pc).iter().filter_map(
            move |&(catch_type, target)| {
                let target = if self.inlined.is_empty() {
                    Some(target)
                } else {
                    self.inlined.get(&(context, target)).copied()
                };
                target.map(|target| (catch_type, target))
            },
        )
    }
}

/// Which handlers cover which instructions: the exception table cut into segments in which nothing
/// changes, so that asking does not search the whole table.
#[derive(Debug, Default)]
struct Protection {
    /// Where each segment starts, ascending, and its handlers: caught type and instruction.
    segments: Vec<(u16, Vec<(u16, u32)>)>,
}

/// Ranges of real code nest a few levels deep. A table in which thousands of ranges overlap in
/// thousands of places is made to hurt.
const MAX_PROTECTION: usize = 1 << 20;

impl Protection {
    fn of(code: &Code) -> Result<Protection, ClassFileError> {
        let mut starts: Vec<u16> =
            code.handlers.iter().flat_map(|handler| [handler.start, handler.end]).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut segments: Vec<(u16, Vec<(u16, u32)>)> =
            starts.into_iter().map(|start| (start, Vec::new())).collect();
        let mut total = 0;
        for handler in &code.handlers {
            let Some(target) = code.index_of(handler.handler) else {
                continue;
            };
            let entry = (handler.catch_type, target as u32);
            let first = segments.partition_point(|segment| segment.0 < handler.start);
            let last = segments.partition_point(|segment| segment.0 < handler.end);
            total += last - first;
            if total > MAX_PROTECTION {
                return Err(ClassFileError::new(
                    "the ranges of the exception table overlap too often",
                ));
            }
            for (_, handlers) in &mut segments[first..last] {
                // Of several handlers for one type, and behind one for all, only the first runs. A
                // look at the nearest ones finds what compilers write.
                let shadowed = |&(caught, _): &(u16, u32)| caught == 0 || caught == entry.0;
                if !handlers.iter().rev().take(8).any(shadowed) {
                    handlers.push(entry);
                }
            }
        }
        Ok(Protection { segments })
    }

    fn handlers(&self, pc: u16) -> &[(u16, u32)] {
        let after = self.segments.partition_point(|segment| segment.0 <= pc);
        after.checked_sub(1).map_or(&[], |segment| &self.segments[segment].1)
    }
}

/// The instruction behind another one.
fn following(code: &Code, index: u32) -> Option<u32> {
    (index as usize + 1 < code.instructions.len()).then_some(index + 1)
}

/// Whether control can go on at the next instruction.
pub fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        op::GOTO
            | op::GOTO_W
            | op::JSR
            | op::JSR_W
            | op::RET
            | op::TABLESWITCH
            | op::LOOKUPSWITCH
            | op::IRETURN..=op::RETURN | op::ATHROW
    )
}

/// Whether the JVM can throw at an instruction, errors of the machine itself (`StackOverflowError`,
/// `OutOfMemoryError`) apart.
pub fn can_throw(opcode: u8) -> bool {
    matches!(
        opcode,
        op::LDC..=op::LDC2_W
            | op::IALOAD..=op::SALOAD
            | op::IASTORE..=op::SASTORE
            | op::IDIV
            | op::LDIV
            | op::IREM
            | op::LREM
            | op::GETSTATIC..=op::MONITOREXIT
            | op::MULTIANEWARRAY
    )
}

/// Builds the graph of a method with subroutines, one context per stack of subroutine calls.
struct Inliner<'a> {
    code: &'a Code,
    nodes: Vec<Node>,
    inlined: FxHashMap<(u32, u32), NodeId>,
    contexts: Vec<Vec<Subroutine>>,
    context_numbers: FxHashMap<Vec<Subroutine>, u32>,
    open: Vec<NodeId>,
    protection: Protection,
}

impl<'a> Inliner<'a> {
    fn new(code: &'a Code) -> Result<Self, ClassFileError> {
        Ok(Inliner {
            protection: Protection::of(code)?,
            code,
            nodes: Vec::new(),
            inlined: FxHashMap::default(),
            contexts: vec![Vec::new()],
            context_numbers: [(Vec::new(), 0)].into_iter().collect(),
            open: Vec::new(),
        })
    }

    fn run(mut self) -> Result<ControlFlow<'a>, ClassFileError> {
        self.node(0, 0)?;
        while let Some(node) = self.open.pop() {
            let pc = self.code.instructions[self.nodes[node as usize].instruction as usize].pc;
            self.expand(node).map_err(|error| error.within(format!("instruction {pc}")))?;
        }
        let Inliner { code, nodes, inlined, protection, .. } = self;
        Ok(ControlFlow { code, nodes, inlined, protection })
    }

    fn node(&mut self, context: u32, instruction: u32) -> Result<NodeId, ClassFileError> {
        if let Some(&node) = self.inlined.get(&(context, instruction)) {
            return Ok(node);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(ClassFileError::new("the subroutines are nested too deeply to be inlined"));
        }
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node { instruction, context, next: None, targets: Vec::new() });
        self.inlined.insert((context, instruction), node);
        self.open.push(node);
        Ok(node)
    }

    fn context(&mut self, stack: Vec<Subroutine>) -> u32 {
        let number = self.contexts.len() as u32;
        *self.context_numbers.entry(stack).or_insert_with_key(|stack| {
            self.contexts.push(stack.clone());
            number
        })
    }

    fn expand(&mut self, node: NodeId) -> Result<(), ClassFileError> {
        let Node { instruction: index, context, .. } = self.nodes[node as usize];
        let instruction = &self.code.instructions[index as usize];
        let mut targets = Vec::new();
        match (instruction.opcode.byte(), &instruction.operand) {
            (op::JSR | op::JSR_W, &Operand::Target(entry)) => {
                let entry = self.code.index_of(entry).unwrap_or_default() as u32;
                let return_to = following(self.code, index).ok_or_else(|| {
                    ClassFileError::new("a subroutine is called at the end of the code")
                })?;
                targets.push(self.enter(context, entry, return_to)?);
            }
            (op::RET, &Operand::Local(slot)) => targets.push(self.leave(context, slot)?),
            _ => {
                let mut jumps = Vec::new();
                instruction.for_each_target(|target| jumps.extend(self.code.index_of(target)));
                for target in jumps {
                    targets.push(self.node(context, target as u32)?);
                }
            }
        }
        if falls_through(instruction.opcode.byte()) {
            let next = following(self.code, index);
            let next = next.map(|next| self.node(context, next)).transpose()?;
            self.nodes[node as usize].next = next;
        }
        self.nodes[node as usize].targets = targets;
        for number in 0..self.protection.handlers(instruction.pc).len() {
            let (_, target) = self.protection.handlers(instruction.pc)[number];
            self.node(context, target)?;
        }
        Ok(())
    }

    fn enter(
        &mut self,
        context: u32,
        entry: u32,
        return_to: u32,
    ) -> Result<NodeId, ClassFileError> {
        let mut stack = self.contexts[context as usize].clone();
        // No subroutine calls itself, so that one whose entry is on the stack was left by a jump, and
        // those above it too.
        if let Some(left) = stack.iter().position(|subroutine| subroutine.entry == entry) {
            stack.truncate(left);
        }
        if stack.len() >= MAX_NESTING {
            return Err(ClassFileError::new("the subroutines are nested too deeply to be inlined"));
        }
        let first = &self.code.instructions[entry as usize];
        let stores_address =
            matches!(first.opcode.byte(), op::ASTORE | op::ASTORE_0..=op::ASTORE_3);
        let slot = first.local().filter(|_| stores_address).map(|(slot, _)| slot);
        stack.push(Subroutine { entry, return_to, slot });
        let context = self.context(stack);
        self.node(context, entry)
    }

    /// Returns from the subroutine whose return address the slot holds. Inner subroutines that were
    /// left by a jump end with it.
    fn leave(&mut self, context: u32, slot: u16) -> Result<NodeId, ClassFileError> {
        let mut stack = self.contexts[context as usize].clone();
        // One that does not start by storing its address may have put it anywhere.
        let storing = stack.iter().rposition(|subroutine| subroutine.slot == Some(slot));
        let unknown = || stack.iter().rposition(|subroutine| subroutine.slot.is_none());
        if let Some(number) = storing.or_else(unknown) {
            let return_to = stack[number].return_to;
            stack.truncate(number);
            let context = self.context(stack);
            return self.node(context, return_to);
        }
        Err(ClassFileError::new(format!("ret {slot} belongs to no subroutine call")))
    }
}

#[cfg(test)]
mod tests {
    use petrel_classfile::writer::ClassWriter;
    use petrel_classfile::{ClassFile, flags};

    use super::*;

    /// Number of nodes of the control flow of a method with this code.
    fn nodes(bytes: &[u8]) -> Result<usize, String> {
        let mut class = ClassWriter::new(flags::PUBLIC, "a/A", "java/lang/Object", &[]);
        class.method(flags::STATIC, "m", "()V", 9, |code| {
            for &byte in bytes {
                code.op(byte);
            }
        });
        let class = ClassFile::parse(class.finish().unwrap()).unwrap();
        let code = class.code(&class.methods[0]).unwrap().unwrap();
        ControlFlow::of(&code).map(|flow| flow.len()).map_err(|error| error.reason)
    }

    /// A subroutine that calls the next one, and so on.
    fn nested(depth: usize) -> Vec<u8> {
        let mut code = vec![op::JSR, 0, 4, op::RETURN];
        code.extend([op::ASTORE_0, op::JSR, 0, 5, op::RET, 0].repeat(depth - 1));
        code.extend([op::ASTORE_0, op::RET, 0]);
        code
    }

    #[test]
    fn a_subroutine_is_copied_for_each_call() {
        let code = [op::JSR, 0, 7, op::JSR, 0, 4, op::RETURN, op::ASTORE_0, op::RET, 0];
        assert_eq!(nodes(&code), Ok(3 + 2 * 2));
    }

    #[test]
    fn subroutines_nest_only_so_deep() {
        assert_eq!(nodes(&nested(MAX_NESTING)), Ok(2 + 3 * MAX_NESTING - 1));
        let error = "the subroutines are nested too deeply to be inlined";
        assert_eq!(nodes(&nested(MAX_NESTING + 1)), Err(error.to_owned()));
    }
}
