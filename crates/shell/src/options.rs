//! Options of programs, as data: which are harmless, which write, and which run something.
//!
//! A table says only what is known. What it does not name is not harmless.

use crate::args::Arg;

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing but reading and printing.
    Harmless,
    /// Its value is a file that is read.
    Reads,
    /// Its value is a file that is written.
    Writes,
    /// Changes something, or does what cannot be foreseen.
    Asks,
    /// Its value is a program.
    Runs,
    /// Destroys, or gives something away.
    Endangers,
    /// Not in the table.
    Unknown,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// In the same word or in the next one.
    Value,
    /// In the same word or not at all.
    Attached,
}

/// The options of a program. Each field is a list of names, `-x` or `--long`, with spaces between;
/// `-#` stands for a number, as in `head -5`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) harmless: &'static str,
    pub(crate) harmless_value: &'static str,
    pub(crate) harmless_attached: &'static str,
    pub(crate) reads: &'static str,
    pub(crate) writes: &'static str,
    pub(crate) asks: &'static str,
    pub(crate) asks_value: &'static str,
    pub(crate) asks_attached: &'static str,
    pub(crate) runs: &'static str,
    pub(crate) endangers: &'static str,
    pub(crate) endangers_value: &'static str,
    /// Whether everything after the first operand belongs to that.
    pub(crate) stop_at_operand: bool,
    /// Whether the table is for several programs, so that the beginning of a name says nothing.
    pub(crate) is_shared: bool,
}

/// No options at all.
pub(crate) const NONE: Options = Options {
    harmless: "",
    harmless_value: "",
    harmless_attached: "",
    reads: "",
    writes: "",
    asks: "",
    asks_value: "",
    asks_attached: "",
    runs: "",
    endangers: "",
    endangers_value: "",
    stop_at_operand: false,
    is_shared: false,
};

/// An option as it was given.
#[derive(Clone, Debug)]
pub(crate) struct Given<'a> {
    /// Its full name, `-x` or `--long`.
    pub(crate) name: String,
    pub(crate) value: Option<String>,
    pub(crate) effect: Effect,
    /// The argument that it stands in.
    pub(crate) arg: &'a Arg,
}

/// Arguments told apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed<'a> {
    pub(crate) options: Vec<Given<'a>>,
    pub(crate) operands: Vec<&'a Arg>,
}

impl Parsed<'_> {
    /// Whether one of the options in `names` was given.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.value(names).is_some()
    }

    /// The value of the first option of `names`; empty if it has none.
    pub(crate) fn value(&self, names: &str) -> Option<&str> {
        let is_meant = |given: &&Given<'_>| names.split(' ').any(|name| name == given.name);
        let given = self.options.iter().find(is_meant)?;
        Some(given.value.as_deref().unwrap_or_default())
    }
}

