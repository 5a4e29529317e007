//! Attempts to change what is not the command's to change.

use pollux_exec::sandbox::Rung;
use rustix::io::ioctl_fionbio;
use rustix::pty::{OpenptFlags, openpt, ptsname, unlockpt};

use super::support::{Site, installed, rungs};

/// What must be the same afterwards.
const KEPT: &[&str] = &[
    "outside",
    "home",
    "state",
    "project/.git/hooks",
    "project/.git/config",
    "project/.git/info/attributes",
    "project/.mcp.json",
    "project/.vscode",
    "project/.bashrc",
    "project/.envrc",
];

/// Scripts for bash. What they may not do shows in the file system, or they say ESCAPED.
const FILES: &[&str] = &[
    // Outside.
    "echo x > $OUT/new",
    "echo x > $OUT/file",
    "echo x >> $OUT/file",
    "rm -f $OUT/file",
    "rm -rf $OUT",
    "mv $OUT/file $OUT/moved",
    "mv $OUT/file here",
    "mkdir $OUT/dir2",
    "touch $OUT/dir/new",
    "ln -s /etc/passwd $OUT/link",
    "mkfifo $OUT/fifo",
    "cp /bin/true $OUT/true",
    "truncate -s 0 $OUT/file",
    "dd if=/dev/zero of=$OUT/file bs=1 count=1 conv=notrunc",
    "sed -i s/v/w/ $OUT/file",
    "echo x > $OUT/../outside/file",
    "cd $OUT && echo x > file",
    "(cd / && echo x > ./$OUT/file)",
    "echo x > $HOME/.bashrc",
    "echo x > $HOME/.profile",
    "mkdir -p $HOME/.ssh && echo x > $HOME/.ssh/authorized_keys",
    "mkdir -p $HOME/.config/autostart && echo x > $HOME/.config/autostart/x.desktop",
    "echo x > $OUT/../state/sandbox",
    "rm -rf $OUT/../state/*",
    // Links.
    "ln -s $OUT/file here; echo x > here",
    "ln -s $OUT here; echo x > here/file",
    "ln $OUT/file here && echo x > here",
    "ln -s $OUT/file a; ln -s a b; echo x >> b",
    "ln -s ../outside up; rm -rf up/*",
    "cp --remove-destination /etc/hostname $OUT/file",
    "tar cf t.tar -C / etc/hostname; tar xf t.tar -C $OUT",
    // The long way round.
    "echo x > /proc/self/root$OUT/file",
    "echo x > /proc/self/cwd/../outside/file",
    "echo x > /proc/$PPID/root$OUT/file",
    "echo x > /proc/1/root$OUT/file",
    "exec 9<$OUT/file; echo x > /proc/self/fd/9",
    "exec 9<$OUT; echo x > /proc/self/fd/9/file",
    "mount --bind $OUT $OUT; mount -o remount,rw / ; echo x > $OUT/file",
    "umount -l $OUT/..; umount -l /; echo x > $OUT/file",
    "unshare -Urm sh -c 'mount -o remount,rw,bind /; echo x > $OUT/file'",
    "unshare -U sh -c 'echo x > $OUT/file'",
    "chroot / sh -c 'echo x > $OUT/file'",
    "nsenter -t 1 -m sh -c 'echo x > $OUT/file'",
    // What decides which programs run later.
    "echo x > .git/hooks/pre-commit",
    "echo x > .git/hooks/a.sample",
    "rm -rf .git/hooks",
    "mv .git/hooks .git/hooks2; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
    "mkdir h; echo x > h/pre-commit; mv h .git/hooks",
    "mv .git g; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo x > .git/config",
    "mv .git g; ln -s g2 .git; mkdir -p g2/hooks; echo x > g2/config",
    "echo '[core] fsmonitor = ./evil' >> .git/config",
    "git config core.fsmonitor ./evil",
    "git config core.hooksPath ./evil",
    "echo x > new; mv new .git/config",
    "ln .git/config here && echo x > here",
    "ln -sf ../here .git/config",
    "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes",
    "mkdir -p .git/info2; echo x > .git/info2/attributes; mv .git/info2 .git/info",
    "echo x > .mcp.json",
    "mkdir .vscode; echo x > .vscode/tasks.json",
    "ln -s $OUT .vscode; echo x > .vscode/tasks.json",
    "echo x > .bashrc; echo x > .envrc",
    "(sleep 0.05; echo x > .git/hooks/pre-commit) & exit",
    "setsid -f sh -c 'sleep 0.1; echo x > .git/hooks/post-merge; echo x > $OUT/late'",
];

