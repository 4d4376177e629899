//! Classes, driven by random calls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use petrel_budget::Alarm;
use petrel_classfile::ClassFile;
use petrel_classpath::Jdk;
use petrel_replay::{ReplayError, compile_once};
use petrel_testcase::Edge;
use petrel_wall::{Allowance, Wall};

use crate::constants::Constants;
use crate::error::RefuterError;
use crate::instrument::{Instrumented, instrument};
use crate::process::Process;
use crate::taken::{Taken, TakenClass};
use crate::wire::{Event, Request};

macro_rules! sources {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../java/", $name)))),*]
    };
}

const SOURCES: [(&str, &str); 19] = sources![
    "Chance.java",
    "Constants.java",
    "Driver.java",
    "Expired.java",
    "Library.java",
    "Loader.java",
    "Made.java",
    "Numbers.java",
    "Pool.java",
    "Probe.java",
    "Record.java",
    "Request.java",
    "Step.java",
    "Strings.java",
    "Stub.java",
    "Target.java",
    "Texts.java",
    "Values.java",
    "World.java"
];

/// A process that ends again and again is not started for ever.
const MOST_STARTS: usize = 40;
/// What a process may take to start and to end, besides the time for its calls.
const GRACE: Duration = Duration::from_secs(20);

/// What JVMs are started with.
#[derive(Debug, Clone)]
pub struct RefuterOptions {
    /// The folder of the JDK.
    pub java_home: PathBuf,
    /// Its version.
    pub feature_version: u16,
    /// Folders and jars with the classes, as absolute paths.
    pub class_path: Vec<PathBuf>,
    /// How long a call may take before its probes end it.
    pub call_time: Duration,
    /// How long a call may take before the process is given up.
    pub hang_time: Duration,
    /// The Java heap.
    pub heap_megabytes: u32,
    /// Whether only public members of public classes are called, and not all that code of the package can call.
    pub public_only: bool,
    /// Whether stubs are as docs/decisions/012 has them: they throw nothing, keep the contract of comparators, and implement
    /// only what no class of the class path does.
    pub keep_premises: bool,
    /// The wall that the JVM is behind, and what it may do there; without one, it has the rights of this process.
    pub wall: Option<(Wall, Allowance)>,
    /// Ends everything.
    pub alarm: Alarm,
}

/// The addresses that a JVM takes besides its heap.
const OTHER_ADDRESSES: u64 = 4 << 30;
/// What a JVM says about itself when it breaks down.
const FILE_SIZE: u64 = 1 << 20;
/// A JVM has about twenty threads of its own, and more on machines with many cores.
const PROCESSES: u64 = 1024;

impl RefuterOptions {
    /// Puts JVMs behind a wall: they write nothing.
    pub fn behind(&mut self, wall: Wall) {
        let allowance = Allowance {
            writable: Vec::new(),
            address_space: (u64::from(self.heap_megabytes) << 20) + OTHER_ADDRESSES,
            file_size: FILE_SIZE,
            processes: PROCESSES,
        };
        self.wall = Some((wall, allowance));
    }

    /// The usual options for a JDK and a class path.
    pub fn new(jdk: &Jdk, class_path: Vec<PathBuf>) -> RefuterOptions {
        RefuterOptions {
            java_home: jdk.home().to_owned(),
            feature_version: jdk.feature_version(),
            class_path,
            call_time: Duration::from_millis(200),
            hang_time: Duration::from_millis(1_500),
            heap_megabytes: 256,
            public_only: false,
            keep_premises: false,
            wall: None,
            alarm: Alarm::default(),
        }
    }
}

/// A class that is driven.
#[derive(Debug, Clone)]
pub struct TargetClass {
    /// Its internal name.
    pub name: String,
    /// Its class file.
    pub bytes: Arc<[u8]>,
}

/// Branches that somebody would like to see taken, by class and method: they are tried more often.
pub type Wanted = BTreeMap<(String, String), BTreeSet<Edge>>;

/// How much is tried.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// What chance follows from.
    pub seed: u64,
    /// Calls at most.
    pub calls: u64,
    /// Time at most.
    pub time: Duration,
}

/// Drives classes in JVMs.
#[derive(Debug)]
pub struct Refuter {
    options: RefuterOptions,
    /// The folder with the classes of the Java side.
    java_side: PathBuf,
}

impl Refuter {
    /// Compiles the Java side, if that was not done before.
    ///
    /// # Errors
    ///
    /// If there is no JDK that does it.
    pub fn start(options: RefuterOptions) -> Result<Refuter, RefuterError> {
        let java_side = compile_once(
            &options.java_home,
            options.feature_version,
            "refuter",
            &SOURCES,
            &options.alarm,
        )?;
        Ok(Refuter { options, java_side })
    }

