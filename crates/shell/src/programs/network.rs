//! Programs that talk to other machines.

use super::{ASKED, Floor, Operands, Program, Rule};
use crate::args::Arg;
use crate::judge::{Call, Judge, Stdin};
use crate::options::{NONE, Options, Parsed};

/// Programs whose output comes from elsewhere.
pub(crate) fn is_network(name: &str) -> bool {
    matches!(
        name,
        "curl"
            | "wget"
            | "wget2"
            | "fetch"
            | "aria2c"
            | "axel"
            | "lynx"
            | "w3m"
            | "http"
            | "https"
            | "xh"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "ftp"
            | "lftp"
            | "tftp"
            | "ssh"
            | "scp"
            | "sftp"
            | "telnet"
    )
}

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "curl",
        options: Options {
            writes: "-o --output -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --output-dir --etag-save --hsts --alt-svc",
            reads: "--cacert --capath -E --cert --key --netrc-file",
            asks_value: "-K --config -H --header -A --user-agent -x --proxy -e --referer -m --max-time --retry --connect-timeout -w \
                --write-out -r --range -b --cookie -u --user -U --proxy-user --resolve --connect-to --interface -Y -y -z --doh-url --dns-servers",
            endangers_value: "-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string -T --upload-file -Q --quote \
                --unix-socket --abstract-unix-socket -t --telnet-option --mail-from --mail-rcpt --engine",
            asks: "-O --remote-name -J -L -s -S -f -k -I -v -i -g -G -q -n -N -# -Z -R -j -l -a -p -B -0 -1 -2 -3 -4 -6",
            harmless_value: "-X --request --url -C --continue-at --limit-rate --max-redirs",
            ..NONE
        },
        floor: Floor::Ask("talks to the network"),
        peril: "sends something to another machine, or reaches a service of this one",
        rule: Some(web),
        ..ASKED
    },
    Program {
        names: "wget wget2",
        options: Options {
            writes: "-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies",
            endangers_value: "--post-data --post-file --body-data --body-file",
            runs: "--use-askpass -e --execute --config",
            harmless_value: "--method -U --user-agent --header -t --tries -T --timeout -i --input-file",
            ..NONE
        },
        floor: Floor::Ask("talks to the network"),
        peril: "sends something to another machine",
        rule: Some(web),
        ..ASKED
    },
    Program {
        names: "http https xh httpie fetch aria2c axel lynx w3m links elinks ftp lftp tftp gh glab hub",
        floor: Floor::Ask("talks to the network"),
        rule: Some(web),
        ..ASKED
    },
    Program {
        names: "nc ncat netcat socat telnet ngrok cloudflared chisel websocat",
        floor: Floor::Danger("opens a raw network connection"),
        ..ASKED
    },
    Program {
        names: "ping ping6 traceroute tracepath mtr nslookup dig host whois getent drill resolvectl arping nmap",
        floor: Floor::Ask("talks to the network"),
        rule: Some(names),
        ..ASKED
    },
    Program {
        names: "mail mailx mutt sendmail msmtp swaks",
        floor: Floor::Danger("sends mail"),
        ..ASKED
    },
    Program {
        names: "scp sftp",
        options: Options {
            runs: "-S -D",
            asks_value: "-o -i -P -F -l -c -J",
            ..NONE
        },
        floor: Floor::Ask("copies files over the network"),
        rule: Some(copies_away),
        ..ASKED
    },
    Program {
        names: "ssh-keygen ssh-add ssh-copy-id ssh-agent ssh-keyscan gpg gpg2 pass op vault security secret-tool keyring",
        floor: Floor::Ask("handles keys"),
        rule: Some(keys),
        ..ASKED
    },
    Program {
        names: "rclone s3cmd gsutil ncftpput curlftpfs sshfs",
        floor: Floor::Ask("copies files over the network"),
        rule: Some(copies_away),
        ..ASKED
    },
    Program {
        names: "tcpdump tshark wireshark",
        options: Options {
            runs: "-z",
            writes: "-w",
            ..NONE
        },
        operands: Operands::Anything,
        floor: Floor::Danger("listens to the network"),
        ..ASKED
    },
];

pub(super) const RULES: &[(&str, Rule)] = &[("ssh autossh mosh", ssh), ("openssl", openssl)];