/// Whose files are, and as whom they run.
const OWNERS: &[&str] = &[
    "chown 12345 $OUT/file",
    "chown -h :12345 $OUT/file",
    "chmod u+s $OUT/file",
    "chmod 2755 $OUT/dir",
    "perl -e 'open(my $f, q{<}, \"$ENV{OUT}/file\"); chown(12345, 12345, $f); chmod(04755, $f)'",
];

/// What only namespaces keep from happening: Landlock knows nothing of it.
const MODES: &[&str] = &[
    "chmod 777 $OUT/file",
    "chmod 000 $OUT/dir",
    "setfattr -n user.x -v y $OUT/file; chmod 700 $HOME",
];

/// System calls, as number and arguments for perl; those of x86-64.
const CALLS: &[(&str, &str)] = &[
    ("ptrace", "101, 16, getppid(), 0, 0"),
    ("process_vm_readv", "310, getppid(), 0, 0, 0, 0, 0"),
    (
        "mount",
        "165, my $a=q{none}, my $b=q{/tmp}, my $c=q{tmpfs}, 0, 0",
    ),
    ("umount2", "166, my $a=q{/proc}, 2"),
    ("unshare", "272, 0x10000000"),
    ("setns", "308, 0, 0"),
    ("clone with a namespace", "56, 0x10000000 | 17, 0, 0, 0, 0"),
    ("clone3", "435, 0, 0"),
    ("io_uring_setup", "425, 1, my $p = \"\\0\" x 120"),
    ("bpf", "321, 0, my $p = \"\\0\" x 72, 72"),
    (
        "perf_event_open",
        "298, my $p = \"\\0\" x 120, 0, -1, -1, 0",
    ),
    ("userfaultfd", "323, 1"),
    ("keyctl", "250, 0, -3, 1"),
    (
        "add_key",
        "248, my $a=q{user}, my $b=q{x}, my $c=q{y}, 1, -3",
    ),
    ("open_by_handle_at", "304, -100, my $p = \"\\0\" x 64, 0"),
    ("init_module", "175, 0, 0, my $p=q{}"),
    ("kexec_load", "246, 0, 0, 0, 0"),
    ("pidfd_getfd", "438, 0, 0, 0"),
    ("mknod of a disk", "133, my $a=q{disk}, 0x61b0, 0xfe00"),
    (
        "mount_setattr",
        "442, -100, my $a=q{/}, 0x8000, my $p = \"\\0\" x 32, 32",
    ),
    ("a second number", "0x40000000 | 39"),
    ("socket of packets", "41, 17, 3, 0"),
    ("socket of machines", "41, 40, 1, 0"),
    ("reboot", "169, 0, 0, 0, 0"),
];

fn site(rung: Rung) -> Site {
    let site = Site::new(rung);
    for name in [
        "outside/file",
        "outside/dir/file",
        "home/.bashrc",
        "home/.profile",
        "state/keep",
    ] {
        site.write(name, "value\n");
    }
    site.write("project/.git/config", "[core]\n\tbare = false\n");
    site.write("project/.git/HEAD", "ref: refs/heads/main\n");
    site.write("project/.git/hooks/a.sample", "example\n");
    for name in ["objects", "refs"] {
        std::fs::create_dir(site.path("project/.git").join(name)).unwrap();
    }
    site
}

async fn attempt(rung: Rung, script: &str) {
    let site = site(rung);
    let cell = site.cell();
    let before = site.picture(KEPT);
    let exit = site.run(&cell, script).await;
    drop(cell);
    assert_eq!(
        site.picture(KEPT),
        before,
        "{} let this happen: {script}",
        rung.name()
    );
    let said = exit.stdout.text();
    assert!(
        !said.contains("ESCAPED"),
        "{} let this happen: {script}",
        rung.name()
    );
}

#[tokio::test]
async fn nothing_else_is_changed() {
    assert!(FILES.len() >= 60, "{}", FILES.len());
    for rung in rungs() {
        for script in FILES {
            attempt(rung, script).await;
        }
    }
}

#[tokio::test]
async fn files_outside_keep_their_owners() {
    for rung in rungs() {
        for script in OWNERS {
            attempt(rung, script).await;
        }
    }
}

#[tokio::test]
async fn namespaces_cover_modes() {
    for rung in rungs().into_iter().filter(|rung| *rung == Rung::Namespaces) {
        for script in MODES {
            attempt(rung, script).await;
        }
    }
}

