//! What the helper is told, as its arguments: written and read here.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::{Limits, Network, Rung, SandboxPolicy};

/// A command for the helper to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) rung: Rung,
    pub(crate) policy: SandboxPolicy,
    pub(crate) limits: Limits,
    /// Where the command runs.
    pub(crate) dir: PathBuf,
    /// Whether standard input is a socket over which the caller takes part.
    pub(crate) attended: bool,
    /// The program and its arguments.
    pub(crate) command: Vec<OsString>,
}

impl Order {
    /// The arguments of the helper.
    pub(crate) fn to_args(&self) -> Vec<OsString> {
        let policy = &self.policy;
        let one = |name: &str, value: &OsStr| [name.into(), value.to_owned()];
        let all = |name: &'static str, paths: &[PathBuf]| -> Vec<OsString> {
            let paths = paths.iter();
            paths
                .flat_map(|path| [name.into(), path.clone().into_os_string()])
                .collect()
        };
        let mut args = Vec::new();
        args.extend(one("--rung", self.rung.name().as_ref()));
        args.extend(one("--network", policy.network.name().as_ref()));
        args.extend(one("--dir", self.dir.as_os_str()));
        args.extend(one("--tmp", policy.tmp.as_os_str()));
        args.extend(one("--cache-changes", policy.cache_changes.as_os_str()));
        args.extend(all("--writable", &policy.writable));
        args.extend(all("--protected", &policy.protected));
        args.extend(all("--cache", &policy.caches));
        let Limits { processes, memory } = self.limits;
        args.extend(one("--processes", processes.to_string().as_ref()));
        if let Some(memory) = memory {
            args.extend(one("--memory", memory.to_string().as_ref()));
        }
        args.extend(self.attended.then(|| "--attended".into()));
        args.push("--".into());
        args.extend(self.command.iter().cloned());
        args
    }

    /// Reads them. What is wrong with them is no text for people: only this program writes them.
    pub(crate) fn from_args(args: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut args = args.into_iter();
        let (mut rung, mut network, mut attended) = (None, None, false);
        let (mut dir, mut tmp, mut cache_changes) = (None, None, None);
        let (mut processes, mut memory) = (None, None);
        let (mut writable, mut protected, mut caches) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let name = args.next().ok_or("there is no `--`")?;
            let name = name.to_str().ok_or("an option is no text")?;
            match name {
                "--" => break,
                "--attended" => {
                    attended = true;
                    continue;
                }
                _ => {}
            }
            let value = args.next().ok_or_else(|| format!("{name}: no value"))?;
            match name {
                "--rung" => rung = value.to_str().and_then(Rung::named),
                "--network" => network = value.to_str().and_then(Network::named),
                "--processes" => processes = value.to_str().and_then(|most| most.parse().ok()),
                "--memory" => memory = value.to_str().and_then(|most| most.parse().ok()),
                "--dir" => dir = Some(value.into()),
                "--tmp" => tmp = Some(value.into()),
                "--cache-changes" => cache_changes = Some(value.into()),
                "--writable" => writable.push(value.into()),
                "--protected" => protected.push(value.into()),
                "--cache" => caches.push(value.into()),
                _ => return Err(format!("{name}: no such option")),
            }
        }
        Ok(Self {
            rung: rung.ok_or("no rung")?,
            policy: SandboxPolicy {
                writable,
                protected,
                network: network.ok_or("no network")?,
                tmp: tmp.ok_or("no tmp")?,
                caches,
                cache_changes: cache_changes.ok_or("no cache-changes")?,
            },
            limits: Limits {
                processes: processes.ok_or("no processes")?,
                memory,
            },
            dir: dir.ok_or("no dir")?,
            attended,
            command: args.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect();
        let order = Order {
            rung: Rung::Landlock,
            policy: SandboxPolicy {
                writable: paths(&["/a b", "--network"]),
                protected: paths(&["/a b/.git/hooks"]),
                network: Network::On,
                tmp: "/t".into(),
                caches: paths(&["/c"]),
                cache_changes: "/u".into(),
            },
            limits: Limits {
                processes: 7,
                memory: Some(8),
            },
            dir: "/d".into(),
            attended: true,
            command: vec!["sh".into(), "--".into(), "--rung".into()],
        };
        assert_eq!(Order::from_args(order.to_args()), Ok(order));
    }

    #[test]
    fn nothing_is_assumed() {
        for args in [&["--"][..], &[], &["--rung"], &["--rung", "none", "--"]] {
            let args = args.iter().map(OsString::from);
            assert!(Order::from_args(args).is_err());
        }
    }
}
