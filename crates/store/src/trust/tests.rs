//! What is trusted, and what is not any more.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

struct Place {
    _dir: tempfile::TempDir,
    root: PathBuf,
    home: Home,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let whole = dir.path().canonicalize().unwrap();
        let root = whole.join("project");
        fs::create_dir(&root).unwrap();
        Self {
            _dir: dir,
            home: Home::new(whole.join("home")),
            root,
        }
    }

    fn with(self, name: &str, content: &str) -> Self {
        self.write(name, content);
        self
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn look(&self) -> Result<Belongings, String> {
        Belongings::of(&self.root, &self.home)
    }

    fn names(&self) -> Vec<String> {
        self.look().unwrap().names().map(str::to_owned).collect()
    }

    fn file(&self) -> TrustFile {
        TrustFile::new(&self.home)
    }

    fn trust(&self) {
        self.file().trust(&self.look().unwrap()).unwrap();
    }

    fn standing(&self) -> Standing {
        self.file().standing(&self.look().unwrap()).unwrap()
    }
}

#[test]
fn only_what_pollux_loads_belongs_to_it() {
    let place = Place::new()
        .with("src/main.rs", "")
        .with("AGENTS.md", "")
        .with(".git/hooks/post-checkout", "");
    fs::create_dir(place.root.join(".pollux")).unwrap();
    assert!(place.look().unwrap().is_empty());
    let place = place
        .with(".pollux/config.toml", "")
        .with(".agents/skills/x/SKILL.md", "")
        .with(".agents/other", "");
    symlink("/etc", place.root.join(".pollux/etc")).unwrap();
    let expected = [
        ".agents/skills/x/SKILL.md",
        ".pollux/config.toml",
        ".pollux/etc",
    ];
    assert_eq!(place.names(), expected);
}

#[test]
fn trust_is_in_path_and_content() {
    let place = Place::new().with(".pollux/config.toml", "model = 'a'");
    assert_eq!(place.standing(), Standing::Unknown);
    place.trust();
    assert_eq!(place.standing(), Standing::Trusted);
    place.write(".pollux/new", "");
    place.write(".pollux/config.toml", "model = 'b'");
    let changes = vec![
        Change::Other(".pollux/config.toml".into()),
        Change::New(".pollux/new".into()),
    ];
    assert_eq!(place.standing(), Standing::Changed(changes));
    place.trust();
    fs::remove_file(place.root.join(".pollux/new")).unwrap();
    let changes = vec![Change::Gone(".pollux/new".into())];
    assert_eq!(place.standing(), Standing::Changed(changes));
    // The same content in another place is another folder's.
    let moved = place.root.with_file_name("moved");
    fs::rename(&place.root, &moved).unwrap();
    let moved = Belongings::of(&moved, &place.home).unwrap();
    assert_eq!(place.file().standing(&moved), Ok(Standing::Unknown));
}

