//! One JVM that makes calls until its time is over, or something ends it.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use petrel_replay::{ReplayError, jdk_tool, jvm_command};

use crate::drive::RefuterOptions;
use crate::wire::Event;

const MAIN_CLASS: &str = "petrel.refuter.Driver";
/// How often it is looked whether the caller wants to stop.
const PAUSE: Duration = Duration::from_millis(50);
/// The longest text of an event.
const MAX_TEXT: u32 = 1 << 20;
/// How much of what the JVM itself says is kept.
const MAX_SAID: u64 = 4096;

/// A JVM, and what it tells.
pub(crate) struct Process {
    child: Child,
    events: Receiver<Event>,
    /// Hears what the JVM itself says.
    listener: Option<JoinHandle<String>>,
}

impl Process {
    pub(crate) fn start(
        options: &RefuterOptions,
        classes: &Path,
        request: Vec<u8>,
    ) -> Result<Process, ReplayError> {
        let java = jdk_tool(&options.java_home, "java")?;
        let mut command = jvm_command(&java, options.wall.as_ref());
        configure(&mut command, options, classes);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|source| ReplayError::Spawn { program: java, source })?;
        if let Some(mut input) = child.stdin.take() {
            std::thread::spawn(move || {
                // A process that does not read tells nothing either, and that shows.
                let _ = input.write_all(&request);
            });
        }
        let (sender, events) = channel();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                while let Ok(Some(event)) = read_event(&mut output) {
                    if sender.send(event).is_err() {
                        break;
                    }
                }
            });
        }
        let listener = child.stderr.take().map(|errors| {
            std::thread::spawn(move || {
                let mut said = Vec::new();
                let _ = errors.take(MAX_SAID).read_to_end(&mut said);
                String::from_utf8_lossy(&said).into_owned()
            })
        });
        Ok(Process { child, events, listener })
    }

    /// Ends the process; what the JVM itself has said.
    pub(crate) fn end(mut self) -> String {
        self.kill();
        self.listener.take().and_then(|listener| listener.join().ok()).unwrap_or_default()
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Calls `tell` with each event until there are no more, or a time is over. Whether the process came to its own end.
    pub(crate) fn listen(
        &mut self,
        options: &RefuterOptions,
        limit: Duration,
        tell: &mut dyn FnMut(&Event),
    ) -> Result<bool, ReplayError> {
        let started = Instant::now();
        while started.elapsed() < limit {
            match self.events.recv_timeout(PAUSE) {
                Ok(event) => {
                    tell(&event);
                    if matches!(event, Event::End(_)) {
                        return Ok(true);
                    }
                }
                Err(_) if options.alarm.is_raised() => return Err(ReplayError::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// Whatever becomes of the caller, the JVM does not stay.
impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn configure(command: &mut Command, options: &RefuterOptions, classes: &Path) {
    command.arg(format!("-Xmx{}m", options.heap_megabytes));
    command.args([
        "-XX:+UnlockDiagnosticVMOptions",
        // Probes leave no stack maps behind.
        "-XX:-BytecodeVerificationRemote",
        "-XX:-BytecodeVerificationLocal",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        // It has no place to write to.
        "-XX:-UsePerfData",
        // Half of the time would go into code that is thrown away with its world.
        "-XX:TieredStopAtLevel=1",
        "-Djava.awt.headless=true",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Duser.timezone=UTC",
        "-cp",
    ]);
    command.arg(classes).arg(MAIN_CLASS);
}

fn read_event(output: &mut impl Read) -> io::Result<Option<Event>> {
    let mut head = [0; 5];
    output.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u32::from_be_bytes(length);
    if length > MAX_TEXT {
        return Ok(None);
    }
    let mut text = vec![0; length as usize];
    output.read_exact(&mut text)?;
    Ok(Event::parse(kind, String::from_utf8_lossy(&text).into_owned()))
}
