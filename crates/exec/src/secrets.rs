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

/// Names that say nothing of what they hold.
const KNOWN: &[&str] = &["DATABASE_URL", "DSN", "KUBECONFIG", "PGPASS", "SENTRY_DSN"];

/// Names that look like secrets and are none.
const HARMLESS: &[&str] = &[
    "COLORTERM",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "KEYMAP",
    "XAUTHLOCALHOSTNAME",
    "XKB_DEFAULT_LAYOUT",
];

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

/// Whether a variable is kept from commands: it holds a secret, by its name or its looks, or it
/// makes programs load others.
pub fn is_hidden(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let upper = upper.as_str();
    if LOADING.contains(&upper)
        || LOADING_PREFIXES
            .iter()
            .any(|start| upper.starts_with(start))
    {
        return true;
    }
    if HARMLESS.contains(&upper) {
        return false;
    }
    KNOWN.contains(&upper) || SECRET.iter().any(|part| upper.contains(part)) || is_key(value)
}

/// Whether a value looks like a key, or is an address with a password in it.
fn is_key(value: &str) -> bool {
    let value = value.trim();
    let starts = KEY_PREFIXES.iter().any(|start| value.starts_with(start));
    (starts && value.len() >= 16) || has_password(value)
}

/// `scheme://user:password@host`
fn has_password(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user);
    user.is_some_and(|user| user.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_secrets_are_hidden() {
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
        ];
        assert_eq!(secrets.len(), 30);
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
        ] {
            assert!(!is_hidden(name, value), "{name}");
        }
    }
}