#[test]
fn the_record_is_private_and_for_people_too() {
    let place = Place::new().with(".pollux/config.toml", "");
    place.trust();
    let file = place.file();
    let mode = file.path().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(file.path()).unwrap();
    let text = text.replace(place.root.to_str().unwrap(), "FOLDER");
    insta::assert_snapshot!(text, @r#"
    # Folders that you trust, and the fingerprints of what pollux loads from them.
    # Remove the section of a folder to take the trust back.

    [[folder]]
    path = "FOLDER"

    [folder.files]
    ".pollux/config.toml" = "639012bd5af8d22f418d4536b2755da83b53fd9abd58338e97d32b9e8dff600a"
    "#);
}

#[test]
fn a_broken_record_trusts_nobody_and_is_left_alone() {
    let place = Place::new().with(".pollux/config.toml", "");
    place.trust();
    for broken in ["[[folder]]\npath = 3\n", "\n= 1\n", "trusted = true\n"] {
        fs::write(place.file().path(), broken).unwrap();
        let belongings = place.look().unwrap();
        let problem = place.file().standing(&belongings).unwrap_err();
        assert!(problem.contains("trust.toml:"), "{problem}");
        assert_eq!(place.file().trust(&belongings), Err(problem));
        assert_eq!(fs::read_to_string(place.file().path()).unwrap(), broken);
    }
}

#[test]
fn several_instances_lose_nothing() {
    const FOLDERS: usize = 24;
    let places: Vec<Place> = (0..FOLDERS)
        .map(|_| Place::new().with(".pollux/config.toml", ""))
        .collect();
    let file = places[0].file();
    std::thread::scope(|scope| {
        for place in &places {
            scope.spawn(|| file.trust(&place.look().unwrap()).unwrap());
        }
    });
    for place in &places {
        let standing = file.standing(&place.look().unwrap());
        assert_eq!(standing, Ok(Standing::Trusted));
    }
}

#[test]
fn what_cannot_be_looked_through_cannot_be_trusted() {
    let refused = |name: &str, content: &str| {
        let place = Place::new().with(name, content);
        place.look().map(|_| ()).unwrap_err()
    };
    let big = "x".repeat((4 << 20) + 1);
    assert_eq!(
        refused(".pollux/big", &big),
        ".pollux/big: more than 4 MiB in all"
    );
    let deep = format!(".pollux/{}x", "d/".repeat(20));
    assert!(refused(&deep, "").ends_with("directories too deep inside each other"));

    let many = Place::new();
    (0..1000).for_each(|n| many.write(&format!(".pollux/{n}"), ""));
    assert_eq!(many.look().unwrap_err(), "it brings more than 1000 files");

    let unnamed = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff");
    fs::create_dir(unnamed.root.join(name)).unwrap();
    let below = unnamed.root.join(name);
    assert!(Belongings::of(&below, &unnamed.home).unwrap().is_empty());
    fs::create_dir(below.join(".pollux")).unwrap();
    fs::write(below.join(".pollux/config.toml"), "").unwrap();
    let problem = Belongings::of(&below, &unnamed.home).unwrap_err();
    assert_eq!(problem, "its path is no text");

    let special = Place::new().with(".pollux/config.toml", "");
    let pipe = special.root.join(".pollux/pipe");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let problem = special.look().unwrap_err();
    assert_eq!(problem, ".pollux/pipe: neither a file nor a directory");
}

#[test]
fn what_is_read_is_what_was_looked_at() {
    let place = Place::new()
        .with(".pollux/config.toml", "model = 'a'")
        .with("outside", "model = 'b'");
    symlink("../outside", place.root.join(".pollux/link")).unwrap();
    let belongings = place.look().unwrap();
    let read = |name| belongings.read(name);
    assert_eq!(read(".pollux/config.toml"), Ok(Some("model = 'a'".into())));
    assert_eq!(read(".pollux/none"), Ok(None));
    // Nothing is read through here that was not looked at.
    assert_eq!(read("outside"), Ok(None));
    let problem = read(".pollux/link").unwrap_err();
    assert_eq!(problem, "a link, which is not followed");
    place.write(".pollux/config.toml", "model = 'c'");
    let problem = read(".pollux/config.toml").unwrap_err();
    assert_eq!(problem, "it has just changed; start again");
}

#[test]
fn links_are_content_and_lead_nowhere() {
    let place = Place::new().with("elsewhere/config.toml", "");
    symlink("elsewhere", place.root.join(".pollux")).unwrap();
    fs::create_dir_all(place.root.join("elsewhere/skills/x")).unwrap();
    symlink("elsewhere", place.root.join(".agents")).unwrap();
    assert_eq!(place.names(), [".agents", ".pollux"]);
}

#[test]
fn pollux_s_own_home_is_no_belonging() {
    let place = Place::new().with(".pollux/config.toml", "");
    let own = Home::new(place.root.join(".pollux"));
    assert!(Belongings::of(&place.root, &own).unwrap().is_empty());
}
