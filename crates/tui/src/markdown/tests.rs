//! Answers as people see them.

mod streaming;

use super::*;
use crate::line::Span;
use crate::screen::Rewrap;
use crate::style::{Color, Style};

const LOOKS: Looks = Looks {
    color: true,
    links: true,
    rewrap: Rewrap::Yes,
    synchronized: true,
};

fn lines(text: &str, width: usize) -> Vec<Line> {
    let mut markdown = Markdown::new(LOOKS);
    markdown.push(text);
    markdown.finish(width)
}

fn shown(lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(Line::text).collect();
    lines.join("\n")
}

/// The lines with their looks as tags.
fn marked(lines: &[Line]) -> String {
    let tags = |style: Style| {
        let color = match style.color {
            Some(Color::Ansi(color)) => format!("{color}"),
            Some(Color::Indexed(_)) => "256".to_owned(),
            None => String::new(),
        };
        let attributes = [
            (style.bold, "b"),
            (style.dim, "d"),
            (style.italic, "i"),
            (style.underline, "u"),
            (style.strike, "s"),
        ];
        let attributes = attributes.iter().filter(|(is_set, _)| *is_set);
        color + &attributes.map(|(_, tag)| *tag).collect::<String>()
    };
    let span = |span: &Span| {
        let tags = tags(span.style);
        let text = match &span.link {
            Some(link) => format!("<a {link}>{}</a>", span.text),
            None => span.text.clone(),
        };
        if tags.is_empty() {
            text
        } else {
            format!("<{tags}>{text}</>")
        }
    };
    let lines = lines
        .iter()
        .map(|line| line.spans.iter().map(span).collect());
    lines.collect::<Vec<String>>().join("\n")
}

#[test]
fn paragraphs_are_wrapped_and_keep_their_line_breaks() {
    let text = "The quick brown fox jumps over the lazy dog.\nA second line.\n\n\n\nAnother.\n\n";
    insta::assert_snapshot!(shown(&lines(text, 20)), @"
    The quick brown fox
    jumps over the lazy
    dog.
    A second line.

    Another.
    ");
}

#[test]
fn marks_become_looks() {
    let text = "**bold** and *slanted*, ~~gone~~, `code`, snake_case_name, 2 * 3 * 4, **a *b* c**";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"<b>bold</> and <i>slanted</>, <s>gone</>, <5>code</>, snake_case_name, 2 * 3 * 4, <b>a </><bi>b</><b> c</>");
    let text = "(https://example.org/a_(b)) (https://example.org/c).";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"(<a https://example.org/a_(b)>https://example.org/a_(b)</a>) (<a https://example.org/c>https://example.org/c</a>).");
    let text = "[docs](https://example.org/a) <https://example.org> see https://example.org/x_y. ![alt](a.png) <br> &lt; [x]";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"<a https://example.org/a>docs</a> (<a https://example.org/a>https://example.org/a</a>) <a https://example.org>https://example.org</a> see <a https://example.org/x_y>https://example.org/x_y</a>. alt <br> < [x]");
}

