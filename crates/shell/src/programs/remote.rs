//! Containers and clouds: what is deleted there is gone.

use super::Rule;
use crate::args::Arg;
use crate::judge::{Call, Judge};

pub(super) const RULES: &[(&str, Rule)] = &[
    (
        "docker podman nerdctl docker-compose podman-compose",
        containers,
    ),
    (
        "kubectl oc helm k9s terraform tofu pulumi aws gcloud az doctl heroku flyctl fly vercel netlify firebase wrangler ansible ansible-playbook \
        vagrant virsh eksctl serverless sls cdk",
        cloud,
    ),
];

/// Words that delete for good.
const DELETING: [&str; 22] = [
    "rm",
    "rmi",
    "prune",
    "kill",
    "destroy",
    "delete",
    "uninstall",
    "terminate",
    "rb",
    "purge",
    "drain",
    "remove",
    "undefine",
    "down",
    "teardown",
    "wipe",
    "nuke",
    "evict",
    "dropdb",
    "pg:reset",
    "apps:destroy",
    "-auto-approve",
];

fn containers(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("talks to a daemon with all rights", call.source);
    let words: Vec<&str> = call.texts().collect();
    let is_wide = |word: &&str| {
        matches!(
            *word,
            "--privileged"
                | "--pid=host"
                | "--network=host"
                | "--net=host"
                | "--userns=host"
                | "--ipc=host"
                | "--uts=host"
        ) || word.contains("docker.sock")
            || word.starts_with("--cap-add")
            || word.contains("apparmor=unconfined")
            || word.contains("seccomp=unconfined")
            || word.starts_with("--device")
    };
    if words.iter().any(is_wide) {
        judge.danger("gives a container rights over the machine", call.source);
    }
    for pair in words.windows(2) {
        if matches!(
            pair[0],
            "--pid" | "--network" | "--net" | "--userns" | "--ipc"
        ) && pair[1] == "host"
        {
            judge.danger("gives a container rights over the machine", call.source);
        }
    }
    mounts(judge, call);
    let command = words
        .iter()
        .find(|word| !word.starts_with('-'))
        .copied()
        .unwrap_or_default();
    let forced = words.iter().any(|word| {
        matches!(
            *word,
            "-f" | "--force" | "-v" | "--volumes" | "-a" | "--all"
        )
    });
    let deletes =
        DELETING.contains(&command) || words.iter().take(3).any(|word| DELETING.contains(word));
    if words.contains(&"prune")
        || deletes && forced
        || words.windows(2).any(|pair| pair == ["volume", "rm"])
    {
        judge.danger("deletes containers or their data", call.source);
    }
    if matches!(command, "push" | "login") {
        judge.danger("publishes, or changes what is published", call.source);
    }
    judge.anything(call);
}

/// Directories of the machine that a container gets.
fn mounts(judge: &mut Judge<'_>, call: &Call<'_>) {
    let mut takes = false;
    for arg in call.rest() {
        let text = arg.text.as_str();
        let value = if takes {
            Some(text)
        } else {
            ["-v", "--volume=", "--mount="]
                .iter()
                .find_map(|flag| text.strip_prefix(flag))
                .filter(|value| !value.is_empty())
        };
        takes = matches!(text, "-v" | "--volume" | "--mount");
        let Some(value) = value else { continue };
        let source = value.split([':', ',']).find_map(|part| {
            let part = part
                .strip_prefix("source=")
                .or(part.strip_prefix("src="))
                .unwrap_or(part);
            part.starts_with(['/', '~', '.']).then_some(part)
        });
        if let Some(source) = source {
            if judge.is_everything(source) && judge.reading(source) != crate::paths::Place::Inside {
                judge.danger("gives a container rights over the machine", call.source);
            }
            judge.hands_over(&Arg::of(source));
            judge.writes_text(source, &arg.source);
        }
    }
}

fn cloud(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("talks to machines elsewhere", call.source);
    let words: Vec<&str> = call.texts().collect();
    let deletes = |word: &&str| {
        DELETING.contains(word)
            || [
                "delete-",
                "terminate-",
                "remove-",
                "destroy-",
                "purge-",
                "deregister-",
                "--delete",
                "--auto-approve",
            ]
            .iter()
            .any(|start| word.starts_with(start))
    };
    if words.iter().any(deletes) || words.contains(&"apply") && words.contains(&"--force") {
        judge.danger("deletes elsewhere, for good", call.source);
    }
    let is_remote = |word: &&str| word.starts_with("s3://") || word.starts_with("gs://");
    let copies = words
        .iter()
        .any(|word| matches!(*word, "cp" | "mv" | "sync"));
    if copies && words.last().is_some_and(is_remote) {
        judge.danger("sends files to another machine", call.source);
    }
    let secrets = [
        "get-secret-value",
        "print-access-token",
        "get-token",
        "get-session-token",
        "create-access-key",
        "get-parameter",
    ];
    let reads_secret = words
        .windows(2)
        .any(|pair| pair[0] == "get" && pair[1].starts_with("secret"));
    if words.iter().any(|word| secrets.contains(word))
        || reads_secret
        || words.contains(&"access-secret")
    {
        judge.danger("shows secrets", call.source);
    }
    judge.anything(call);
}
