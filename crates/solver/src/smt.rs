//! Any SMT-LIB 2 solver over a pipe, such as `z3 -in`: a second opinion on the same questions.
//!
//! One process answers all queries about integers, another one all others, each in a scope of its own: that is several times faster than to
//! reset the solver. A process that dies or answers nonsense gives no answer, and the next query
//! starts a new one. A budget of its own belongs to the
//! command (`z3 -in rlimit=100000`); when the alarm of a purse is raised, the process is ended.

mod reals;
mod script;
mod values;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use petrel_budget::{Alarm, Listener, Purse};

use crate::answer::{Answer, Complete};
use crate::constraint::Constraint;
use crate::query::{default_model, is_model};
use crate::term::Terms;

pub use script::smt_lib;
use script::{Logic, Script};

/// Why a solver cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// The command has no words.
    #[error("no command for an SMT-LIB solver is given")]
    NoCommand,
    /// The process does not start, or ends at once.
    #[error("the SMT-LIB solver `{command}` cannot be run")]
    Run {
        /// The command.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// The process runs, but does not answer as a solver would.
    #[error("`{command}` does not answer as an SMT-LIB solver, but says `{answer}`")]
    Answer {
        /// The command.
        command: String,
        /// What it said.
        answer: String,
    },
}

/// A complete decision procedure that asks an SMT-LIB 2 solver.
#[derive(Debug)]
pub struct SmtProcess {
    command: String,
    /// `None` after a failure.
    process: Option<Process>,
    /// A process for queries that are not about integers alone; `None` before the first, and after a failure.
    for_reals: Option<Process>,
    purse: Purse,
}

/// So many bytes of a query are a unit of work: it has to be read, and what comes of it is not known.
const BYTES_OF_WORK: usize = 8;

impl SmtProcess {
    /// Starts a solver that reads from its standard input. The command is split at blanks. It is ended when the alarm
    /// of the purse is raised.
    pub fn start(command: &str, purse: &Purse) -> Result<SmtProcess, SmtError> {
        let process = Some(Process::start(command, Logic::Integers, purse.alarm())?);
        let (command, purse) = (command.to_owned(), purse.clone());
        Ok(SmtProcess { command, process, for_reals: None, purse })
    }
}

impl Complete for SmtProcess {
    fn check(&mut self, terms: &Terms, constraints: &[Constraint]) -> Answer {
        let Ok(script) = Script::of(terms, constraints) else { return Answer::Unknown };
        if self.purse.is_over() {
            return Answer::Unknown;
        }
        self.purse.spend((script.text.len() / BYTES_OF_WORK) as u64);
        let place = match script.logic {
            Logic::Integers => &mut self.process,
            Logic::Reals => &mut self.for_reals,
        };
        let process = match place.take() {
            Some(process) => Ok(process),
            None => Process::start(&self.command, script.logic, self.purse.alarm()),
        };
        let Ok(mut process) = process else { return Answer::Unknown };
        let listener = process.end_by(self.purse.alarm());
        let answer = process.ask(terms, &script);
        drop(listener);
        match answer {
            Ok(answer) => {
                *place = Some(process);
                if let Answer::Satisfiable(model) = &answer
                    && !is_model(terms, constraints, model)
                {
                    return Answer::Unknown;
                }
                answer
            }
            // Dropping the process ends it.
            Err(_) => Answer::Unknown,
        }
    }

    fn pay_from(&mut self, purse: &Purse) {
        self.purse = purse.clone();
    }
}

/// A running solver.
#[derive(Debug)]
struct Process {
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start(command: &str, logic: Logic, alarm: &Alarm) -> Result<Process, SmtError> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or(SmtError::NoCommand)?;
        let cannot_run = |source| SmtError::Run { command: command.to_owned(), source };
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(cannot_run)?;
        let input = child.stdin.take().expect("the input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        let mut process = Process { child: Arc::new(Mutex::new(child)), input, output };
        let _listener = process.end_by(alarm);
        process
            .send(&format!(
                "(set-option :produce-models true)\n(set-logic {})\n(check-sat)\n",
                logic.name()
            ))
            .map_err(cannot_run)?;
        let answer = process.line().map_err(cannot_run)?;
        if answer != "sat" {
            return Err(SmtError::Answer { command: command.to_owned(), answer });
        }
        Ok(process)
    }

    /// Ends the process when an alarm is raised, so that nobody waits for it any more.
    fn end_by(&self, alarm: &Alarm) -> Listener {
        let child = Arc::clone(&self.child);
        alarm.on_raise(move |_| end(&child))
    }

    fn ask(&mut self, terms: &Terms, script: &Script) -> io::Result<Answer> {
        self.send(&format!("(push 1)\n{}(check-sat)\n", script.text))?;
        let answer = match self.line()?.as_str() {
            "sat" => Answer::Satisfiable(self.model(terms, script)?),
            "unsat" => Answer::Unsatisfiable,
            "unknown" => Answer::Unknown,
            other => return Err(nonsense(other)),
        };
        self.send("(pop 1)\n")?;
        Ok(answer)
    }

    /// Asks for the values of the unknowns.
    fn model(&mut self, terms: &Terms, script: &Script) -> io::Result<Vec<i64>> {
        let mut model = default_model(terms);
        // The language has no question for no values.
        if !script.unknowns.is_empty() {
            self.send(&script.get_values())?;
            let reply = self.expression()?;
            values::read(&reply, script, terms, &mut model).ok_or_else(|| nonsense(&reply))?;
        }
        Ok(model)
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }

    /// The next line that is not empty.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        while line.trim().is_empty() {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(line.trim().to_owned())
    }

    /// The next lines, until all brackets are closed.
    fn expression(&mut self) -> io::Result<String> {
        let mut text = self.line()?;
        while text.matches('(').count() > text.matches(')').count() {
            text.push(' ');
            text.push_str(&self.line()?);
        }
        Ok(text)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&self.child);
    }
}

fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    // A process that ended already cannot be ended, which is as good.
    let _ = child.kill();
    let _ = child.wait();
}

fn nonsense(answer: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, answer)
}