#[test]
fn marks_reach_over_line_breaks() {
    let text = "> **two\n> words** and `some\ncode`\n\n**never\n\nclosed**";
    insta::assert_snapshot!(marked(&lines(text, 80)), @"
    <d>│ </><b>two</>
    <d>│ </><b>words</> and <5>some</>
    <d>│ </><5>code</>

    **never

    closed**
    ");
}

#[test]
fn marks_count_where_words_stand_without_blanks() {
    let text = "**注意：**请看，**重点**和强调**“引用”**的。2*(3+4)*5 **Note:**text";
    insta::assert_snapshot!(marked(&lines(text, 120)), @"<b>注意：</>请看，<b>重点</>和强调<b>“引用”</>的。2*(3+4)*5 <b>Note:</>text");
}

#[test]
fn without_colours_code_keeps_its_marks() {
    let looks = Looks {
        color: false,
        links: false,
        ..LOOKS
    };
    let mut markdown = Markdown::new(looks);
    markdown.push("run `ls` or [look](https://example.org)");
    insta::assert_snapshot!(marked(&markdown.finish(80)), @"run `ls` or look (https://example.org)");
}

#[test]
fn code_is_coloured_by_its_language_or_file() {
    for info in ["rust", "rs,ignore", "rust:src/a.rs", "src/a.rs"] {
        let text = format!("```{info}\n// why\n```");
        assert_eq!(
            lines(&text, 80)[1],
            Line::new("// why", Style::DIM),
            "{info}"
        );
    }
    assert_eq!(lines("```\n// why\n```", 80)[1], Line::plain("// why"));
}

#[test]
fn what_a_terminal_would_obey_is_spelled_out() {
    let text = "a\x1b[31m\r\nb\rc &#27;[2J [x](https://e.org/&#27;]) `\x07`";
    insta::assert_snapshot!(marked(&lines(text, 80)), @r"
    a\e[31m
    b\rc \e[2J x (https://e.org/\e]) <5>\u{7}</>
    ");
}

const ANSWER: &str = "\
# The plan
Three things have to *happen* before the release, and each of them takes some time:

1. **Read** the code in `src/main.rs`, all of it, and write down what seems to be wrong with it
   - nested, with a [link](https://example.org)
   - [x] done
   - [ ] not done, because it takes a lot more words than anybody has ever seen in one line
2. Run it:
   ```sh
   cargo test --workspace && cargo clippy --workspace --all-targets -- -D warnings
   ```

   Then look.

> A quote that is longer than the narrowest of the screens, and so is wrapped
> - with a list

## Numbers ##
| name | what it is | count |
|:-----|:----------:|------:|
| one | the first of all numbers, but for zero | 1 |
| a\\|b | `code` | 22 |

---
Done.
";

#[test]
fn an_answer_of_all_sorts() {
    insta::assert_snapshot!(shown(&lines(ANSWER, 40)), @"
    The plan
    Three things have to happen before the
    release, and each of them takes some
    time:

    1. Read the code in src/main.rs, all of
       it, and write down what seems to be
       wrong with it
       - nested, with a link
         (https://example.org)
       - [x] done
       - [ ] not done, because it takes a
         lot more words than anybody has
         ever seen in one line
    2. Run it:
       ```sh
       cargo test --workspace && cargo clippy --workspace --all-targets -- -D warnings
       ```

       Then look.

    │ A quote that is longer than the
    │ narrowest of the screens, and so is
    │ wrapped
    │ - with a list

    Numbers
    name │        what it is         │ count
    ─────┼───────────────────────────┼──────
    one  │ the first of all numbers, │     1
         │       but for zero        │
    a|b  │           code            │    22

    ────────────────────────────────────────
    Done.
    ");
    insta::assert_snapshot!(shown(&lines(ANSWER, 80)), @"
    The plan
    Three things have to happen before the release, and each of them takes some
    time:

    1. Read the code in src/main.rs, all of it, and write down what seems to be
       wrong with it
       - nested, with a link (https://example.org)
       - [x] done
       - [ ] not done, because it takes a lot more words than anybody has ever seen
         in one line
    2. Run it:
       ```sh
       cargo test --workspace && cargo clippy --workspace --all-targets -- -D warnings
       ```

       Then look.

    │ A quote that is longer than the narrowest of the screens, and so is wrapped
    │ - with a list

    Numbers
    name │               what it is               │ count
    ─────┼────────────────────────────────────────┼──────
    one  │ the first of all numbers, but for zero │     1
    a|b  │                  code                  │    22

    ────────────────────────────────────────
    Done.
    ");
    insta::assert_snapshot!(marked(&lines(ANSWER, 120)), @"
    <bu>The plan</>
    Three things have to <i>happen</> before the release, and each of them takes some time:

    1. <b>Read</> the code in <5>src/main.rs</>, all of it, and write down what seems to be wrong with it
       - nested, with a <a https://example.org>link</a> (<a https://example.org>https://example.org</a>)
       - [x] done
       - [ ] not done, because it takes a lot more words than anybody has ever seen in one line
    2. Run it:
       <d>```sh</>
       <12>cargo</> test --workspace && <12>cargo</> clippy --workspace --all-targets -- -D warnings
       <d>```</>

       Then look.

    <d>│ </>A quote that is longer than the narrowest of the screens, and so is wrapped
    <d>│ </>- with a list

    <b>Numbers</>
    <b>name</><d> │ </>              <b>what it is</>              <d> │ </><b>count</>
    <d>─────┼────────────────────────────────────────┼──────</>
    one <d> │ </>the first of all numbers, but for zero<d> │ </>    1
    a|b <d> │ </>                 <5>code</>                 <d> │ </>   22

    <d>────────────────────────────────────────</>
    Done.
    ");
}

#[test]
fn tables_are_found_in_lists_and_become_lists_without_room() {
    let text = "a | b | c\n--|--|--\n1 | two words | 3\n4 | 5\n";
    insta::assert_snapshot!(shown(&lines(text, 12)), @"
    a: 1
    b: two words
    c: 3

    a: 4
    b: 5
    c:
    ");
    insta::assert_snapshot!(shown(&lines("1. As a table:\n| a | b |\n|---|---|\n| c | d |", 30)), @"
    1. As a table:
    a │ b
    ──┼──
    c │ d
    ");
    insta::assert_snapshot!(shown(&lines("- | a | b |\n  |---|---|\n  | c | d | e |\n  no row", 30)), @"
    - a │ b
      ──┼──────
      c │ d | e
      no row
    ");
}

#[test]
fn lists_are_understood_however_they_are_indented() {
    let text = "\
* one
  goes on
lazily
    - two
        + three
1) first
  * under it

     text of it

-\x20
-
  late
9. nine
10. ten
   ```
no indent
   ```
text\n2. no list\n1. a list";
    insta::assert_snapshot!(shown(&lines(text, 40)), @"
    - one
      goes on
      lazily
      - two
        - three
    1) first
       - under it

         text of it

    -
    - late
    9. nine
    10. ten
        ```
        no indent
        ```
    text
    2. no list
    1. a list
    ");
}

#[test]
fn code_is_left_as_it_is() {
    let text = "Text:\n~~~~ text title\n**no** marks   .\n\n\n\tindented | by | tab\n~~~\n~~~~\n\n    indented\n      code\n> ```\n> quoted\nnot quoted\n```open";
    insta::assert_snapshot!(marked(&lines(text, 20)), @"
    Text:
    <d>~~~~ text title</>
    **no** marks   .


        indented | by | tab
    ~~~
    <d>~~~~</>

    indented
      code
    <d>│ ```</>
    <d>│ </>quoted
    not quoted
    <d>```open</>
    ");
}

#[test]
fn what_looks_like_something_else_is_text() {
    let text = "#hashtag\n####### seven\na ||| b\n|---|\n===\n-5 degrees\n1.5 times\n`` ` `` ** not **\n[^1]: note\n<div>\n- - -\n****\n#\n";
    insta::assert_snapshot!(marked(&lines(text, 80)), @"
    #hashtag
    ####### seven
    a ||| b
    |---|
    ===
    -5 degrees
    1.5 times
    <5>`</> ** not **
    [^1]: note
    <div>
    <d>────────────────────────────────────────</>
    <d>────────────────────────────────────────</>
    ");
}
