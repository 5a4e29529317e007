//! Variables that are none of a command's business.

/// Parts of names that secrets go by.
const SECRET: &[&str] = &[
    "APIKEY",
    "AUTH",
    "CREDENTIAL",
    "KEY",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PRIVATE",
    "SECRET",
    "TOKEN",
];

/// Words that secrets go by, too short to look for them within others.
const SECRET_WORDS: &[&str] = &[
    "COOKIE",
    "COOKIES",
    "CRED",
    "CREDS",
    "DSN",
    "JWT",
    "OTP",
    "PASS",
    "PAT",
    "PIN",
    "PSK",
    "PW",
    "PWD",
    "SALT",
    "SAS",
    "SESSION",
    "SESSIONID",
    "WEBHOOK",
    "WEBHOOKS",
];

/// Names that say nothing of what they hold.
const KNOWN: &[&str] = &["DATABASE_URL", "KUBECONFIG", "PGPASS", "SESSID"];

/// Names that look like secrets and are none.
const HARMLESS: &[&str] = &[
    "COLORTERM",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GNOME_DESKTOP_SESSION_ID",
    "KEYMAP",
    "OLDPWD",
    "PWD",
    "SESSION_MANAGER",
    "TERM_SESSION_ID",
    "XAUTHLOCALHOSTNAME",
    "XKB_DEFAULT_LAYOUT",
];
const HARMLESS_PREFIXES: &[&str] = &["XDG_SESSION_"];

/// Variables that make every program load another, or every shell run a file.
const LOADING: &[&str] = &[
    "BASHOPTS",
    "BASH_ENV",
    "ENV",
    "GCONV_PATH",
    "PROMPT_COMMAND",
    "PS4",
    "SHELLOPTS",
];
const LOADING_PREFIXES: &[&str] = &["BASH_FUNC_", "DYLD_", "LD_"];

/// How keys of well-known services begin.
const KEY_PREFIXES: &[&str] = &[
    "AIza",
    "AKIA",
    "ASIA",
    "Bearer ",
    "eyJ",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "gsk_",
    "hf_",
    "npm_",
    "pypi-",
    "rk_live_",
    "sk-",
    "sk_live_",
    "xai-",
    "xoxb-",
    "xoxp-",
    "ya29.",
    "-----BEGIN",
];

/// What stands before `=` and a secret in settings that are written in one line.
const SETTINGS: &[&str] = &[
    "accesskey",
    "accountkey",
    "apikey",
    "api_key",
    "passphrase",
    "passwd",
    "password",
    "pwd",
    "secret",
    "sharedaccesskey",
    "token",
];

/// Addresses that let whoever knows them do something.
const SECRET_ADDRESSES: &[&str] = &[
    "://discord.com/api/webhooks/",
    "://hooks.slack.com/",
    ".webhook.office.com/",
];

/// Whether a variable is kept from commands: it holds a secret, by its name or its looks, or it
/// makes programs load others.
pub fn is_hidden(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let upper = upper.as_str();
    let starts = |starts: &[&str]| starts.iter().any(|start| upper.starts_with(start));
    if LOADING.contains(&upper) || starts(LOADING_PREFIXES) {
        return true;
    }
    let harmless = HARMLESS.contains(&upper) || starts(HARMLESS_PREFIXES);
    is_secret(value) || (!harmless && (KNOWN.contains(&upper) || is_secret_name(name)))
}

/// Whether a name speaks of a secret: anywhere in it, or as a word of its own (`DB_PWD`, `dbPass`).
fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let mut spaced = String::new();
    let mut before = ' ';
    for c in name.chars() {
        if before.is_ascii_lowercase() && c.is_ascii_uppercase() {
            spaced.push(' ');
        }
        spaced.push(c.to_ascii_uppercase());
        before = c;
    }
    let mut words = spaced.split(|c: char| !c.is_ascii_alphabetic());
    SECRET.iter().any(|part| upper.contains(part)) || words.any(|word| SECRET_WORDS.contains(&word))
}

/// Whether a value looks like a key, or has a password in it.
fn is_secret(value: &str) -> bool {
    let value = value.trim();
    let starts = KEY_PREFIXES.iter().any(|start| value.starts_with(start));
    let address = SECRET_ADDRESSES.iter().any(|part| value.contains(part));
    (starts && value.len() >= 16) || address || has_login(value) || has_setting(value)
}

/// `scheme://user:password@host`, or `https://token@host`, anywhere.
fn has_login(value: &str) -> bool {
    let mut addresses = value.match_indices("://");
    addresses.any(|(at, mark)| {
        let end = |c: char| c == '/' || c == ',' || c.is_whitespace() || "'\"<>|".contains(c);
        let authority = value[at + mark.len()..].split(end).next();
        let user = authority.and_then(|all| all.rsplit_once('@'));
        let web = value[..at].ends_with("http") || value[..at].ends_with("https");
        user.is_some_and(|(user, _)| user.contains(':') || web)
    })
}