    /// Drives classes: random calls of their methods, with objects of them and of helpers, which are other classes of the class
    /// path. What ends the process costs a restart, and is not called again.
    ///
    /// # Errors
    ///
    /// If a class file is malformed, or no JVM starts.
    pub fn drive(
        &self,
        targets: &[TargetClass],
        helpers: &[TargetClass],
        wanted: &Wanted,
        effort: Effort,
    ) -> Result<Taken, RefuterError> {
        let started = Instant::now();
        let mut run = Run::new(targets, helpers)?;
        let mut banned: Vec<String> = Vec::new();
        for number in 0..MOST_STARTS {
            let left = effort.time.saturating_sub(started.elapsed());
            let calls_left = effort.calls.saturating_sub(run.taken.calls);
            if left.is_zero() || calls_left == 0 {
                break;
            }
            let effort = Effort {
                seed: effort.seed.wrapping_add(number as u64 * 1_000_003),
                calls: calls_left,
                time: left,
            };
            let request = self.request(&run, helpers, wanted, &banned, effort);
            let mut process = Process::start(&self.options, &self.java_side, request.0)?;
            let before = run.taken.calls;
            let mut ended_by = None;
            let mut is_heard = false;
            let is_complete = process.listen(&self.options, left + GRACE, &mut |event| {
                is_heard = true;
                match event {
                    Event::Taken(probe, call) => run.take(*probe, call),
                    Event::Note(text) if !run.taken.notes.contains(text) => {
                        run.taken.notes.push(text.clone());
                    }
                    Event::Note(_) => {}
                    Event::Calls(calls) | Event::End(calls) => run.taken.calls = before + calls,
                    Event::EndedBy(member) => ended_by = Some(member.clone()),
                }
            })?;
            if is_complete {
                break;
            }
            if !is_heard {
                let message = format!("it ends without an answer: {}", process.end());
                return Err(ReplayError::Start { message }.into());
            }
            banned.extend(ended_by.clone());
            run.taken.ends.push(ended_by);
        }
        run.taken.elapsed = started.elapsed();
        Ok(run.taken)
    }

    fn request(
        &self,
        run: &Run,
        helpers: &[TargetClass],
        wanted: &Wanted,
        banned: &[String],
        effort: Effort,
    ) -> Request {
        let mut request = Request::default();
        let dotted = |name: &str| name.replace('/', ".");
        let options = &self.options;
        request.list(options.class_path.iter(), |request, path| {
            request.text(&path.to_string_lossy());
        });
        request.int(run.probes.len());
        let known: Vec<usize> =
            (0..run.probes.len()).filter(|&probe| run.is_taken(probe)).collect();
        request.list(known.into_iter(), Request::int);
        request.list(run.classes.iter(), |request, (class, constants)| {
            request.text(&dotted(&class.class));
            request.bytes(&class.bytes);
            request.flag(run.taken.classes.contains_key(&class.class));
            request.list(constants.integers.iter(), |request, &value| request.long(value as u64));
            request.list(constants.reals.iter(), |request, &bits| request.long(bits));
            request.list(constants.strings.iter(), |request, text| request.units(&text.0));
            request.list(class.methods.iter(), |request, method| {
                request.text(&method.method);
                request.int(method.first_probe as usize);
                request.int(method.first_probe as usize + method.edges.len());
            });
        });
        let is_wanted = |place: &Probed| {
            let edges = wanted.get(&(place.class.clone(), place.method.clone()));
            edges.is_some_and(|edges| edges.contains(&place.edge))
        };
        let probes = run.probes.iter().enumerate().filter(|(_, place)| is_wanted(place));
        let probes: Vec<usize> = probes.map(|(number, _)| number).collect();
        request.list(probes.into_iter(), Request::int);
        request.list(helpers.iter(), |request, helper| request.text(&dotted(&helper.name)));
        request.list(banned.iter(), |request, member| request.text(member));
        request.long(effort.seed);
        request.long(effort.calls.min(i64::MAX as u64));
        for time in [effort.time, options.call_time, options.hang_time] {
            request.long(u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 2_000_000));
        }
        request.flag(options.public_only);
        request.flag(options.keep_premises);
        request
    }
}

/// Where a probe is.
struct Probed {
    class: String,
    method: String,
    edge: Edge,
}

/// Instrumented classes, and what was taken of them so far.
struct Run {
    classes: Vec<(Instrumented, Constants)>,
    /// By number.
    probes: Vec<Probed>,
    taken: Taken,
}

impl Run {
    fn new(targets: &[TargetClass], helpers: &[TargetClass]) -> Result<Run, RefuterError> {
        let mut run = Run { classes: Vec::new(), probes: Vec::new(), taken: Taken::default() };
        for target in targets {
            let constants = Constants::of(&ClassFile::parse(Arc::clone(&target.bytes))?)?;
            let class = instrument(&target.bytes, run.probes.len() as u32)?;
            let n_probes = class.methods.iter().map(|method| method.edges.len()).sum();
            let left_alone = class.left_alone.clone();
            let taken = TakenClass { n_probes, left_alone, ..TakenClass::default() };
            run.taken.classes.insert(class.class.clone(), taken);
            run.add(class, constants);
        }
        // Their probes end loops, and nobody asks which of their branches are taken.
        for helper in helpers {
            let class = instrument(&helper.bytes, run.probes.len() as u32)?;
            run.add(class, Constants::default());
        }
        Ok(run)
    }

    fn add(&mut self, class: Instrumented, constants: Constants) {
        for method in &class.methods {
            self.probes.extend(method.edges.iter().map(|&edge| Probed {
                class: class.class.clone(),
                method: method.method.clone(),
                edge,
            }));
        }
        self.classes.push((class, constants));
    }

    fn is_taken(&self, probe: usize) -> bool {
        self.probes.get(probe).is_some_and(|place| {
            self.taken.first_call(&place.class, &place.method, place.edge).is_some()
        })
    }

    fn take(&mut self, probe: u32, call: &str) {
        let Some(place) = self.probes.get(probe as usize) else { return };
        if let Some(class) = self.taken.classes.get_mut(&place.class) {
            let method = class.methods.entry(place.method.clone()).or_default();
            method.entry(place.edge).or_insert_with(|| call.to_owned());
        }
    }
}
