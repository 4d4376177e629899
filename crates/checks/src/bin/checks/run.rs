//! Runs test binaries, as many at once as there are cores.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use petrel_checks::SAMPLE;
use serde_json::Value as Json;

use crate::binaries::Binary;

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Well.
    Passed,
    /// Not well.
    Failed,
    /// It was left out by an attribute.
    Ignored,
    /// It did not end before its process did.
    Lost,
}

/// What came of a test.
#[derive(Debug)]
pub(crate) struct Tested {
    /// The name of the binary, and the path of the function.
    pub(crate) name: String,
    /// How it ended.
    pub(crate) end: End,
    /// How long it took.
    pub(crate) seconds: f64,
    /// How long processors worked for it, those that its processes ran on included, where the system tells.
    pub(crate) work: Option<f64>,
    /// What it printed.
    pub(crate) output: String,
}

impl Tested {
    /// What it says of its samples.
    pub(crate) fn samples(&self) -> impl Iterator<Item = &str> {
        self.output.lines().filter_map(|line| line.strip_prefix(SAMPLE))
    }
}

/// What came of all tests.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The tests, in the order of their names.
    pub(crate) tests: Vec<Tested>,
    /// Binaries.
    pub(crate) n_binaries: usize,
    /// Binaries that ended otherwise than their tests say, and how.
    pub(crate) broken: Vec<String>,
    /// How long all of it took.
    pub(crate) elapsed: Duration,
}

/// Runs the tests that have one of the filters in their names, or all.
pub(crate) fn run(binaries: &[Binary], filters: &[String]) -> Result<Ended, String> {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let all = Mutex::new((Vec::new(), Vec::new()));
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                while let Some(binary) = binaries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let (tests, problem) = execute(binary, filters);
                    show(binary, &tests, problem.as_deref(), began.elapsed());
                    let mut all = all.lock().expect("no worker panics");
                    all.0.extend(tests);
                    all.1.extend(problem.map(|problem| format!("{}: {problem}", binary.name())));
                }
            });
        }
    });
    let (mut tests, broken) = all.into_inner().map_err(|_| "a worker panicked".to_owned())?;
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Ended { tests, n_binaries: binaries.len(), broken, elapsed: started.elapsed() })
}

fn show(binary: &Binary, tests: &[Tested], problem: Option<&str>, elapsed: Duration) {
    if tests.is_empty() && problem.is_none() {
        return;
    }
    let is_bad = |test: &&Tested| matches!(test.end, End::Failed | End::Lost);
    let bad = tests.iter().filter(is_bad).count();
    let verdict = if bad > 0 || problem.is_some() { "FAILED" } else { "ok" };
    let (name, n_tests, seconds) = (binary.name(), tests.len(), elapsed.as_secs_f64());
    println!("{verdict:>6} {seconds:7.1} s  {name}: {n_tests} tests, {bad} failed");
}

/// What came of the tests of a binary, and what went wrong besides.
fn execute(binary: &Binary, filters: &[String]) -> (Vec<Tested>, Option<String>) {
    match try_execute(binary, filters) {
        Ok(done) => done,
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}

fn try_execute(
    binary: &Binary,
    filters: &[String],
) -> std::io::Result<(Vec<Tested>, Option<String>)> {
    // What is not captured goes to a file, so that nothing waits for a reader.
    let mut messages = tempfile()?;
    let mut child =
        binary.command().args(filters).stderr(Stdio::from(messages.try_clone()?)).spawn()?;
    let mut events = Events::default();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            events.add(&binary.name(), &line, work_of(child.id()));
        }
    }
    let status = child.wait()?;
    let lost = events.running.len();
    let mut tests = events.ended;
    tests.extend(events.running.into_iter().map(|(name, (began, _))| Tested {
        name,
        end: End::Lost,
        seconds: began.elapsed().as_secs_f64(),
        work: None,
        output: String::new(),
    }));
    let has_failed = tests.iter().any(|test| test.end == End::Failed);
    if lost == 0 && (status.success() || has_failed) {
        return Ok((tests, None));
    }
    let mut text = String::new();
    messages.rewind()?;
    messages.read_to_string(&mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    let last = &lines[lines.len().saturating_sub(30)..];
    Ok((tests, Some(format!("{status}\n{}", last.join("\n")))))
}

