//! The rungs of the ladder: how a command can be confined, the best first.

/// How commands are confined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// In namespaces of their own, with a file system that is read-only but for what is writable;
    /// with Landlock and a filter of system calls on top.
    Namespaces,
    /// With Landlock and a filter of system calls alone, where namespaces are refused. What is
    /// protected is put back afterwards.
    Landlock,
}

impl Rung {
    /// All of them, the best first.
    pub const ALL: [Self; 2] = [Self::Namespaces, Self::Landlock];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Landlock => "landlock",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rung| rung.name() == name)
    }

    /// What it cannot do, for people.
    pub fn gaps(self) -> &'static [&'static str] {
        match self {
            Self::Namespaces => &[],
            Self::Landlock => &[
                "other processes can be seen, but not touched",
                "modes and times of files outside can be changed; of protected ones, changed modes are told",
                "owners and extended attributes of files stay as they are, also in the project",
                "there is no loopback network, and no sockets between processes",
                "there are no terminals and no shared memory (`/dev/pts`, `/dev/shm`)",
                "caches of build tools and `/tmp` are read-only; `$TMPDIR` is not",
                "processes that detach themselves survive if the helper is killed",
            ],
        }
    }

    /// The namespaces to make for it.
    #[cfg(target_os = "linux")]
    pub(super) fn namespaces(self, network: super::Network) -> libc::c_int {
        let own_network = match network {
            super::Network::On => 0,
            super::Network::Off | super::Network::Loopback => libc::CLONE_NEWNET,
        };
        match self {
            Self::Namespaces => {
                libc::CLONE_NEWUSER
                    | libc::CLONE_NEWNS
                    | libc::CLONE_NEWPID
                    | libc::CLONE_NEWIPC
                    | own_network
            }
            Self::Landlock => 0,
        }
    }
}
