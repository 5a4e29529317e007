//! Variables that change what programs do.

use crate::judge::Judge;

/// Set freely: they choose a language, a time zone, or colours.
const HARMLESS: [&str; 5] = ["LANG", "LANGUAGE", "TZ", "NO_COLOR", "LC_"];

/// Beginnings of names that choose what is loaded or run.
const LOADING: [&str; 26] = [
    "LD_",
    "DYLD_",
    "GIT_",
    "BASH_",
    "PYTHON",
    "PERL",
    "RUBY",
    "NODE_",
    "NPM_CONFIG_",
    "JAVA_",
    "JDK_",
    "_JAVA",
    "MAVEN_",
    "GRADLE_",
    "RUSTC",
    "RUSTUP_",
    "RUSTDOC",
    "CARGO_",
    "XDG_",
    "POLLUX_",
    "LESS",
    "FZF_",
    "BAT_",
    "MAKE",
    "LUA_",
    "OPENSSL_",
];

/// Names of that sort.
const RUNNING: [&str; 60] = [
    "PATH",
    "HOME",
    "SHELL",
    "ENV",
    "IFS",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PROMPT_COMMAND",
    "SHELLOPTS",
    "BASHOPTS",
    "CDPATH",
    "GLOBIGNORE",
    "FPATH",
    "ZDOTDIR",
    "PAGER",
    "MANPAGER",
    "MANOPT",
    "MANPATH",
    "SYSTEMD_PAGER",
    "PSQL_PAGER",
    "EDITOR",
    "VISUAL",
    "FCEDIT",
    "HGEDITOR",
    "BROWSER",
    "VIMINIT",
    "EXINIT",
    "MYVIMRC",
    "INPUTRC",
    "TERMINFO",
    "TERMCAP",
    "RIPGREP_CONFIG_PATH",
    "GREP_OPTIONS",
    "TAR_OPTIONS",
    "RSYNC_RSH",
    "CVS_RSH",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SSH_AUTH_SOCK",
    "DOCKER_HOST",
    "KUBECONFIG",
    "CURL_HOME",
    "WGETRC",
    "CLASSPATH",
    "CC",
    "CXX",
    "LD",
    "AR",
    "AWKPATH",
    "AWKLIBPATH",
    "GCONV_PATH",
    "LOCPATH",
    "NLSPATH",
    "HOSTALIASES",
    "PKG_CONFIG",
    "USER",
    "LOGNAME",
];

/// The variable of a loop, or one that is filled with what is read.
pub(crate) fn counted(judge: &mut Judge<'_>, name: &str) {
    if decides(name) {
        judge.danger("sets a variable that decides which programs run", name);
    }
}

/// Arithmetic that names a variable which decides something, and sets any.
pub(crate) fn calculated(judge: &mut Judge<'_>, text: &str, about: &str) {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = text.split(|c: char| !is_letter(c));
    let sets = text.contains('=') || text.contains("++") || text.contains("--");
    if sets && names.any(decides) {
        judge.danger("sets a variable that decides which programs run", about);
    }
}

/// Whether a variable of that name decides what is loaded or run.
fn decides(name: &str) -> bool {
    let upper = name.to_uppercase();
    RUNNING.contains(&name) || LOADING.iter().any(|start| upper.starts_with(start))
}

/// A value is given to the variable `name`.
pub(crate) fn assigned(judge: &mut Judge<'_>, name: &str, value: &str, about: &str) {
    let is_harmless = HARMLESS
        .iter()
        .any(|known| name == *known || known.ends_with('_') && name.starts_with(known));
    let has_path = value.trim_matches(['\'', '"']).starts_with([':', '/', '.'])
        || name != "TZ" && value.contains('/');
    if decides(name) {
        judge.danger("sets a variable that decides which programs run", about);
    } else if !is_harmless || has_path {
        judge.ask("sets a variable", about);
    }
}

/// `NAME=value` in an argument, as of `export` and `env`.
pub(crate) fn assigned_in(judge: &mut Judge<'_>, text: &str, about: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) {
        return false;
    }
    assigned(judge, name, value, about);
    true
}
