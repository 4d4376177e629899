//! How Linux takes rights away.

mod loader;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope,
};
use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::{getegid, geteuid};

use crate::launcher::Request;
use crate::{Allowance, Namespace, Protection, WallError};

/// The newest version of Landlock's interface that is made use of. Of what a kernel does not know yet, nothing is missed.
const LANDLOCK: ABI = ABI::V9;
/// From this version of Linux on, processes are counted for each user namespace by itself; before, a limit would be one on all
/// processes of the user.
const COUNTS_BY_NAMESPACE: (u32, u32) = (5, 14);
/// Where everybody may write, because nobody ever reads it.
const NOWHERE: &str = "/dev/null";

/// What the system offers. It is tried out: this process has no rights afterwards.
pub(crate) fn probe() -> Protection {
    let namespace = if unshare(CloneFlags::CLONE_NEWNET).is_ok() {
        Namespace::Network
    } else if enter_namespaces(Namespace::UserAndNetwork).is_ok() {
        Namespace::UserAndNetwork
    } else {
        // Some systems let users have a namespace, but do nothing in it.
        Namespace::None
    };
    let landlock = match restrict(&[], &[]) {
        Ok(RestrictionStatus {
            ruleset: RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced,
            landlock: LandlockStatus::Available { effective_abi, .. },
            ..
        }) => effective_abi as u32,
        _ => 0,
    };
    Protection { namespace, landlock }
}

/// Gives up what is not allowed and becomes the program; comes back only if that cannot be done.
pub(crate) fn run(request: &Request) -> WallError {
    let program = Path::new(&request.program);
    if let Err(error) = give_up_rights(request, program) {
        return error;
    }
    let source = Command::new(program).args(&request.arguments).exec();
    WallError::Execute { program: program.to_owned(), source }
}

fn give_up_rights(request: &Request, program: &Path) -> Result<(), WallError> {
    let Request { protection, allowance, .. } = request;
    // First what needs files of its own to be written.
    enter_namespaces(protection.namespace)?;
    limit(allowance, protection.namespace)?;
    if protection.landlock == 0 {
        return Ok(());
    }
    let mut executable = vec![program.to_owned()];
    executable.extend(loader::of(program)?);
    let refused = |error: RulesetError| step("use Landlock", error);
    match restrict(&allowance.writable, &executable).map_err(refused)?.ruleset {
        RulesetStatus::NotEnforced => Err(step("use Landlock", "it is not there any more")),
        _ => Ok(()),
    }
}

/// Lets this process have a network that leads nowhere.
fn enter_namespaces(namespace: Namespace) -> Result<(), WallError> {
    let flags = match namespace {
        Namespace::None => return Ok(()),
        Namespace::Network => CloneFlags::CLONE_NEWNET,
        Namespace::UserAndNetwork => CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET,
    };
    let (user, group) = (geteuid(), getegid());
    unshare(flags).map_err(|error| step("get a network of its own", error))?;
    if namespace == Namespace::UserAndNetwork {
        // Everybody stays who they are, or files could not be used as before.
        let maps = [
            ("/proc/self/uid_map", format!("{user} {user} 1")),
            ("/proc/self/setgroups", "deny".to_owned()),
            ("/proc/self/gid_map", format!("{group} {group} 1")),
        ];
        for (file, text) in maps {
            fs::write(file, text).map_err(|error| step("stay the same user", error))?;
        }
    }
    Ok(())
}

fn limit(allowance: &Allowance, namespace: Namespace) -> Result<(), WallError> {
    let mut limits = vec![
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_AS, allowance.address_space),
        (Resource::RLIMIT_FSIZE, allowance.file_size),
    ];
    if namespace == Namespace::UserAndNetwork && kernel_version() >= COUNTS_BY_NAMESPACE {
        limits.push((Resource::RLIMIT_NPROC, allowance.processes));
    }
    for (resource, most) in limits {
        let set = getrlimit(resource).and_then(|(_, hard)| {
            let most = most.min(hard);
            setrlimit(resource, most, most)
        });
        set.map_err(|error: Errno| step("limit resources", error))?;
    }
    Ok(())
}

/// The first two numbers; zeros if they cannot be made out.
fn kernel_version() -> (u32, u32) {
    let release = nix::sys::utsname::uname().ok();
    let release = release.as_ref().and_then(|of| of.release().to_str()).unwrap_or_default();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// Lets this process write and execute nothing else, speak no TCP, and reach nobody by signals and abstract sockets.
fn restrict(
    writable: &[PathBuf],
    executable: &[PathBuf],
) -> Result<RestrictionStatus, RulesetError> {
    let write = AccessFs::from_write(LANDLOCK);
    let mut rules = Ruleset::default()
        .handle_access(write | AccessFs::Execute)?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?;
    let mut allow = |paths: &[PathBuf], access: BitFlags<AccessFs>| -> Result<(), RulesetError> {
        // What is not there cannot be used, either.
        for path in paths.iter().filter_map(|path| PathFd::new(path).ok()) {
            // Of a file that is no folder, this takes what there is to do with files.
            (&mut rules).add_rule(PathBeneath::new(path, access))?;
        }
        Ok(())
    };
    allow(writable, write)?;
    allow(executable, AccessFs::Execute.into())?;
    // Redirecting to it truncates it.
    allow(&[NOWHERE.into()], AccessFs::WriteFile | AccessFs::Truncate)?;
    rules.restrict_self()
}

fn step(what: &'static str, error: impl ToString) -> WallError {
    WallError::Step { what, message: error.to_string() }
}