/// `Server=host;Password=hunter2`
fn has_setting(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut settings = lower.match_indices('=');
    settings.any(|(at, _)| {
        let name = lower[..at].trim_end();
        let given = lower[at + 1..].trim_start();
        let given = given.starts_with(|c: char| !";,&\"'$".contains(c)) && !given.is_empty();
        given && SETTINGS.iter().any(|setting| name.ends_with(setting))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        let secrets = [
            ("OPENAI_API_KEY", "x"),
            ("ANTHROPIC_API_KEY", "x"),
            ("GEMINI_API_KEY", "x"),
            ("AWS_ACCESS_KEY_ID", "x"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("AWS_SESSION_TOKEN", "x"),
            ("GITHUB_TOKEN", "x"),
            ("GH_TOKEN", "x"),
            ("NPM_TOKEN", "x"),
            ("CARGO_REGISTRY_TOKEN", "x"),
            ("DB_PASSWORD", "x"),
            ("MYSQL_PWD_PASSWD", "x"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "/x"),
            ("AZURE_CLIENT_SECRET", "x"),
            ("my_secret", "x"),
            ("SSH_AUTH_SOCK", "/run/x"),
            ("DATABASE_URL", "postgres://h/db"),
            ("SENTRY_DSN", "x"),
            ("KUBECONFIG", "/x"),
            ("GPG_PASSPHRASE", "x"),
            ("SIGNING_PRIVATE", "x"),
            ("STRIPE", "sk_live_0123456789abcdef"),
            ("A", "ghp_0123456789abcdefghij"),
            ("B", "AKIA0123456789ABCDEF"),
            ("C", "xoxb-0123456789-abc"),
            ("D", "AIzaSy0123456789abcdef"),
            ("E", "eyJhbGciOiJIUzI1NiJ9.e30.x"),
            ("F", "sk-proj-0123456789abcdef"),
            ("PROXY", "http://me:hunter2@proxy:8080"),
            ("G", "-----BEGIN OPENSSH PRIVATE KEY-----\n"),
            ("MY_PASS", "x"),
            ("dbPass", "x"),
            ("DB_PWD", "x"),
            ("COOKIE", "x"),
            ("SESSION_ID", "x"),
            ("SLACK_WEBHOOK", "x"),
            ("GH_PAT", "x"),
            ("CONNECTION", "Server=h;User Id=sa;Password=hunter2;"),
            ("STORAGE", "AccountName=a;AccountKey=abc=="),
            ("OPTIONS", "-Dkeystore.password = hunter2"),
            ("NOTIFY", "https://hooks.slack.com/services/T0/B0/x"),
            ("INDEXES", "https://a/simple, https://me:hunter2@b/simple"),
            ("INDEX", "https://0123456789abcdef@b/simple"),
            ("ODD", "postgres://me:hunt#r2@host/db"),
            ("PWD", "https://me:hunter2@b/"),
        ];
        for (name, value) in secrets {
            assert!(is_hidden(name, value), "{name}={value}");
        }
    }

    #[test]
    fn what_makes_programs_load_others_is_hidden() {
        for name in [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "DYLD_INSERT_LIBRARIES",
            "BASH_ENV",
            "ENV",
            "BASH_FUNC_ls%%",
        ] {
            assert!(is_hidden(name, "/x"), "{name}");
        }
    }

    #[test]
    fn what_builds_need_is_there() {
        for (name, value) in [
            ("PATH", "/usr/bin"),
            ("HOME", "/home/me"),
            ("LANG", "C.UTF-8"),
            ("CARGO_HOME", "/c"),
            ("RUSTFLAGS", "-C opt-level=1"),
            ("JAVA_HOME", "/j"),
            ("GIT_AUTHOR_NAME", "Me"),
            ("GOPROXY", "https://proxy.golang.org,direct"),
            ("HTTP_PROXY", "http://proxy:8080"),
            ("EDITOR", "vi"),
            ("COLORTERM", "truecolor"),
            ("NODE_ENV", "test"),
            ("SK", "sk-short"),
            ("PWD", "/home/me"),
            ("OLDPWD", "/home/me"),
            ("LS_COLORS", "rs=0:di=01;34:ln=01;36:*.tar=01;31"),
            ("XDG_SESSION_ID", "3"),
            ("XDG_SESSION_TYPE", "wayland"),
            ("DESKTOP_SESSION", "gnome"),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus"),
            ("SSH_ASKPASS", "/usr/bin/askpass"),
            ("MANPATH", "/usr/share/man"),
            ("SSL_CERT_FILE", "/etc/ssl/ca.pem"),
            ("SHELL", "/bin/bash"),
            ("REPOSITORY", "ssh://git@host:22/me/it"),
            ("REGISTRY", "http://host:8080/@scope/"),
            ("COMPASS", "north"),
            ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
            ("MAKEFLAGS", "-j4 --jobserver-auth=3,4"),
            ("NODE_OPTIONS", "--max-old-space-size=4096"),
        ] {
            assert!(!is_hidden(name, value), "{name}");
        }
    }
}
