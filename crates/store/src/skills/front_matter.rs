//! The head of a `SKILL.md`: lines `key: value` between two lines `---`, as in YAML, of which this
//! reads what skills are written with.

use pollux_types::untrusted::hidden;

/// Characters of a name, and of a description.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;

/// What a skill says about itself, and the rest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parsed<'a> {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: &'a str,
}

/// A line, counted from 1, and what is wrong with it.
type Wrong = (usize, String);

pub(super) fn parse(source: &str) -> Result<Parsed<'_>, Wrong> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if source
        .lines()
        .next()
        .is_none_or(|line| line.trim_end() != "---")
    {
        return Err((1, "expected `---`, then `name: ..`".to_owned()));
    }
    let mut fields: Vec<Field<'_>> = Vec::new();
    let mut read = 0;
    for (at, line) in source.split_inclusive('\n').enumerate() {
        read += line.len();
        let (number, line) = (at + 1, line.trim_end());
        match line {
            "---" if number == 1 => {}
            "---" => {
                let name = name(&fields)?;
                let description = description(&fields)?;
                let body = source[read..].trim();
                return Ok(Parsed {
                    name,
                    description,
                    body,
                });
            }
            _ if line.is_empty() || line.starts_with('#') => {}
            _ if line.starts_with([' ', '\t', '-']) => {
                // What belongs to the key before it.
                fields.iter_mut().last().into_iter().for_each(|field| {
                    field.more.push(line.trim());
                });
            }
            _ => fields.push(Field::of(number, line)?),
        }
    }
    Err((1, "there is no second `---`".to_owned()))
}

struct Field<'a> {
    line: usize,
    key: &'a str,
    first: &'a str,
    more: Vec<&'a str>,
}

impl<'a> Field<'a> {
    fn of(line: usize, text: &'a str) -> Result<Self, Wrong> {
        let (key, first) = text
            .split_once(':')
            .ok_or_else(|| (line, "expected `key: value`".to_owned()))?;
        Ok(Self {
            line,
            key: key.trim(),
            first: first.trim(),
            more: Vec::new(),
        })
    }

    /// The value on one line.
    fn value(&self) -> Result<String, Wrong> {
        // `>` and `|` only say how its lines belong together.
        let is_block = self.first.starts_with(['>', '|']);
        let first = Some(self.first).filter(|first| !is_block && !first.is_empty());
        let lines: Vec<&str> = first.into_iter().chain(self.more.iter().copied()).collect();
        let text = lines.join(" ");
        let open = || {
            (
                self.line,
                format!("`{}` has a quote without an end", self.key),
            )
        };
        if is_block {
            return Ok(text);
        }
        if let Some(quoted) = text.strip_prefix('"') {
            let inside = double_quoted(quoted).ok_or_else(open)?;
            return Ok(inside.replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        if let Some(quoted) = text.strip_prefix('\'') {
            let inside = single_quoted(quoted).ok_or_else(open)?;
            return Ok(inside.replace("''", "'"));
        }
        let text = text.split(" #").next().unwrap_or_default();
        Ok(text.trim().to_owned())
    }
}

/// What stands before the closing quote, after which only a comment may come. A quote behind `\` closes
/// nothing.
fn double_quoted(text: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let closes = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        closes
    })?;
    ends_there(&text[end + 1..]).then(|| &text[..end])
}

/// The same, where two quotes stand for one.
fn single_quoted(text: &str) -> Option<&str> {
    let mut end = text.find('\'')?;
    while text[end + 1..].starts_with('\'') {
        end += 2 + text[end + 2..].find('\'')?;
    }
    ends_there(&text[end + 1..]).then(|| &text[..end])
}

fn ends_there(rest: &str) -> bool {
    let comment = rest.trim_start();
    comment.is_empty() || comment.len() < rest.len() && comment.starts_with('#')
}

