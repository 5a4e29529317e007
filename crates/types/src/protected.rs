//! What decides which programs run later: whoever writes there runs something.
//!
//! One list for everybody who asks: the policy about edits, the reading of commands, and the
//! sandbox. How names are compared is theirs to know.

/// Files and directories below a project, below the home directory, or anywhere else; a directory
/// stands for all below it. In lower case: nobody's case counts, since some file systems do not
/// care. No command may change them.
pub const NAMES: &[&str] = &[
    // Repositories. What git needs to work with is open to commands: see [`IN_GIT`].
    GIT,
    ".gitconfig",
    ".config/git",
    ".husky",
    // Agents, pollux among them, and the servers that they start.
    ".pollux",
    ".agents",
    ".claude",
    ".codex",
    ".continue",
    ".cursor",
    ".gemini",
    ".windsurf",
    ".mcp.json",
    "mcp.json",
    "mcp_config.json",
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    // Editors.
    ".devcontainer",
    ".dir-locals.el",
    ".emacs",
    ".emacs.d",
    ".exrc",
    ".idea",
    ".nvim.lua",
    ".nvimrc",
    ".vim",
    ".vimrc",
    ".vscode",
    ".zed",
    // Shells, and what starts with a terminal or a desktop.
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".config/autostart",
    ".config/fish",
    ".config/systemd",
    ".cshrc",
    ".envrc",
    ".inputrc",
    ".kshrc",
    ".local/bin",
    ".login",
    ".profile",
    ".tcshrc",
    ".tmux.conf",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    "config.fish",
    // Debuggers and other tools.
    ".gdbinit",
    ".lldbinit",
    ".ripgreprc",
    // Who may come in, and as whom one goes out.
    ".aws",
    ".gnupg",
    ".kube",
    ".netrc",
    ".ssh",
    "authorized_keys",
];

/// What decides it together with the project's own code. Commands may change it: git has to be
/// able to check it out.
pub const BUILD_SETTINGS: &[&str] = &[
    ".cargo/config",
    ".cargo/config.toml",
    ".gitmodules",
    ".mise.toml",
    ".npmrc",
    ".pre-commit-config.yaml",
    ".yarnrc",
    ".yarnrc.yml",
    "mise.toml",
];

/// The same for files that have no name of their own but an ending: editors run what stands there.
pub const ENDINGS: &[&str] = &[".code-workspace"];

/// The directory of a repository.
pub const GIT: &str = ".git";

/// The same below [`GIT`], for whoever has to let git itself work there.
pub const IN_GIT: &[&str] = &[
    "commondir",
    "config",
    "config.worktree",
    "hooks",
    "info/attributes",
];
