//! Programs that look at files and change none.

use super::{FILTER, Operands, Program, READER};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};
use crate::{Search, Use};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "ls dir vdir",
        options: Options {
            harmless: "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all \
                --almost-all --author --escape --ignore-backups --directory --dired --classify --file-type --no-group \
                --human-readable --si --dereference-command-line --inode --kibibytes --dereference --numeric-uid-gid --literal \
                --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --full-time --context --zero \
                --group-directories-first",
            harmless_value: "-I -T -w --ignore --hide --tabsize --width --block-size --format --sort --time --time-style --indicator-style \
                --quoting-style",
            harmless_attached: "--color --hyperlink",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "eza exa",
        options: Options {
            harmless: "-1 -l -G -x -F -R -T -a -d -r -f -D -b -B -g -h -H -i -m -M -n -o -O -s -S -u -U -X -Z --long --oneline --grid \
                --across --recurse --tree --classify --icons --all --list-dirs --reverse --only-dirs --only-files --binary --bytes \
                --group --header --links --inode --modified --numeric --blocksize --accessed --created --git-ignore --no-icons",
            harmless_value: "-L -I -t --level --ignore-glob --sort --time --time-style",
            harmless_attached: "--color --colour",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "cat tac",
        options: Options {
            harmless: "-A -b -e -E -n -s -t -T -u -v -r --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs \
                --show-nonprinting --before --regex",
            harmless_value: "--separator",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "head",
        options: Options {
            harmless: "-# -q -v -z --quiet --silent --verbose --zero-terminated",
            harmless_value: "-n -c --lines --bytes",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "tail",
        options: Options {
            harmless: "-# -q -v -z --quiet --silent --verbose --zero-terminated",
            harmless_value: "-n -c --lines --bytes",
            asks: "-f -F --retry",
            asks_attached: "--follow",
            asks_value: "-s --sleep-interval --pid --max-unchanged-stats",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "wc",
        options: Options {
            harmless: "-c -m -l -L -w --bytes --chars --lines --max-line-length --words",
            harmless_value: "--total",
            asks_value: "--files0-from",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "nl",
        options: Options {
            harmless: "-p --no-renumber",
            harmless_value: "-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering \
                --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "stat",
        options: Options {
            harmless: "-L -f -t -x -s -l -r -n --dereference --file-system --terse",
            harmless_value: "-c --format --printf --cached",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "file",
        options: Options {
            harmless: "-b -i -k -L -h -N -n -p -r -s -0 -I -E --brief --mime --mime-type --mime-encoding --keep-going --dereference \
                --no-dereference --no-pad --no-buffer --preserve-date --raw --special-files --print0 --extension --apple",
            harmless_value: "-e -F -P --exclude --separator --parameter",
            asks: "-c -C -z -Z --checking-printout --compile --uncompress --uncompress-noreport",
            asks_value: "-m -f --magic-file --files-from",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "du",
        options: Options {
            harmless: "-0 -a -A -b -c -D -H -h -k -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total --dereference-args \
                --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize \
                --one-file-system",
            harmless_value: "-B -d -t --block-size --max-depth --threshold --exclude --time-style",
            harmless_attached: "--time",
            reads: "-X --exclude-from",
            asks_value: "--files0-from",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "df",
        options: Options {
            harmless: "-a -H -h -i -k -l -P -T --all --si --human-readable --inodes --local --portability --print-type --total --no-sync",
            harmless_value: "-B -t -x --block-size --type --exclude-type",
            harmless_attached: "--output",
            asks: "--sync",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "tree",
        options: Options {
            harmless: "-a -A -c -C -d -D -f -F -g -h -i -J -l -n -N -p -q -Q -r -s -S -t -u -U -v -x -X --dirsfirst --filesfirst --du \
                --gitignore --inodes --device --noreport --prune --si --ignore-case --matchdirs --nolinks --metafirst",
            harmless_value: "-H -I -L -P -T --charset --filelimit --sort --timefmt --gitfile --infofile",
            writes: "-o",
            asks: "-R --fromfile --fromtabfile",
            ..NONE
        },
        operands: Operands::Names,
        rule: Some(letters_share_arguments),
        ..READER
    },
    Program {
        names: "realpath readlink",
        options: Options {
            harmless: "-e -f -m -L -P -q -s -v -z -n --canonicalize --canonicalize-existing --canonicalize-missing --logical --physical \
                --quiet --silent --strip --no-symlinks --verbose --zero --no-newline",
            harmless_value: "--relative-to --relative-base",
            ..NONE
        },
        operands: Operands::Names,
        ..READER
    },
    Program {
        names: "basename dirname",
        options: Options {
            harmless: "-a -z --multiple --zero",
            harmless_value: "-s --suffix",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "pathchk",
        options: Options {
            harmless: "-p -P --portability",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "od",
        options: Options {
            harmless: "-a -b -c -d -f -i -l -o -s -x -v --output-duplicates --traditional",
            harmless_value: "-A -j -N -t -S --address-radix --skip-bytes --read-bytes --format --endian",
            harmless_attached: "-w --width --strings",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "hexdump hd",
        options: Options {
            harmless: "-b -c -C -d -o -x -v --canonical --no-squeezing",
            harmless_value: "-e -n -s --format --length --skip",
            harmless_attached: "-L --color",
            reads: "-f --format-file",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "xxd",
        options: Options {
            harmless: "-a -b -C -d -e -E -i -p -u -r -ps -postscript -plain -bits -include -revert -uppercase",
            harmless_value: "-c -g -l -n -o -s -R",
            ..NONE
        },
        operands: Operands::Outputs,
        rule: Some(letters_stand_alone),
        ..FILTER
    },
    Program {
        names: "strings",
        options: Options {
            harmless: "-# -a -d -f -w -o --all --data --print-file-name --include-all-whitespace",
            harmless_value: "-n -t -e -s --bytes --radix --encoding --output-separator",
            ..NONE
        },
        ..FILTER
    },
    Program {
        names: "cmp",
        options: Options {
            harmless: "-b -l -s --print-bytes --verbose --quiet --silent",
            harmless_value: "-i -n --ignore-initial --bytes",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "diff",
        options: Options {
            harmless: "-# -a -b -B -c -d -e -E -f -H -i -n -N -p -P -q -r -s -t -T -u -v -w -y -Z -A -m -x --normal --brief \
                --report-identical-files --side-by-side --show-c-function --expand-tabs --initial-tab --recursive --new-file \
                --unidirectional-new-file --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change \
                --ignore-all-space --ignore-blank-lines --text --strip-trailing-cr --minimal --speed-large-files \
                --suppress-common-lines --left-column --no-dereference --ed --rcs --show-all --merge",
            harmless_value: "-C -U -W -F -I -x -S --show-function-line --ignore-matching-lines --exclude --starting-file --width --tabsize \
                --label --horizon-lines",
            harmless_attached: "--color --context --unified --palette",
            reads: "-X --exclude-from --from-file --to-file",
            asks: "-l --paginate",
            ..NONE
        },
        rule: Some(compares),
        ..READER
    },
    Program {
        names: "comm",
        options: Options {
            harmless: "-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated",
            harmless_value: "--output-delimiter",
            ..NONE
        },
        ..READER
    },
    Program {
        names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5",
        options: Options {
            harmless: "-b -t -z -q -r -s --binary --text --tag --zero --ignore-missing --quiet --status --strict --raw --base64 --untagged",
            harmless_value: "-a -l --algorithm --length",
            asks: "-c -w --check --warn",
            ..NONE
        },
        ..FILTER
    },
];

/// `tree -Lo 2 x` takes one argument for each letter, so that `o` counts wherever it stands.
fn letters_share_arguments(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    let mut clusters = call
        .rest()
        .iter()
        .filter(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--"));
    if clusters.any(|arg| arg.text.contains(['o', 'R'])) {
        judge.ask("writes a file", call.source);
    }
}

/// `xxd -pc` is `-p`, and what follows is a file.
fn letters_stand_alone(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let several = |arg: &crate::args::Arg| {
        let mut options = parsed.options.iter();
        let given: Vec<_> = options.by_ref().filter(|given| given.arg == arg).collect();
        given.len() > 1
    };
    if call.rest().iter().any(several) {
        judge.ask("has flags that are not known here", call.source);
    }
}

/// Of two directories, all the files in them, also through links.
fn compares(judge: &mut Judge<'_>, _: &Call<'_>, parsed: &Parsed<'_>) {
    let search = Search {
        follows: !parsed.has("--no-dereference"),
        ..Search::default()
    };
    for arg in &parsed.operands {
        judge.names(&arg.text, &Use::Searches(search.clone()));
    }
}
