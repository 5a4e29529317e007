//! `sed`, whose scripts can write files and run programs, and `awk`, whose programs can too.

use super::Rule;
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options};

pub(super) const RULES: &[(&str, Rule)] = &[("sed gsed", sed), ("awk gawk mawk nawk", awk)];

const SED: Options = Options {
    harmless: "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --sandbox \
        --follow-symlinks",
    harmless_value: "-e -l --expression --line-length",
    asks_value: "-f --file",
    harmless_attached: "-i --in-place",
    ..NONE
};

fn sed(judge: &mut Judge<'_>, call: &Call<'_>) {
    let parsed = SED.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
    }
    let mut scripts: Vec<String> = Vec::new();
    for given in &parsed.options {
        if matches!(given.name.as_str(), "-e" | "--expression") {
            scripts.extend(given.value.clone());
        }
    }
    let mut files = parsed.operands.as_slice();
    if scripts.is_empty() && !parsed.has("-f --file") {
        match files.split_first() {
            Some((script, rest)) => {
                scripts.push(script.text.clone());
                files = rest;
            }
            None => return judge.ask("has no script", call.source),
        }
    }
    let in_place = parsed.has("-i --in-place");
    if in_place {
        judge.ask("changes files in place", call.source);
    }
    for file in files {
        judge.reads(file);
        if in_place {
            judge.writes_text(&file.text, &file.source);
        }
    }
    script(judge, &scripts.join("\n"), call);
    let waits = files.is_empty() && call.stdin == crate::judge::Stdin::Inherited;
    if waits && !judge.is_fed {
        judge.ask("waits for input", call.source);
    }
}

/// Walks a sed script command by command. What it does not know is asked about.
fn script(judge: &mut Judge<'_>, text: &str, call: &Call<'_>) {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}']);
        if rest.is_empty() {
            return;
        }
        let Some(after) = addresses(rest) else {
            return judge.ask("has a sed script that is not understood", call.source);
        };
        let mut letters = after.chars();
        let Some(command) = letters.next() else {
            return judge.ask("has a sed script that is not understood", call.source);
        };
        let Some(next) = sed_command(judge, command, letters.as_str(), call) else {
            return judge.ask("has a sed script that is not understood", call.source);
        };
        rest = next;
    }
}

/// What one command does; gives what comes after it.
fn sed_command<'t>(
    judge: &mut Judge<'_>,
    command: char,
    rest: &'t str,
    call: &Call<'_>,
) -> Option<&'t str> {
    let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
    match command {
        '{' | '}' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | '=' | 'z'
        | 'F' => Some(rest),
        'l' | 'q' | 'Q' | 'L' => {
            Some(rest.trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
        }
        '#' => Some(after),
        'b' | 't' | 'T' | ':' => {
            let end = rest.find(['\n', ';', '}']).unwrap_or(rest.len());
            Some(&rest[end..])
        }
        'a' | 'i' | 'c' => Some(text_argument(rest)),
        'y' => delimited(rest, 2).map(|(_, after)| after),
        's' => {
            let (_, flags) = delimited(rest, 2)?;
            substitution_flags(judge, flags, call)
        }
        'e' => {
            judge.danger("runs a program from a sed script", call.source);
            Some(after)
        }
        'w' | 'W' => {
            judge.ask("writes a file from a sed script", call.source);
            judge.writes_text(line.trim(), call.source);
            Some(after)
        }
        'r' | 'R' => {
            judge.reads_text(line.trim(), call.source);
            Some(after)
        }
        _ => None,
    }
}

fn substitution_flags<'t>(
    judge: &mut Judge<'_>,
    flags: &'t str,
    call: &Call<'_>,
) -> Option<&'t str> {
    for (at, flag) in flags.char_indices() {
        match flag {
            'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
            'e' => judge.danger("runs a program from a sed script", call.source),
            'w' => {
                let (line, after) = flags[at + 1..]
                    .split_once('\n')
                    .unwrap_or((&flags[at + 1..], ""));
                judge.ask("writes a file from a sed script", call.source);
                judge.writes_text(line.trim(), call.source);
                return Some(after);
            }
            ' ' | '\t' | '\n' | ';' | '}' => return Some(&flags[at..]),
            _ => return None,
        }
    }
    Some("")
}

/// Steps over the addresses of a command.
fn addresses(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = match rest.chars().next()? {
            '/' => delimited(rest, 1)?.1.trim_start_matches(['I', 'M']),
            '\\' => delimited(&rest[1..], 1)?.1.trim_start_matches(['I', 'M']),
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ' ' | '\t' => &rest[1..],
            _ => return Some(rest),
        };
    }
}

/// Text in `count` pieces between a sign that comes first: `/a/b/`. Inside a set the sign may
/// count or not, so that is not decided here.
fn delimited(text: &str, count: usize) -> Option<(&str, &str)> {
    let sign = text
        .chars()
        .next()
        .filter(|sign| !matches!(sign, '\\' | '\n'))?;
    let mut found = 0;
    let mut in_set = false;
    let mut letters = text.char_indices().skip(1);
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => _ = letters.next(),
            '[' if sign != '[' && found == 0 => in_set = true,
            ']' => in_set = false,
            c if c == sign && in_set => return None,
            c if c == sign => {
                found += 1;
                if found == count {
                    let end = at + c.len_utf8();
                    return Some((&text[..end], &text[end..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Text that `a`, `i` and `c` take: to the end of the line, with continued lines.
fn text_argument(text: &str) -> &str {
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => _ = letters.next(),
            '\n' => return &text[at..],
            _ => {}
        }
    }
    ""
}

/// An awk program can do whatever it likes; some signs say that it does.
fn awk(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("runs a program in awk", call.source);
    for arg in call.rest() {
        let text: String = arg.text.chars().filter(|c| !c.is_whitespace()).collect();
        let runs = ["system(", "|getline", "|&", "|\"", "@load", "@include"];
        if runs.iter().any(|sign| text.contains(sign)) {
            judge.danger("runs a program from awk", &arg.source);
        }
        if text.contains("ENVIRON") {
            judge.danger("prints the environment, secrets included", &arg.source);
        }
        if text.contains("/inet/") {
            judge.danger("opens a network connection", &arg.source);
        }
        judge.hands_over(arg);
    }
}
