//! One JVM process: frames in, frames out, and never a wait without an end.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use petrel_budget::Alarm;

use crate::{ReplayError, ReplayOptions, harness, wire};

/// How long a JVM may take to start on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(60);
/// How long a process whose output has ended may take to be gone.
const END_LIMIT: Duration = Duration::from_secs(5);
/// How often it is looked whether the caller wants to stop.
const PAUSE: Duration = Duration::from_millis(50);
/// How much of what the JVM itself says is kept.
const MAX_MESSAGE: usize = 4096;
/// No answer within the limits of the options is as long as this.
const MAX_FRAME: u32 = 1 << 30;

/// A JVM that runs the harness.
pub(crate) struct Process {
    child: Child,
    /// How it ended, once that is known.
    status: Option<ExitStatus>,
    alarm: Alarm,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    /// The start of what it writes to its standard error stream.
    said: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

/// What came from the process.
pub(crate) enum Received {
    /// A frame.
    Frame(Vec<u8>),
    /// The end of its output.
    End,
    /// Nothing in time.
    Nothing,
    /// Nothing before the alarm was raised.
    Stopped,
}

/// How a process ended.
pub(crate) enum End {
    /// With this status.
    Exited(i32),
    /// In another way; the text says what is known.
    Died(String),
}

impl Process {
    /// Starts a JVM and waits until it is ready.
    pub(crate) fn start(options: &ReplayOptions, classes: &Path) -> Result<Process, ReplayError> {
        let settings = wire::settings(options)?;
        let java = harness::jdk_tool(&options.java_home, "java")?;
        harness::make_folders(&options.folders)?;
        let mut command = harness::jvm_command(&java, options.wall.as_ref());
        configure(&mut command, options, classes);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|source| ReplayError::Spawn { program: java, source })?;
        let (requests, to_write) = channel();
        let (to_answer, answers) = channel();
        if let Some(input) = child.stdin.take() {
            std::thread::spawn(move || write_all(input, &to_write));
        }
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || read_all(output, &to_answer));
        }
        let said = Arc::default();
        let listener = child.stderr.take().map(|errors| {
            let said = Arc::clone(&said);
            std::thread::spawn(move || listen(errors, &said))
        });
        let mut process = Process {
            child,
            status: None,
            alarm: options.alarm.clone(),
            requests,
            answers,
            said,
            listener,
        };
        process.send(settings);
        match process.receive(START_LIMIT) {
            Received::Frame(frame) => wire::check_hello(&frame).map(|()| process),
            Received::End => {
                let message = match process.end() {
                    End::Exited(status) => {
                        format!("it exits with status {status}{}", process.said())
                    }
                    End::Died(reason) => reason,
                };
                Err(ReplayError::Start { message })
            }
            Received::Stopped => Err(ReplayError::Stopped),
            Received::Nothing => {
                let message = format!("it is not ready within {START_LIMIT:?}{}", process.said());
                Err(ReplayError::Start { message })
            }
        }
    }

    /// Sends frames. If the process does not read them, that will show when it is asked for answers.
    pub(crate) fn send(&self, frames: Vec<u8>) {
        let _ = self.requests.send(frames);
    }

    /// The next frame.
    pub(crate) fn receive(&self, limit: Duration) -> Received {
        let started = Instant::now();
        loop {
            let left = limit.saturating_sub(started.elapsed());
            match self.answers.recv_timeout(left.min(PAUSE)) {
                Ok(frame) => return Received::Frame(frame),
                Err(_) if self.alarm.is_raised() => return Received::Stopped,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Received::Nothing,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Received::End,
            }
        }
    }

    /// Whether the process has not ended yet.
    pub(crate) fn is_running(&mut self) -> bool {
        self.status.is_none() && !petrel_wall::has_ended(&mut self.child)
    }

    /// How the process ended, once its output has.
    pub(crate) fn end(&mut self) -> End {
        let started = Instant::now();
        while self.is_running() {
            if started.elapsed() > END_LIMIT {
                return End::Died("it has closed its output".to_owned());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = match self.end_all() {
            Ok(status) => status,
            Err(error) => return End::Died(error.to_string()),
        };
        match status.code() {
            Some(code) => End::Exited(code),
            None => End::Died(format!("{}{}", ended_by(status), self.said())),
        }
    }

    /// Ends the process, if it has not ended yet, and all that calls have started there.
    fn end_all(&mut self) -> io::Result<ExitStatus> {
        match self.status {
            Some(status) => Ok(status),
            None => Ok(*self.status.insert(petrel_wall::end_all(&mut self.child)?)),
        }
    }

    /// What the JVM itself said, on lines of its own.
    fn said(&mut self) -> String {
        if let Some(listener) = self.listener.take() {
            // A process that a call started may keep the stream open for ever.
            let started = Instant::now();
            while !listener.is_finished() && started.elapsed() < Duration::from_millis(200) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        match String::from_utf8_lossy(&said).trim_end() {
            "" => String::new(),
            said => format!("\n{said}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // There is nobody to tell.
        let _ = self.end_all();
    }
}

fn ended_by(status: ExitStatus) -> String {
    format!("the JVM ended by {status}")
}

fn configure(command: &mut Command, options: &ReplayOptions, classes: &Path) {
    command.args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]);
    command.arg(format!("-Xmx{}m", options.heap_megabytes));
    // No file of counters for tools that look at JVMs.
    command.arg("-XX:-UsePerfData");
    command.args(["-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8"]);
    // Standard output is for answers alone.
    command.arg("-XX:+DisplayVMOutputToStderr");
    // A JVM that breaks down leaves a report, which is not for the user's folder.
    let report = std::env::temp_dir().join("petrel-jvm-error-%p.log");
    command.arg(format!("-XX:ErrorFile={}", report.display()));
    if options.feature_version >= 9 {
        // Nor is it for warnings.
        command.args(["-Xlog:disable", "-Xlog:all=warning:stderr"]);
        // From here the harness opens what else it needs.
        command.args(["--add-opens", "java.base/java.lang=ALL-UNNAMED"]);
    }
    command.args(options.measure.jvm_options());
    command.args(&options.jvm_options);
    if let Some(folder) = &options.working_directory {
        command.current_dir(folder);
    }
    command.arg("-cp").arg(classes).arg(harness::MAIN_CLASS);
}

fn write_all(mut input: impl Write, frames: &Receiver<Vec<u8>>) {
    for frames in frames {
        if input.write_all(&frames).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_all(output: impl Read, frames: &Sender<Vec<u8>>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    while let Ok(frame) = read_frame(&mut output) {
        if frames.send(frame).is_err() {
            return;
        }
    }
}

fn read_frame(output: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    output.read_exact(&mut length)?;
    let length = u32::from_be_bytes(length);
    if length > MAX_FRAME {
        // An empty frame is no answer to anything, and is refused as one.
        return Ok(Vec::new());
    }
    let mut frame = Vec::new();
    output.take(u64::from(length)).read_to_end(&mut frame)?;
    if frame.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(frame)
}

fn listen(mut errors: impl Read, said: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = errors.read(&mut buffer) {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = length.min(MAX_MESSAGE - said.len());
        said.extend(buffer.iter().take(fitting));
    }
}
