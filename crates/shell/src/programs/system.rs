//! Programs that ask the system something, and those that change it.

use super::{ASKED, Floor, Operands, Program, READER, Rule};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};
use crate::paths::is_secret_variable;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "date",
        options: Options {
            harmless: "-R -u -n -j --rfc-email --utc --universal --debug --resolution",
            harmless_value: "-d --date --rfc-3339 -v",
            harmless_attached: "-I --iso-8601",
            reads: "-f --file -r --reference",
            endangers_value: "-s --set",
            ..NONE
        },
        operands: Operands::Text,
        peril: "sets the clock",
        rule: Some(only_formats),
        ..READER
    },
    Program {
        names: "uname arch nproc whoami logname tty users groups uptime",
        options: Options {
            harmless: "-a -s -n -r -v -m -p -i -o -q --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor \
                --hardware-platform --operating-system --pretty --since --quiet --silent",
            harmless_value: "--ignore",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "id",
        options: Options {
            harmless: "-a -g -G -n -r -u -z -Z --group --groups --name --real --user --zero",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "hostname",
        options: Options {
            harmless: "-a -A -d -f -i -I -s -y --alias --domain --fqdn --long --short --ip-address --all-ip-addresses",
            ..NONE
        },
        operands: Operands::None,
        ..READER
    },
    Program {
        names: "free vmstat lscpu lsblk",
        options: Options {
            harmless: "-b -k -m -g -h -l -t -w -v -a -e -p -J -f -S --bytes --kilo --mega --giga --human --total --wide --json",
            ..NONE
        },
        operands: Operands::None,
        ..READER
    },
    Program {
        names: "locale",
        options: Options {
            harmless: "-a -m -c -k --all-locales --charmaps --category-name --keyword-name",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "who w",
        options: Options {
            harmless: "-a -b -d -H -m -q -r -s -t -u --all --boot --heading --count",
            ..NONE
        },
        operands: Operands::None,
        ..READER
    },
    Program {
        names: "sleep",
        floor: Floor::Ask("waits"),
        ..ASKED
    },
    Program {
        names: "yes",
        floor: Floor::Ask("never ends"),
        ..ASKED
    },
    Program {
        names: "top htop btop atop iotop",
        floor: Floor::Ask("waits for keys"),
        ..ASKED
    },
    Program {
        names: "lsof ss netstat ip ifconfig route dmesg journalctl last lastlog",
        floor: Floor::Ask("shows what the system does"),
        ..ASKED
    },
    Program {
        names: "shutdown reboot halt poweroff init telinit",
        floor: Floor::Danger("stops the machine"),
        ..ASKED
    },
    Program {
        names: "mount umount losetup swapon swapoff fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard hdparm cryptsetup mkswap \
            lvremove vgremove pvremove lvcreate mdadm zpool zfs btrfs tune2fs e2fsck resize2fs badblocks diskutil",
        floor: Floor::Danger("changes disks"),
        ..ASKED
    },
    Program {
        names: "insmod modprobe rmmod sysctl iptables ip6tables nft ufw firewall-cmd setenforce update-grub grub-install efibootmgr \
            update-alternatives ldconfig hostnamectl timedatectl localectl loginctl launchctl defaults scutil spctl csrutil nvram rfkill auditctl \
            apparmor_parser",
        floor: Floor::Danger("changes the system"),
        ..ASKED
    },
    Program {
        names: "useradd adduser usermod userdel deluser groupadd groupmod groupdel gpasswd passwd chpasswd chsh chfn chage visudo vipw vigr",
        floor: Floor::Danger("changes users"),
        ..ASKED
    },
    Program {
        names: "apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk emerge snap flatpak port xbps-install nix-env",
        floor: Floor::Ask("manages programs of the system"),
        rule: Some(packages),
        ..ASKED
    },
    Program {
        names: "brew",
        floor: Floor::Ask("manages programs"),
        rule: Some(packages),
        ..ASKED
    },
    Program {
        names: "killall pkill killall5 fuser xkill",
        floor: Floor::Danger("ends programs by name"),
        ..ASKED
    },
    Program {
        names: "at batch atrm",
        floor: Floor::Danger("runs something later"),
        ..ASKED
    },
];

pub(super) const RULES: &[(&str, Rule)] = &[
    ("ps", processes),
    ("kill", kill),
    ("printenv", print_environment),
    ("crontab", crontab),
    ("systemctl service rc-service", services),
];

fn only_formats(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    if parsed.operands.iter().any(|arg| !arg.text.starts_with('+')) {
        judge.danger("sets the clock", call.source);
    }
}

/// `ps -e` lists all processes, `ps e` shows their environment.
fn processes(judge: &mut Judge<'_>, call: &Call<'_>) {
    let mut rest = call.texts();
    while let Some(text) = rest.next() {
        let is_known = |letters: &str| letters.chars().all(|c| c.is_ascii_alphabetic());
        match text.strip_prefix("--") {
            Some(long) => {
                let name = long.split('=').next().unwrap_or_default();
                let known = [
                    "forest",
                    "headers",
                    "no-headers",
                    "sort",
                    "pid",
                    "ppid",
                    "user",
                    "group",
                    "format",
                    "cols",
                    "rows",
                    "width",
                    "deselect",
                ];
                if !known.contains(&name) {
                    judge.ask("has a flag that is not known here", text);
                }
            }
            None if text.starts_with('-') && is_known(&text[1..]) => {
                if text.ends_with(['o', 'p', 'u', 'C', 'U', 'g', 'G', 's', 't', 'O'])
                    && text != "-aux"
                {
                    rest.next();
                }
                if text.contains('E') {
                    judge.danger(
                        "shows the environment of programs, secrets included",
                        call.source,
                    );
                }
            }
            None if text.contains('e') && text.chars().all(|c| c.is_ascii_alphabetic()) => {
                judge.danger(
                    "shows the environment of programs, secrets included",
                    call.source,
                );
            }
            None => {}
        }
    }
}

fn kill(judge: &mut Judge<'_>, call: &Call<'_>) {
    let words: Vec<&str> = call.texts().collect();
    if matches!(words.first(), Some(&("-l" | "-L" | "--list"))) {
        return;
    }
    judge.ask("ends a program", call.source);
    let groups = words
        .iter()
        .skip(1)
        .any(|word| word.starts_with('-') && word[1..].chars().all(|c| c.is_ascii_digit()));
    let is_all = words.len() == 1 && words[0] == "-1";
    if groups || is_all || words.contains(&"1") || words.contains(&"0") {
        judge.danger("ends many programs", call.source);
    }
}

fn print_environment(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("prints the environment", call.source);
    if call.texts().any(is_secret_variable) {
        judge.danger("prints a secret", call.source);
    }
}

fn crontab(judge: &mut Judge<'_>, call: &Call<'_>) {
    let only_lists = call.texts().eq(["-l"]);
    if only_lists {
        judge.ask("shows what runs by the clock", call.source);
    } else {
        judge.danger("changes what runs by the clock", call.source);
    }
    judge.anything(call);
}

fn services(judge: &mut Judge<'_>, call: &Call<'_>) {
    const LOOKS: [&str; 10] = [
        "status",
        "show",
        "cat",
        "list-units",
        "list-unit-files",
        "is-active",
        "is-enabled",
        "is-failed",
        "list-timers",
        "--version",
    ];
    if call.texts().any(|text| LOOKS.contains(&text)) {
        judge.ask("asks the system's services", call.source);
    } else {
        judge.danger("changes the system's services", call.source);
    }
}

fn packages(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    const CHANGES: [&str; 24] = [
        "install",
        "remove",
        "purge",
        "upgrade",
        "dist-upgrade",
        "full-upgrade",
        "autoremove",
        "erase",
        "uninstall",
        "reinstall",
        "downgrade",
        "-i",
        "-r",
        "-P",
        "-e",
        "-U",
        "-S",
        "-R",
        "-Syu",
        "-Rns",
        "add",
        "del",
        "update",
        "--purge",
    ];
    let is_own = call
        .args
        .first()
        .is_some_and(|arg| arg.text.ends_with("brew"));
    let changes = call.texts().any(|text| CHANGES.contains(&text));
    let removes = call.texts().any(|text| {
        matches!(
            text,
            "remove" | "uninstall" | "purge" | "autoremove" | "--force"
        )
    });
    if changes && !is_own || removes {
        judge.danger("changes programs of the system", call.source);
    }
}
