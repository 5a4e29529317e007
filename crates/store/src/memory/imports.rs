//! What a memory file names with `@`, to be read with it. In code an `@` is something else.

/// The names, in their order.
pub(super) fn named(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let marks = fence_of(line);
        match (fence, marks) {
            (None, Some(_)) => fence = marks,
            (Some(open), Some(marks)) if marks.starts_with(open) => fence = None,
            (Some(_), _) => {}
            (None, None) => names.extend(outside_code(line).flat_map(in_prose)),
        }
    }
    names
}

/// The marks with which a block of code begins or ends.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| "`~".contains(*c))?;
    let count = line.bytes().take_while(|byte| *byte == mark as u8).count();
    (count >= 3).then(|| &line[..count])
}

/// What of a line is not between backticks.
fn outside_code(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(start) = text.find('`') else {
            return rest.take();
        };
        let (before, code) = text.split_at(start);
        let inner = code.trim_start_matches('`');
        let marks = &code[..code.len() - inner.len()];
        // Code ends with as many marks as it begins with; if it does not, it is none.
        rest = Some(after(inner, marks).unwrap_or(inner));
        Some(before)
    })
}

fn after<'a>(text: &'a str, marks: &str) -> Option<&'a str> {
    let mut rest = text;
    loop {
        let run = &rest[rest.find('`')?..];
        rest = run.trim_start_matches('`');
        if run.len() - rest.len() == marks.len() {
            return Some(rest);
        }
    }
}

fn in_prose(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace();
    let names = words.filter_map(|word| word.trim_start_matches(['(', '-', '*']).strip_prefix('@'));
    let punctuation: &[char] = &['.', ',', ';', ':', '!', '?', ')', '*'];
    names
        .map(move |name| name.trim_end_matches(punctuation))
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_outside_of_code() {
        let text = "\
@a.md and (see @./b/c.md), **@d.md**. mail me@x.org @ all
`@no.md` @e.md ``a ` @no.md`` and a lone ` @f.md
```rust
@no.md
~~~
```
~~~~
@no.md
~~~
~~~~
@g.md";
        assert_eq!(
            named(text),
            ["a.md", "./b/c.md", "d.md", "e.md", "f.md", "g.md"]
        );
    }
}
