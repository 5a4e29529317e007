//! A project with something around it, and commands in the project's sandbox.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use pollux_exec::sandbox::{
    Cell, Confinement, Ladder, Limits, Network, Rung, Sandbox, SandboxMode, SandboxSetup,
};
use pollux_exec::{Live, ShellExit, ShellJob, run_shell};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// No command of these tests takes so long.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// `project`, `home`, `state` and `outside`, all beside each other and not below `/tmp`, which
/// commands see another of.
pub(crate) struct Site {
    dir: TempDir,
    pub(crate) rungs: Vec<Rung>,
    pub(crate) network: Network,
    pub(crate) limits: Limits,
    pub(crate) helper: PathBuf,
}

/// What a directory is like: each path with its mode, owner and content.
pub(crate) type Picture = BTreeMap<PathBuf, (u32, u32, Vec<u8>)>;

impl Site {
    pub(crate) fn new(rung: Rung) -> Self {
        let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        for name in ["project", "home", "state", "outside"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        Self {
            dir,
            rungs: vec![rung],
            network: Network::Loopback,
            limits: Limits::default(),
            helper: env!("CARGO_BIN_EXE_pollux").into(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn setup(&self, mode: SandboxMode) -> SandboxSetup {
        SandboxSetup {
            mode,
            ladder: Ladder {
                helper: self.helper.clone(),
                state: remembered(),
                rungs: self.rungs.clone(),
            },
            workspace: vec![self.path("project")],
            home: Some(self.path("home")),
            own: vec![self.path("state")],
            temp: std::env::temp_dir(),
            network: self.network,
            limits: self.limits,
        }
    }

    pub(crate) fn cell(&self) -> Cell {
        match Sandbox::new(self.setup(SandboxMode::Strict)).confinement() {
            Ok(Confinement::Confined(cell)) => cell,
            other => panic!("{other:?}"),
        }
    }

    /// Runs a script in the project, where it knows the other places as `$HOME` and `$OUT`.
    pub(crate) async fn run(&self, cell: &Cell, script: &str) -> ShellExit {
        let token = CancellationToken::new();
        run_shell(self.job(cell, script), &token).await.unwrap()
    }

    pub(crate) fn job(&self, cell: &Cell, script: &str) -> ShellJob {
        let place =
            |name: &str, path: &str| format!("export {name}='{}'; ", self.path(path).display());
        let (home, out) = (place("HOME", "home"), place("OUT", "outside"));
        ShellJob {
            command: format!("{home}{out}{script}"),
            dir: self.path("project"),
            timeout: PATIENCE,
            output_limit: 100_000,
            hidden_variables: Vec::new(),
            variables: Vec::new(),
            confinement: Confinement::Confined(cell.clone()),
            live: Live::default(),
        }
    }

    /// What the named places are like.
    pub(crate) fn picture(&self, names: &[&str]) -> Picture {
        let mut picture = Picture::new();
        for name in names {
            add(&self.path(name), &mut picture);
        }
        picture
    }
}

pub(crate) fn add(path: &Path, picture: &mut Picture) {
    let Ok(data) = path.symlink_metadata() else {
        return;
    };
    let content = if data.is_symlink() {
        fs::read_link(path)
            .unwrap()
            .into_os_string()
            .into_encoded_bytes()
    } else {
        fs::read(path).unwrap_or_default()
    };
    picture.insert(path.to_owned(), (data.mode(), data.uid(), content));
    for entry in fs::read_dir(path)
        .into_iter()
        .flatten()
        .filter(|_| data.is_dir())
    {
        add(&entry.unwrap().path(), picture);
    }
}

/// Where all these tests remember what works, so that it is tested once.
fn remembered() -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sandbox-state-{user}"))
}

/// The rungs that work on this machine; at least one has to.
pub(crate) fn rungs() -> Vec<Rung> {
    static RUNGS: LazyLock<Vec<Rung>> = LazyLock::new(|| {
        let scratch = tempfile::tempdir().unwrap();
        let site = Site::new(Rung::Namespaces);
        let mut ladder = site.setup(SandboxMode::Strict).ladder;
        ladder.rungs = Rung::ALL.into();
        let findings = ladder.findings(scratch.path()).into_iter();
        findings
            .filter(|finding| match &finding.problem {
                None => true,
                Some(problem) => {
                    // A system may refuse a sandbox; one that is there and leaks is a defect, and so is a
                    // wrong use of what every system takes.
                    for defect in [
                        " can be ",
                        "left behind",
                        "without a word",
                        "restricting with Landlock",
                        "filtering system calls",
                    ] {
                        assert!(!problem.contains(defect), "{problem}");
                    }
                    eprintln!("not tested: {}: {problem}", finding.rung.name());
                    false
                }
            })
            .map(|finding| finding.rung)
            .collect()
    });
    assert!(!RUNGS.is_empty(), "no rung works here");
    RUNGS.clone()
}

/// Whether a program is installed; if not, says that whatever needs it is not tested.
pub(crate) fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|dir| dir.join(program).is_file());
    if !found {
        eprintln!("not tested: {program} is not installed");
    }
    found
}