/// The value of a key that must be there, and its line.
fn required(fields: &[Field<'_>], key: &str) -> Result<(usize, String), Wrong> {
    let field = fields.iter().find(|field| field.key == key);
    let field = field.ok_or_else(|| (1, format!("`{key}` is missing")))?;
    let value = field.value()?;
    if value.is_empty() {
        return Err((field.line, format!("`{key}` is empty")));
    }
    match hidden(&value) {
        Some(_) => Err((field.line, format!("`{key}` has hidden characters"))),
        None => Ok((field.line, value)),
    }
}

fn name(fields: &[Field<'_>]) -> Result<String, Wrong> {
    let (line, name) = required(fields, "name")?;
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if name.len() > LONGEST_NAME || !name.chars().all(is_usual) {
        let wanted = format!(
            "`name` has letters, digits, `-` and `_`, at most {LONGEST_NAME}, and not `{name}`"
        );
        return Err((line, wanted));
    }
    Ok(name)
}

fn description(fields: &[Field<'_>]) -> Result<String, Wrong> {
    let (line, description) = required(fields, "description")?;
    if description.chars().count() > LONGEST_DESCRIPTION {
        let wanted = format!("`description` has at most {LONGEST_DESCRIPTION} characters");
        return Err((line, wanted));
    }
    Ok(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(head: &str) -> String {
        let source = format!("---\nname: x\n{head}\n---\n");
        parse(&source).unwrap().description
    }

    #[test]
    fn a_head_says_name_and_purpose() {
        let source = "\u{feff}---\r\n# a comment\nlicense: MIT\nname: make-pdf # so\nmetadata:\n  a: b\n\
                      allowed-tools:\n- Bash\ndescription: Makes PDFs: all of them.\n---\n\n# How\n---\nSo.\n";
        let parsed = parse(source).unwrap();
        assert_eq!(parsed.name, "make-pdf");
        assert_eq!(parsed.description, "Makes PDFs: all of them.");
        assert_eq!(parsed.body, "# How\n---\nSo.");
    }

    #[test]
    fn a_description_may_be_written_in_many_ways() {
        for head in [
            "description: one two",
            "description: one\n  two",
            "description: >-\n  one\n\n  two",
            "description: |\n  one\n  two",
            "description: \"one two\"",
            "description: \"one two\" # yes, \"so\"",
            "description: 'one two'  # it's so",
            "description: 'one\n  two'",
            "description:\n  one two",
        ] {
            assert_eq!(described(head), "one two", "{head}");
        }
        assert_eq!(described(r#"description: "a \"b\"""#), r#"a "b""#);
        assert_eq!(described("description: 'it''s'"), "it's");
        assert_eq!(described(r#"description: "C:\\" # "x""#), r"C:\");
        assert_eq!(described("description: 'a # b'"), "a # b");
    }

    #[test]
    fn what_is_wrong_is_placed() {
        let long = format!("---\nname: x\ndescription: {}\n---\n", "x".repeat(1025));
        let wrong = [
            "",
            "# no head",
            "---\nname: x\n",
            "---\nname: x\n---\n",
            "---\ndescription: x\n---\n",
            "---\nwhat is this\n---\n",
            "---\nname: a/b\ndescription: x\n---\n",
            "---\nname: x\ndescription: \"x\n---\n",
            "---\nname: x\ndescription: \"x\" y\n---\n",
            "---\nname: x\ndescription: 'it''s\n---\n",
            "---\nname: x\n\ndescription:\n---\n",
            "---\nname: x\ndescription: a\u{200b}b\n---\n",
            &long,
        ];
        let wrong: Vec<String> = wrong
            .iter()
            .map(|source| match parse(source) {
                Err((line, why)) => format!("{line}: {why}"),
                Ok(parsed) => format!("{parsed:?}"),
            })
            .collect();
        insta::assert_snapshot!(wrong.join("\n"), @"
        1: expected `---`, then `name: ..`
        1: expected `---`, then `name: ..`
        1: there is no second `---`
        1: `description` is missing
        1: `name` is missing
        2: expected `key: value`
        2: `name` has letters, digits, `-` and `_`, at most 64, and not `a/b`
        3: `description` has a quote without an end
        3: `description` has a quote without an end
        3: `description` has a quote without an end
        4: `description` is empty
        3: `description` has hidden characters
        3: `description` has at most 1024 characters
        ");
    }
}