impl Options {
    /// Tells options from operands the way GNU programs do.
    pub(crate) fn parse<'a>(&self, args: &'a [Arg]) -> Parsed<'a> {
        let mut parsed = Parsed::default();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let text = arg.text.as_str();
            if text == "--" {
                break;
            }
            if text.len() < 2 || !text.starts_with('-') {
                parsed.operands.push(arg);
                if self.stop_at_operand {
                    break;
                }
            } else if text.starts_with("--") {
                self.long(arg, &mut rest, &mut parsed);
            } else {
                self.cluster(arg, &mut rest, &mut parsed);
            }
        }
        parsed.operands.extend(rest);
        parsed
    }

    fn long<'a>(
        &self,
        arg: &'a Arg,
        rest: &mut std::slice::Iter<'a, Arg>,
        parsed: &mut Parsed<'a>,
    ) {
        let (typed, attached) = match arg.text.split_once('=') {
            Some((typed, value)) => (typed, Some(value.to_owned())),
            None => (arg.text.as_str(), None),
        };
        let matching = self.matching(typed);
        if matching.is_empty() {
            parsed.options.push(Given {
                name: typed.to_owned(),
                value: attached,
                effect: Effect::Unknown,
                arg,
            });
            return;
        }
        let takes = matching.iter().any(|(_, takes, _)| *takes == Takes::Value);
        let value = match attached {
            None if takes => rest.next().map(|arg| arg.text.clone()),
            attached => attached,
        };
        for (name, _, effect) in matching {
            parsed.options.push(Given {
                name: name.to_owned(),
                value: value.clone(),
                effect,
                arg,
            });
        }
    }

    fn cluster<'a>(
        &self,
        arg: &'a Arg,
        rest: &mut std::slice::Iter<'a, Arg>,
        parsed: &mut Parsed<'a>,
    ) {
        let letters = &arg.text[1..];
        if letters.chars().all(|c| c.is_ascii_digit()) && self.find("-#").is_some() {
            parsed.options.push(Given {
                name: String::from("-#"),
                value: Some(letters.to_owned()),
                effect: Effect::Harmless,
                arg,
            });
            return;
        }
        // A few programs have words behind one dash.
        if letters.len() > 1
            && let Some((takes, effect)) = self.find(&arg.text)
        {
            let value = (takes == Takes::Value).then(|| rest.next()).flatten();
            parsed.options.push(Given {
                name: arg.text.clone(),
                value: value.map(|arg| arg.text.clone()),
                effect,
                arg,
            });
            return;
        }
        for (at, c) in letters.char_indices() {
            let name = format!("-{c}");
            let after = &letters[at + c.len_utf8()..];
            let (takes, effect) = self
                .find(&name)
                .unwrap_or((Takes::Nothing, Effect::Unknown));
            let value = match takes {
                Takes::Nothing => None,
                Takes::Value if after.is_empty() => rest.next().map(|arg| arg.text.clone()),
                Takes::Value | Takes::Attached => Some(after.to_owned()),
            };
            parsed.options.push(Given {
                name,
                value,
                effect,
                arg,
            });
            if takes != Takes::Nothing {
                break;
            }
        }
    }

    /// The options that `typed` may mean: GNU programs take any beginning that is clear.
    fn matching(&self, typed: &str) -> Vec<(&'static str, Takes, Effect)> {
        if let Some((takes, effect)) = self.find(typed) {
            let all = self.rows().into_iter();
            let name = all
                .flat_map(|(names, ..)| names.split(' '))
                .find(|name| *name == typed)
                .unwrap_or_default();
            return vec![(name, takes, effect)];
        }
        let mut found = Vec::new();
        for (names, takes, effect) in self.rows() {
            for name in names.split(' ') {
                if !self.is_shared && name.starts_with(typed) && typed.len() > 2 {
                    found.push((name, takes, effect));
                }
            }
        }
        found
    }

    fn find(&self, wanted: &str) -> Option<(Takes, Effect)> {
        self.rows()
            .into_iter()
            .find(|(names, ..)| names.split(' ').any(|name| name == wanted))
            .map(|(_, takes, effect)| (takes, effect))
    }

    /// The worst first: a name in two rows means the worse.
    fn rows(&self) -> [(&'static str, Takes, Effect); 12] {
        [
            (self.endangers, Takes::Nothing, Effect::Endangers),
            (self.endangers_value, Takes::Value, Effect::Endangers),
            (self.runs, Takes::Value, Effect::Runs),
            (self.asks, Takes::Nothing, Effect::Asks),
            (self.asks_value, Takes::Value, Effect::Asks),
            (self.asks_attached, Takes::Attached, Effect::Asks),
            (self.writes, Takes::Value, Effect::Writes),
            (self.reads, Takes::Value, Effect::Reads),
            (self.harmless_value, Takes::Value, Effect::Harmless),
            (self.harmless_attached, Takes::Attached, Effect::Harmless),
            (self.harmless, Takes::Nothing, Effect::Harmless),
            ("--help --version", Takes::Nothing, Effect::Harmless),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SORT: Options = Options {
        harmless: "-u -n --unique",
        harmless_value: "-k --key",
        writes: "-o --output",
        runs: "--compress-program",
        ..NONE
    };

    fn effects(args: &[&str]) -> Vec<(String, Option<String>, Effect)> {
        let args: Vec<Arg> = args.iter().map(|arg| Arg::of(arg)).collect();
        let parsed = SORT.parse(&args);
        let options = parsed.options.into_iter();
        options
            .map(|given| (given.name, given.value, given.effect))
            .collect()
    }

    #[test]
    fn options_are_found_however_they_are_spelled() {
        let output = |value: &str| {
            (
                "--output".to_owned(),
                Some(value.to_owned()),
                Effect::Writes,
            )
        };
        assert_eq!(effects(&["--outp=x"]), [output("x")]);
        assert_eq!(effects(&["a", "--output", "x"]), [output("x")]);
        let short = ("-o".to_owned(), Some("x".to_owned()), Effect::Writes);
        assert_eq!(effects(&["-uox"])[1], short);
        assert_eq!(effects(&["-uo", "x"])[1], short);
        assert_eq!(effects(&["--compress-prog=x"])[0].2, Effect::Runs);
        assert_eq!(effects(&["-z"])[0].2, Effect::Unknown);
        assert_eq!(effects(&["-k", "-o"])[0].1.as_deref(), Some("-o"));
        assert!(effects(&["--", "-o", "x"]).is_empty());
    }
}