/// Data in an address, or a request that changes something, is more than fetching.
fn web(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let method = parsed
        .value("-X --request --method")
        .unwrap_or_default()
        .to_uppercase();
    if matches!(method.as_str(), "POST" | "PUT" | "PATCH" | "DELETE") {
        judge.danger("sends data over the network", call.source);
    }
    let words: Vec<String> = call.texts().map(str::to_lowercase).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    if ["post", "put", "patch", "delete"]
        .iter()
        .any(|method| has(method))
        || has("upload")
        || has("publish")
    {
        judge.danger("sends or deletes something over the network", call.source);
    }
    let follows = |first: &str, second: &str| {
        words
            .windows(2)
            .any(|pair| pair[0] == first && pair[1] == second)
    };
    if follows("gist", "create") || follows("auth", "token") || follows("secret", "set") {
        judge.danger("gives something away", call.source);
    }
    names(judge, call, parsed);
    for arg in call.rest() {
        judge.hands_over(arg);
        if let Some(path) = arg.text.strip_prefix("file://") {
            judge.reads_text(path, &arg.source);
        }
    }
}

/// What another command prints, as part of a name or address, is given away by asking for it.
fn names(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    if call.rest().iter().any(|arg| arg.is_output) || judge.is_fed {
        judge.danger("gives data away in an address", call.source);
    }
}

/// From here to another machine is giving away, the other way is fetching.
pub(super) fn copies_away(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let is_remote = |arg: &Arg| {
        let host = arg.text.split('/').next().unwrap_or_default();
        host.contains(':') || arg.text.contains("://")
    };
    let target = parsed.operands.last().filter(|_| parsed.operands.len() > 1);
    if target.is_some_and(|arg| is_remote(arg)) {
        judge.danger("sends files to another machine", call.source);
    } else if let Some(target) = target {
        judge.writes_text(&target.text, &target.source);
    }
    let words: Vec<&str> = call.texts().collect();
    if words
        .iter()
        .any(|word| word.contains("ProxyCommand") || word.contains("LocalCommand"))
    {
        judge.danger("runs a program", call.source);
    }
    if words.iter().any(|word| {
        matches!(
            *word,
            "rm" | "rb" | "delete" | "purge" | "del" | "sync" | "--delete"
        )
    }) {
        judge.danger("deletes on another machine", call.source);
    }
}

fn keys(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    let words: Vec<&str> = call.texts().collect();
    let gives = [
        "--export-secret-keys",
        "--export-secret-subkeys",
        "-D",
        "--delete-secret-keys",
        "--delete-keys",
        "show",
        "read",
        "get",
    ];
    if gives.iter().any(|word| words.contains(word))
        || words
            .iter()
            .any(|word| word.starts_with("find-") || word.starts_with("dump-"))
    {
        judge.danger("shows or deletes keys", call.source);
    }
}

const SSH: Options = Options {
    harmless: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
    harmless_value: "-b -c -e -I -i -J -l -m -O -p -Q -S -B",
    asks_value: "-o -F -E -L -D -W -w",
    endangers_value: "-R",
    stop_at_operand: true,
    ..NONE
};

/// A command for another machine is judged as if it ran here.
fn ssh(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("runs something on another machine", call.source);
    let parsed = SSH.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
        let value = given.value.as_deref().unwrap_or_default().to_lowercase();
        let runs = [
            "proxycommand",
            "localcommand",
            "knownhostscommand",
            "proxyusefdpass",
            "pkcs11provider",
            "securitykeyprovider",
        ];
        if given.name == "-o" && runs.iter().any(|option| value.contains(option)) {
            judge.danger("runs a program that a flag names", call.source);
        }
        if given.name == "-i" {
            judge.hands_over(&Arg::of(given.value.as_deref().unwrap_or_default()));
        }
    }
    if call.stdin == Stdin::Pipe {
        judge.danger("sends data to another machine", call.source);
    }
    if call.rest().iter().any(|arg| arg.is_output) {
        judge.danger("gives data away in an address", call.source);
    }
    let words: Vec<&str> = parsed
        .operands
        .iter()
        .skip(1)
        .map(|arg| arg.text.as_str())
        .collect();
    if !words.is_empty() {
        judge.code(&words.join(" "), call.source);
    }
}

fn openssl(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("handles keys", call.source);
    if call
        .texts()
        .any(|text| matches!(text, "s_client" | "s_server" | "-engine" | "-provider"))
    {
        judge.danger("opens a raw network connection, or loads code", call.source);
    }
    judge.anything(call);
}
