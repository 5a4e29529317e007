//! Whether an answer to a question about a command may be kept.

use crate::{Class, Part};

/// What may be remembered when somebody says `always`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing: the same letters could do something else the next time, or it is too dangerous.
    Never,
    /// This very command, letter by letter.
    Exact,
    /// This very command; or every command with these words (`Part::prefix`).
    Prefix(Vec<String>),
}

/// Programs that do what the project says, and what they can be told besides without doing something
/// else: which part of it, and how much to print.
struct Family {
    program: &'static str,
    /// Those of its subcommands; none if it has no subcommands.
    subcommands: &'static str,
    /// **Invariant:** none of them names a program, settings or another place to work in.
    options: &'static str,
}

/// `make` is none: its variables name the programs that it runs.
const FAMILIES: [Family; 10] = [
    Family {
        program: "cargo",
        subcommands: "build check test clippy fmt doc bench tree metadata",
        options: "-p --package --exclude --workspace --all --lib --bins --bin --tests --test --examples --example \
            --benches --bench --all-targets --doc --features -F --all-features --no-default-features --release -r \
            --profile --locked --offline --frozen --no-run --no-fail-fast --keep-going --no-deps --check -q --quiet \
            -v -vv --verbose -j --jobs --message-format --color --depth --invert -i --format-version -- --nocapture \
            --exact --ignored --include-ignored --test-threads --skip -D -W -A",
    },
    Family {
        program: "npm",
        subcommands: "test ci ls outdated",
        options: "-s --silent --json --depth --all -a --long --ignore-scripts --prefer-offline --",
    },
    Family {
        program: "pnpm",
        subcommands: "test ls",
        options: "-s --silent --json --depth --long -r --recursive",
    },
    Family {
        program: "yarn",
        subcommands: "test",
        options: "-s --silent",
    },
    Family {
        program: "go",
        subcommands: "build test vet fmt list",
        options: "-v -race -run -skip -count -short -cover -timeout -bench -benchmem -failfast -json -parallel -p -tags -m",
    },
    Family {
        program: "git",
        subcommands: "add commit",
        options: "-A --all -u --update -N --intent-to-add -a -m -am --message -s --signoff -q --quiet -v --verbose --",
    },
    Family {
        program: "pytest",
        subcommands: "",
        options: "-v -vv -q -x -s -k -m -n -l -ra -rA --lf --last-failed --ff --failed-first --sw --stepwise --maxfail \
            --durations --tb --co --collect-only --no-header --no-summary --exitfirst --verbose --quiet",
    },
    Family {
        program: "tsc",
        subcommands: "",
        options: "--noEmit --pretty --strict --skipLibCheck --listFiles -b --build",
    },
    Family {
        program: "eslint",
        subcommands: "",
        options: "--quiet --max-warnings --ext --color --no-color",
    },
    Family {
        program: "mypy",
        subcommands: "",
        options: "-p -m --package --module --strict --pretty --ignore-missing-imports --show-error-codes --no-error-summary",
    },
];

/// Programs that run another one, or code, and with which words they do.
const RUNNERS: [(&str, &str); 30] = [
    ("uv", "run tool"),
    ("cargo", "run r"),
    ("go", "run generate tool"),
    ("npm", "exec x"),
    ("pnpm", "exec dlx"),
    ("yarn", "exec dlx node"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("hatch", "run"),
    ("rye", "run"),
    ("pdm", "run"),
    ("bundle", "exec"),
    ("dotnet", "run exec"),
    ("mise", "exec x run"),
    ("direnv", "exec"),
    ("npx", ""),
    ("pnpx", ""),
    ("bunx", ""),
    ("uvx", ""),
    ("pipx", ""),
    ("gdb", ""),
    ("lldb", ""),
    ("docker", ""),
    ("podman", ""),
    ("nerdctl", ""),
    ("kubectl", ""),
    ("nix", ""),
    ("nix-shell", ""),
    ("tmux", ""),
    ("screen", ""),
];

/// Whether a part runs a program that is not the one that it names: a file of the project, a wrapper,
/// an interpreter, or what a variable says.
fn runs_another(part: &Part) -> bool {
    let Some((program, rest)) = part.argv.split_first() else {
        return false;
    };
    let name = program.rsplit('/').next().unwrap_or(program);
    let mut runners = RUNNERS.iter().filter(|(runner, _)| *runner == name);
    let is_runner =
        runners.any(|(_, words)| words.is_empty() || rest.iter().any(|word| names(words, word)));
    let sets = |word: &String| !word.starts_with('-') && word.contains('=');
    let is_told_programs =
        matches!(name, "make" | "gmake" | "just" | "scons") && rest.iter().any(sets);
    program.contains('/') || is_runner || is_told_programs
}

/// What may be kept about a command of that class and these parts.
pub(crate) fn memory(class: Class, parts: &[Part], is_fixed: bool) -> Memory {
    let is_kept = is_fixed && !parts.is_empty() && !parts.iter().any(runs_another);
    if class == Class::Dangerous || !is_kept {
        return Memory::Never;
    }
    match parts {
        [only] => match only.prefix() {
            Some(words) => Memory::Prefix(words.to_vec()),
            None => Memory::Exact,
        },
        _ => Memory::Exact,
    }
}

impl Part {
    /// The words under which an answer to this can be kept; none if it has to be kept whole. A kept
    /// answer covers what has these words too, and nothing else that begins with them: an option
    /// could choose another program to run, or another project.
    pub fn prefix(&self) -> Option<&[String]> {
        if !self.redirections.is_empty() || !self.assignments.is_empty() {
            return None;
        }
        let (program, rest) = self.argv.split_first()?;
        let family = FAMILIES.iter().find(|family| family.program == program)?;
        let (words, rest) = match family.subcommands {
            "" => (1, rest),
            subcommands => {
                let (subcommand, rest) = rest.split_first()?;
                names(subcommands, subcommand).then_some((2, rest))?
            }
        };
        let is_plain = rest.iter().all(|word| family.leaves_alone(word));
        is_plain.then(|| &self.argv[..words])
    }
}

impl Family {
    /// Whether the program does no more and no less with `word` among its arguments.
    fn leaves_alone(&self, word: &str) -> bool {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let is_known = !word.starts_with('-') || names(self.options, name);
        is_known && !leads_out(name) && !leads_out(value)
    }
}

fn names(list: &str, wanted: &str) -> bool {
    list.split_whitespace().any(|name| name == wanted)
}

/// Whether `word`, as a path, may lead out of the directory.
fn leads_out(word: &str) -> bool {
    word.starts_with(['/', '~', '@']) || word.split('/').any(|part| part == "..")
}