/// The seconds that processors have worked for a process and for those of its children that have ended, as `/proc` tells.
fn work_of(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, which is in parentheses, may have anything in it.
    let (_, fields) = text.rsplit_once(')')?;
    let ticks: Vec<u64> =
        fields.split_whitespace().skip(11).take(4).map_while(|field| field.parse().ok()).collect();
    // Linux tells all programs hundredths of seconds.
    (ticks.len() == 4).then(|| ticks.iter().sum::<u64>() as f64 / 100.0)
}

/// A file without a name.
fn tempfile() -> std::io::Result<File> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("petrel-checks-{}-{number}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(path)?;
    Ok(file)
}

/// What a test binary has told so far.
#[derive(Default)]
struct Events {
    ended: Vec<Tested>,
    /// When tests began, and what had been worked by then.
    running: BTreeMap<String, (Instant, Option<f64>)>,
}

impl Events {
    /// Takes a line, and what has been worked up to it.
    fn add(&mut self, binary: &str, line: &str, work: Option<f64>) {
        // Whatever else a test prints past the capture is no message.
        let Ok(event) = serde_json::from_str::<Json>(line) else { return };
        let (Some("test"), Some(name)) = (event["type"].as_str(), event["name"].as_str()) else {
            return;
        };
        let name = format!("{binary} {name}");
        let end = match event["event"].as_str() {
            Some("ok") => End::Passed,
            Some("failed") => End::Failed,
            Some("ignored") => End::Ignored,
            Some("started") => {
                self.running.insert(name, (Instant::now(), work));
                return;
            }
            _ => return,
        };
        let before = self.running.remove(&name).and_then(|(_, work)| work);
        let work = work.zip(before).map(|(work, before)| work - before);
        let seconds = event["exec_time"].as_f64().unwrap_or_default();
        let output = event["stdout"].as_str().or(event["message"].as_str()).unwrap_or_default();
        self.ended.push(Tested { name, end, seconds, work, output: output.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_libtest_tell_what_came_of_tests() {
        let (mut events, mut work) = (Events::default(), 0.0);
        for line in [
            r#"{ "type": "suite", "event": "started", "test_count": 2 }"#,
            r#"{ "type": "test", "event": "started", "name": "a::b" }"#,
            "something that a test printed",
            r#"{ "type": "test", "name": "a::b", "event": "ok", "exec_time": 1.5, "stdout": "x\nsample: 1 of 2 y\n" }"#,
            r#"{ "type": "test", "event": "started", "name": "c" }"#,
            r#"{ "type": "test", "name": "c", "event": "failed", "exec_time": 0.5, "stdout": "why" }"#,
            r#"{ "type": "test", "event": "started", "name": "d" }"#,
        ] {
            work += 0.25;
            events.add("bin", line, Some(work));
        }
        let told: Vec<_> = events.ended.iter().map(|test| (&*test.name, test.end)).collect();
        assert_eq!(told, [("bin a::b", End::Passed), ("bin c", End::Failed)]);
        assert_eq!((events.ended[0].seconds, events.ended[0].work), (1.5, Some(0.5)));
        assert_eq!(events.ended[0].samples().collect::<Vec<_>>(), ["1 of 2 y"]);
        assert_eq!(events.ended[1].output, "why");
        assert!(events.running.contains_key("bin d"));
    }

    #[test]
    fn a_process_that_works_has_worked() {
        let own = std::process::id();
        let before = work_of(own);
        let started = Instant::now();
        while started.elapsed() < Duration::from_millis(50) {}
        assert!(work_of(own) >= before);
        assert_eq!(before.is_some(), cfg!(target_os = "linux"));
    }
}
