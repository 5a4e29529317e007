//! Programs that transform text and print it.

use super::{FILTER, Floor, Operands, Program, READER};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "echo",
        options: Options {
            harmless: "-n -e -E",
            ..NONE
        },
        operands: Operands::Text,
        rule: None,
        floor: Floor::None,
        ..PRINTS
    },
    Program {
        names: "sort",
        options: Options {
            harmless: "-b -c -C -d -f -g -h -i -m -M -n -R -r -s -u -V -z --ignore-leading-blanks --dictionary-order --ignore-case \
                --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse \
                --version-sort --merge --stable --unique --zero-terminated --debug",
            harmless_value: "-k -S -t --key --buffer-size --field-separator --parallel --batch-size --sort",
            harmless_attached: "--check",
            reads: "--random-source",
            writes: "-o --output",
            asks_value: "-T --temporary-directory --files0-from",
            runs: "--compress-program",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "uniq",
        options: Options {
            harmless: "-# -c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated",
            harmless_value: "-f -s -w --skip-fields --skip-chars --check-chars",
            harmless_attached: "--all-repeated --group",
            ..NONE
        },
        operands: Operands::Outputs,
        ..FILTER
    },
    Program {
        names: "cut",
        options: Options {
            harmless: "-n -s -z -w --only-delimited --complement --zero-terminated",
            harmless_value: "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "paste",
        options: Options {
            harmless: "-s -z --serial --zero-terminated",
            harmless_value: "-d --delimiters",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "join",
        options: Options {
            harmless: "-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
            harmless_value: "-1 -2 -a -e -j -o -t -v",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "tr",
        options: Options {
            harmless: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
            ..NONE
        },
        operands: Operands::Text,
        rule: Some(reads_only_input),
        ..READER
    },
    Program {
        names: "rev",
        options: Options {
            harmless: "-0 --zero",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "fold fmt",
        options: Options {
            harmless: "-# -b -s -c -t -u --bytes --spaces --crown-margin --split-only --tagged-paragraph --uniform-spacing",
            harmless_value: "-w -p -g --width --prefix --goal",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "expand unexpand",
        options: Options {
            harmless: "-a -i --all --initial --first-only",
            harmless_value: "-t --tabs",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "column",
        options: Options {
            harmless: "-d -e -J -L -t -x --json --table --table-noheadings --table-noextreme --fillrows --keep-empty-lines",
            harmless_value: "-c -C -E -H -i -l -n -N -o -O -p -r -R -s -T -W --output-width --separator --output-separator --table-columns \
                --table-right --table-truncate --table-wrap --table-hide --table-order --table-name --tree --tree-id --tree-parent",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "tsort",
        ..FILTER
    },
    Program {
        names: "shuf",
        options: Options {
            harmless: "-e -r -z --echo --repeat --zero-terminated",
            harmless_value: "-i -n --input-range --head-count",
            reads: "--random-source",
            writes: "-o --output",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "numfmt factor",
        options: Options {
            harmless: "-h -z --exponents --debug --grouping --zero-terminated",
            harmless_value: "-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit",
            harmless_attached: "--header",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "base64 base32 basenc",
        options: Options {
            harmless: "-d -D -i --decode --ignore-garbage --base64 --base64url --base32 --base16 --base2msbf --z85",
            harmless_value: "-w -b --wrap",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "iconv",
        options: Options {
            harmless: "-c -l -s --list --silent --verbose",
            harmless_value: "-f -t --from-code --to-code",
            writes: "-o --output",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "seq",
        options: Options {
            harmless: "-# -w --equal-width",
            harmless_value: "-f -s --format --separator",
            ..NONE
        },
        operands: Operands::Text,
        rule: Some(counts_to_an_end),
        ..READER
    },
    Program {
        names: "expr",
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "jq",
        options: Options {
            harmless: "-a -c -C -e -j -M -n -r -R -s -S --ascii-output --compact-output --color-output --exit-status --join-output \
                --monochrome-output --null-input --raw-output --raw-output0 --raw-input --slurp --sort-keys --tab --unbuffered --seq \
                --stream --stream-errors --args --jsonargs",
            harmless_value: "--indent",
            asks_value: "-f -L --from-file --library-path --arg --argjson --slurpfile --rawfile --argfile",
            ..NONE
        },
        operands: Operands::Text,
        rule: Some(filter_and_files),
        ..READER
    },
    Program {
        names: "yq",
        options: Options {
            harmless: "-C -M -n -N -P -r -e -y -Y -j -c -S --colors --no-colors --null-input --no-doc --prettyPrint --unwrapScalar \
                --exit-status --raw-output --compact-output --yaml-output",
            harmless_value: "-I -o -p --indent --output-format --input-format",
            asks: "-i -s --inplace --in-place --split-exp-file",
            asks_value: "--from-file --split-exp --expression",
            ..NONE
        },
        operands: Operands::Text,
        rule: Some(evaluate_and_files),
        ..READER
    },
];

/// Prints its arguments.
const PRINTS: Program = Program {
    operands: Operands::Text,
    ..READER
};

fn reads_only_input(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    if call.stdin == crate::judge::Stdin::Inherited && !judge.is_fed {
        judge.ask("waits for input", call.source);
    }
}

/// More numbers than anybody reads would fill a disk, or never end.
fn counts_to_an_end(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let is_small = |text: &str| {
        text.parse::<f64>()
            .is_ok_and(|number| number.abs() <= 1_000_000.0 && number.fract() == 0.0)
    };
    if !parsed.operands.iter().all(|arg| is_small(&arg.text)) {
        judge.ask("counts very far", call.source);
    }
}

/// Names in a filter that reach beyond its input.
const REACHES: [&str; 12] = [
    "env",
    "$ENV",
    "input_filename",
    "import",
    "include",
    "eval",
    "strenv",
    "envsubst",
    "get_search_list",
    "$__prog_args",
    "modulemeta",
    "system",
];

/// `yq` may have a word for what it does before its filter.
fn evaluate_and_files(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let mut parsed = parsed.clone();
    let does = parsed.operands.first().map_or("", |arg| arg.text.as_str());
    if matches!(does, "e" | "eval" | "ea" | "eval-all") {
        parsed.operands.remove(0);
    }
    filter_and_files(judge, call, &parsed);
}

/// A filter program first, files after it. A filter may ask for the environment or other files.
fn filter_and_files(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let Some((filter, files)) = parsed.operands.split_first() else {
        return judge.ask("waits for input", call.source);
    };
    for file in files {
        judge.reads(file);
    }
    let reaches = |name: &str| REACHES.contains(&name) || name.starts_with("load");
    if names(&filter.text).any(reaches) {
        judge.ask("reads the environment or other files", &filter.source);
    }
    let has_input = files.is_empty() && !parsed.has("-n --null-input");
    if has_input && call.stdin == crate::judge::Stdin::Inherited && !judge.is_fed {
        // `yq file` has no filter; `jq filter` waits.
        judge.reads(filter);
        judge.ask("waits for input", call.source);
    }
}

/// The names in a filter that are no fields.
fn names(filter: &str) -> impl Iterator<Item = &str> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
    filter
        .split(move |c: char| !is_letter(c))
        .filter(|name| !name.starts_with('.'))
        .map(|name| name.split('.').next().unwrap_or_default())
}
