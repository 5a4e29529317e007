//! Where keys, passwords and the like are kept.

use super::{holds, means};

/// Directories whose content nobody but their program should read, wherever they are.
const DIRECTORIES: [&[&str]; 21] = [
    &[".ssh"],
    &[".gnupg"],
    &[".aws"],
    &[".azure"],
    &[".kube"],
    &[".password-store"],
    &[".mozilla"],
    &[".thunderbird"],
    &[".config", "gcloud"],
    &[".config", "gh"],
    &[".config", "op"],
    &[".config", "hub"],
    &[".config", "rclone"],
    &[".config", "google-chrome"],
    &[".config", "chromium"],
    &[".config", "bravesoftware"],
    &[".local", "share", "keyrings"],
    &[".docker", "config.json"],
    &[".cargo", "credentials"],
    &["library", "keychains"],
    &["proc", "kcore"],
];

/// Files by name, wherever they are.
const FILES: [&str; 38] = [
    ".env",
    ".envrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".vault-token",
    ".terraformrc",
    ".s3cfg",
    ".boto",
    ".dockercfg",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    ".mysql_history",
    ".node_repl_history",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "client_secret.json",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.toml",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_ecdsa_sk",
    "id_ed25519_sk",
    "master.key",
    "wallet.dat",
    "login.keychain-db",
];

/// Endings of key files.
const ENDINGS: [&str; 10] = [
    "pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "gpg", "age",
];

/// What follows `.env.` where it holds examples only.
const EXAMPLES: [&str; 8] = [
    "example", "sample", "template", "dist", "default", "defaults", "schema", "tpl",
];

/// Words in the name of a variable that holds a secret.
const WORDS: [&str; 12] = [
    "KEY",
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "PWORD",
    "APIKEY",
    "AUTH",
];

/// Whether the absolute `path` is a secret, or in a directory of secrets.
pub(super) fn is_secret(path: &str) -> bool {
    let path = path.to_lowercase();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let in_directory = DIRECTORIES.iter().any(|wanted| holds(&parts, wanted));
    in_directory
        || parts.last().is_some_and(|name| is_secret_name(name))
        || is_system_secret(&parts)
}

/// Whether a file of that name is a secret wherever it is.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_lowercase();
    if let Some(kind) = name.strip_prefix(".env.") {
        return !EXAMPLES.contains(&kind);
    }
    // The name is in lower case.
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_dotenv = ending == "env" && !EXAMPLES.contains(&stem);
    is_dotenv
        || FILES.iter().any(|file| means(&name, file))
        || ENDINGS.contains(&ending)
        || stem.starts_with("service-account") && ending == "json"
}

/// The same as attributes for git, which then takes such files for binary and shows nothing of them.
pub(crate) fn attributes() -> String {
    let directories = DIRECTORIES.iter().flat_map(|parts| {
        let dir = parts.join("/");
        [format!("**/{dir}"), format!("**/{dir}/**")]
    });
    let dotenv = [".env.*", "*.env", "service-account*.json"];
    let dotenv = dotenv.into_iter().map(str::to_owned);
    let files = FILES.iter().map(|file| (*file).to_owned());
    let endings = ENDINGS.iter().map(|ending| format!("*.{ending}"));
    let secret = directories.chain(dotenv).chain(files).chain(endings);
    let secret = secret.map(|pattern| format!("{} -diff\n", in_any_case(&pattern)));
    let examples = EXAMPLES
        .iter()
        .flat_map(|word| [format!(".env.{word}"), format!("{word}.env")]);
    let examples = examples.map(|pattern| format!("{} !diff\n", in_any_case(&pattern)));
    secret.chain(examples).collect()
}

/// A glob for `pattern` whatever the case of its letters.
fn in_any_case(pattern: &str) -> String {
    let letters = pattern.chars().map(|c| {
        if c.is_ascii_alphabetic() {
            format!("[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase())
        } else {
            c.to_string()
        }
    });
    letters.collect()
}

fn is_system_secret(parts: &[&str]) -> bool {
    match parts {
        ["etc", name] => ["shadow", "gshadow", "sudoers", "shadow-"]
            .iter()
            .any(|file| means(name, file)),
        ["etc", "sudoers.d" | "ssl" | "wireguard", ..] => parts.len() > 2,
        ["proc", .., name] => ["environ", "mem", "auxv"]
            .iter()
            .any(|file| means(name, file)),
        ["dev", name] => matches!(*name, "mem" | "kmem" | "port") || is_disk(name),
        ["var", "run" | "lib", "docker.sock" | "secrets", ..] | ["run", "secrets", ..] => true,
        _ => false,
    }
}

/// Whether a device of that name is a whole disk.
pub(super) fn is_disk(name: &str) -> bool {
    [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "loop", "dm-", "md", "disk", "rdisk",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
}

/// Whether a variable of that name is likely to hold a secret.
pub(crate) fn is_secret_variable(name: &str) -> bool {
    let name = name.trim_start_matches(['!', '#']).to_uppercase();
    let joined = ["APIKEY", "ACCESSKEY", "PRIVATEKEY", "AUTHTOKEN"];
    name.split('_').any(|word| WORDS.contains(&word))
        || joined.iter().any(|word| name.contains(word))
        || name == "DATABASE_URL"
        || name == "PGPASSWORD"
}
