//! The guards of a predicate's rules.

use super::*;

impl Generator<'_> {
    /// Splits a path by questions.
    pub(super) fn decide(&mut self, predicate: usize, path: Path, depth: usize) -> Vec<Path> {
        let untested_exit = path.variables.iter().position(|v| v.kind == Kind::Exit);
        let tested = |guard: &Guard| matches!(guard, Guard::Returned(_) | Guard::Threw(..));
        if let Some(exit) = untested_exit
            && !path.guards.iter().any(tested)
        {
            let exit = VarId(exit as u32);
            let mut returned = path.clone();
            returned.guards.push(Guard::Returned(exit));
            let mut threw = path;
            threw.hidden = self.results[predicate];
            let exception = VarId(threw.variables.len() as u32);
            let claimed = self.weaker(Facts::NON_NULL);
            let variable = self.variable(&threw.variables, Kind::Reference, claimed);
            threw.variables.push(variable);
            threw.known.push(Facts::NON_NULL);
            threw.guards.push(Guard::Threw(exit, exception));
            let mut paths = self.decide(predicate, returned, depth);
            paths.extend(self.decide(predicate, threw, depth));
            return paths;
        }
        if depth == 0 || !self.choices.flag() {
            return vec![path];
        }
        let answers = self.question(&path);
        if answers.is_empty() {
            return vec![path];
        }
        let mut paths = Vec::new();
        for answer in answers {
            let mut path = path.clone();
            if let Guard::NonNull(Operand::Variable(v)) | Guard::Instance(Operand::Variable(v), _) =
                answer
            {
                path.known[v.0 as usize].non_null = true;
            }
            path.guards.push(answer);
            paths.extend(self.decide(predicate, path, depth - 1));
        }
        paths
    }

    /// The answers to a question that the path has not asked yet.
    pub(super) fn question(&mut self, path: &Path) -> Vec<Guard> {
        let guard = match self.choices.below(8) {
            0 => {
                let kind = self.choices.of(&ARITHMETIC);
                let comparison = self.choices.of(&Comparison::ALL);
                let float = matches!(kind, ArithmeticKind::Float | ArithmeticKind::Double);
                let Some(left) = self.usable(path, kind.into(), false) else {
                    return Vec::new();
                };
                Guard::Compare {
                    kind,
                    comparison,
                    left,
                    right: self.operand(path, kind.into()),
                    nan: float && self.choices.flag(),
                }
            }
            1 => return self.switch(path),
            2 => match self.usable(path, Kind::Reference, false) {
                Some(operand) => Guard::IsNull(operand),
                None => return Vec::new(),
            },
            3 => Guard::Same(
                self.operand(path, Kind::Reference),
                self.operand(path, Kind::Reference),
            ),
            4 => match self.usable(path, Kind::Reference, true) {
                Some(array) => Guard::InBounds { array, index: self.operand(path, Kind::Int) },
                None => return Vec::new(),
            },
            5 => match self.usable(path, Kind::Reference, true) {
                Some(array) => {
                    Guard::NotStorable { array, value: self.operand(path, Kind::Reference) }
                }
                None => return Vec::new(),
            },
            kind => {
                let class = self.choices.of(&CLASSES);
                let class = self.procedure.tables.class(class);
                match self.usable(path, Kind::Reference, false) {
                    Some(operand) if kind == 6 => Guard::Castable(operand, class),
                    Some(operand) => Guard::NotInstance(operand, class),
                    None => return Vec::new(),
                }
            }
        };
        let other = guard.negated().unwrap();
        if path.guards.contains(&guard) || path.guards.contains(&other) {
            return Vec::new();
        }
        if self.choices.flag() { vec![guard, other] } else { vec![other, guard] }
    }

    pub(super) fn switch(&mut self, path: &Path) -> Vec<Guard> {
        let operand = self.operand(path, Kind::Int);
        let asked = |guard: &Guard| match guard {
            Guard::OneOf(other, _) | Guard::NoneOf(other, _) => *other == operand,
            _ => false,
        };
        if path.guards.iter().any(asked) {
            return Vec::new();
        }
        let mut answers = Vec::new();
        let mut all = Vec::new();
        for case in 0..self.choices.below(4) as i32 {
            let values =
                if self.choices.flag() { vec![case - 1] } else { vec![case - 1, case + 100] };
            all.extend(&values);
            answers.push(Guard::OneOf(operand, values));
        }
        all.sort_unstable();
        answers.push(Guard::NoneOf(operand, all));
        answers
    }

    /// A variable of this kind.
    pub(super) fn usable(&mut self, path: &Path, kind: Kind, non_null: bool) -> Option<Operand> {
        let candidates: Vec<usize> = (0..path.variables.len())
            .filter(|&index| path.variables[index].kind == kind && path.hidden != Some(index))
            .filter(|&index| path.known[index].non_null || !non_null)
            .collect();
        if candidates.is_empty() {
            return None;
        }
        let index = self.choices.of(&candidates);
        Some(Operand::Variable(VarId(index as u32)))
    }

    /// A variable or constant of this kind.
    pub(super) fn operand(&mut self, path: &Path, kind: Kind) -> Operand {
        if self.choices.flag()
            && let Some(operand) = self.usable(path, kind, false)
        {
            return operand;
        }
        match kind {
            Kind::Int | Kind::Exit => Operand::Int(int(&mut self.choices)),
            Kind::Long => Operand::Long(self.choices.of(&[0, 1, -1, i64::MIN, i64::MAX])),
            Kind::Float => Operand::Float(float(&mut self.choices)),
            Kind::Double => Operand::Double(double(&mut self.choices)),
            Kind::Reference => Operand::Null,
        }
    }
}
