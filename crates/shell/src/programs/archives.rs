//! Archives: packing and unpacking writes, and some options run programs.

use super::{ASKED, Floor, Program, Rule};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "zip",
        options: Options {
            runs: "-TT --unzip-command",
            endangers: "-m --move",
            ..NONE
        },
        floor: Floor::Ask("writes an archive"),
        peril: "deletes what it has packed",
        ..ASKED
    },
    Program {
        names: "unzip 7z 7za 7zr unrar rar unar bsdtar ar cabextract",
        options: Options {
            writes: "-d",
            ..NONE
        },
        floor: Floor::Ask("unpacks or writes an archive"),
        ..ASKED
    },
    Program {
        names: "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress pigz brotli",
        floor: Floor::Ask("packs or unpacks files in place"),
        ..ASKED
    },
    Program {
        names: "zcat bzcat xzcat zstdcat zgrep zdiff",
        floor: Floor::Ask("unpacks files"),
        ..ASKED
    },
    Program {
        names: "cpio pax",
        options: Options {
            runs: "--rsh-command",
            ..NONE
        },
        floor: Floor::Ask("packs or unpacks files"),
        rule: Some(unpacks),
        ..ASKED
    },
];

pub(super) const RULES: &[(&str, Rule)] = &[("tar gtar", tar)];

fn unpacks(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    judge.anything(call);
}

const TAR: Options = Options {
    harmless: "-v -z -j -J -p -P -k -W -h -S -a -O -t -x -c -r -u -A -d -m -o -w -i -B",
    harmless_value: "-f --file -b -L --strip-components --exclude --format --mtime --owner --group --mode --transform --level --checkpoint -V -N -H -g -K -X -T",
    writes: "-C --directory",
    runs: "-I --use-compress-program --to-command --rsh-command --rmt-command -F --info-script --new-volume-script",
    endangers: "--remove-files --unlink-first --recursive-unlink",
    endangers_value: "--checkpoint-action",
    ..NONE
};

/// `tar xf a.tar` has its letters without a dash.
fn tar(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("packs or unpacks files", call.source);
    let mut rest = call.rest().to_vec();
    if let Some(first) = rest.first_mut()
        && !first.text.starts_with('-')
    {
        first.text.insert(0, '-');
    }
    let parsed = TAR.parse(&rest);
    for given in &parsed.options {
        judge.option(given, false);
    }
    let extracts = parsed.has("-x --extract --get");
    if let Some(archive) = parsed.value("-f --file") {
        if extracts || parsed.has("-t --list") {
            judge.reads_text(archive, call.source);
        } else {
            judge.writes_text(archive, call.source);
        }
        if archive.contains(':') {
            judge.danger("talks to another machine", call.source);
        }
    }
    for arg in parsed.operands.iter().filter(|_| !extracts) {
        judge.reads(arg);
        if judge.reading(&arg.text) != crate::paths::Place::Inside && judge.is_everything(&arg.text)
        {
            judge.danger("packs everything, secrets included", call.source);
        }
    }
}