/// Who could write to the terminal that pollux runs in could show what pollux did not say, and who
/// could read it would hear what is typed.
#[tokio::test]
async fn terminals_of_others_are_out_of_reach() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new())
        .unwrap()
        .into_string()
        .unwrap();
    // Somebody is at it.
    let _used = std::fs::File::options()
        .read(true)
        .write(true)
        .open(&name)
        .unwrap();
    ioctl_fionbio(&terminal, true).unwrap();
    for rung in rungs() {
        let site = site(rung);
        let script = format!(
            "echo ESCAPED > {name}; (: < {name}) && echo ESCAPED; (: 1<> {name}) && echo ESCAPED; \
             for fd in /proc/[0-9]*/fd/*; do \
             case $(readlink $fd) in {name}) echo ESCAPED; echo ESCAPED > $fd;; esac; done; true"
        );
        let said = site.run(&site.cell(), &script).await.stdout.text();
        assert!(!said.contains("ESCAPED"), "{}: {said}", rung.name());
        let shown = rustix::io::read(&terminal, &mut [0; 100]);
        assert_eq!(shown, Err(rustix::io::Errno::AGAIN), "{}", rung.name());
    }
}

#[tokio::test]
async fn memory_is_shared_with_nobody_else() {
    for rung in rungs() {
        let site = site(rung);
        let shared = format!("/dev/shm/pollux-test-{}", std::process::id());
        site.run(&site.cell(), &format!("echo x > {shared}")).await;
        assert!(!std::path::Path::new(&shared).exists(), "{}", rung.name());
    }
}

#[tokio::test]
async fn what_turns_up_in_a_protected_place_is_kept_aside() {
    for rung in rungs() {
        let site = site(rung);
        let script = "echo mine > .envrc; mkdir .idea; echo mine > .idea/workspace.xml";
        let exit = site.run(&site.cell(), script).await;
        let names = [".envrc", ".idea"].map(|name| site.path("project").join(name));
        assert_eq!(exit.put_back, names, "{}", rung.name());
        let [aside] = exit.kept_aside.as_slice() else {
            panic!("{}: {:?}", rung.name(), exit.kept_aside);
        };
        for (name, path) in [".envrc", ".idea/workspace.xml"].iter().zip(names) {
            assert!(!path.exists(), "{}: {name}", rung.name());
            let kept = std::fs::read_to_string(aside.join(name)).unwrap();
            assert_eq!(kept, "mine\n", "{}: {name}", rung.name());
        }
    }
}

#[tokio::test]
async fn system_calls_that_lead_out_are_refused() {
    if !cfg!(target_arch = "x86_64") || !installed("perl") {
        return;
    }
    for rung in rungs() {
        let site = site(rung);
        let cell = site.cell();
        for (name, arguments) in CALLS {
            // A call that is refused for its arguments has got through the filter.
            let script = format!(
                "perl -e 'my $r = syscall({arguments}); \
                 print \"ESCAPED\" if $r != -1; print $!+0'"
            );
            let exit = site.run(&cell, &script).await;
            let said = exit.stdout.text();
            let refused = ["1", "13", "38"].contains(&said.as_str());
            assert!(
                refused,
                "{}: {name}: {said} {}",
                rung.name(),
                exit.stderr.text()
            );
        }
    }
}

#[tokio::test]
async fn other_processes_cannot_be_seen_or_signalled() {
    for rung in rungs() {
        let site = site(rung);
        let cell = site.cell();
        let own = std::process::id();
        let script = format!(
            "grep -z . /proc/{own}/environ && echo ESCAPED; kill -0 {own} && echo ESCAPED; \
             : > /proc/{own}/comm && echo ESCAPED; readlink /proc/{own}/fd/1 && echo ESCAPED; true"
        );
        let said = site.run(&cell, &script).await.stdout.text();
        assert!(!said.contains("ESCAPED"), "{}: {said}", rung.name());
    }
}

#[tokio::test]
async fn root_has_no_powers_that_could_undo_it() {
    for rung in rungs() {
        let site = site(rung);
        let script = "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; \
            ulimit -c; echo x > /proc/sys/kernel/core_pattern && echo ESCAPED; \
            test -w /dev/vda -o -w /dev/sda -o -w /dev/mem && dd of=/dev/mem </dev/null && echo ESCAPED; \
            hostname evil && echo ESCAPED; true";
        let said = site.run(&site.cell(), script).await.stdout.text();
        let root = rustix::process::geteuid().is_root();
        let powers = if root {
            "000000000000001b"
        } else {
            "0000000000000000"
        };
        assert!(said.contains(&format!("CapEff:\t{powers}\n")), "{said}");
        assert!(said.contains("NoNewPrivs:\t1\n"), "{said}");
        assert!(said.ends_with("\n0\n"), "{}: {said}", rung.name());
    }
}
