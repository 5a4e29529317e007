//! `test`, `[` and `[[`: harmless, but for operators that evaluate what they are given.

use crate::args::Arg;
use crate::judge::{Call, Judge};

/// Operators that look at a file.
const FILES: &str = "-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S";
/// Operators that compare numbers.
const NUMBERS: &str = "-eq -ne -lt -le -gt -ge";
/// Operators that compare files.
const PAIRS: &str = "-nt -ot -ef";

/// `test ..` and `[ .. ]`.
pub(super) fn single(judge: &mut Judge<'_>, call: &Call<'_>) {
    operators(judge, call.rest(), false);
}

/// `[[ .. ]]`, which takes numbers for expressions.
pub(crate) fn double(judge: &mut Judge<'_>, args: &[Arg]) {
    operators(judge, args, true);
}

fn operators(judge: &mut Judge<'_>, args: &[Arg], evaluates: bool) {
    for (at, arg) in args.iter().enumerate() {
        let is = |names: &str| names.split(' ').any(|name| name == arg.text);
        let next = args.get(at + 1);
        let before = at.checked_sub(1).and_then(|at| args.get(at));
        if matches!(arg.text.as_str(), "-v" | "-R") {
            if let Some(next) = next {
                judge.ask("evaluates the name of a variable", &next.source);
                judge.evaluated(&next.text, &next.source);
            }
        } else if is(NUMBERS) && evaluates {
            for side in [before, next].into_iter().flatten() {
                if side.text.parse::<i64>().is_err() {
                    judge.ask("evaluates an expression", &side.source);
                    judge.evaluated(&side.text, &side.source);
                }
            }
        } else if is(PAIRS) {
            for side in [before, next].into_iter().flatten() {
                judge.looks_at(side);
            }
        } else if is(FILES)
            && let Some(next) = next
        {
            judge.looks_at(next);
        }
    }
}
