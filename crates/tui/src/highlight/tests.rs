//! What looks how.

use proptest::prelude::*;

use super::*;

/// The pieces of some code that do not look plain, each marked with what it is.
fn marked(language: &str, text: &str) -> String {
    let mut code = Highlighter::new(language).unwrap();
    let line = |line: &str| {
        let spans = code.line(line).spans;
        let piece = |span: &Span| match mark(span.style) {
            Some(mark) => format!("{mark}<{}>", span.text),
            None => span.text.clone(),
        };
        spans.iter().map(piece).collect::<String>()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn mark(style: Style) -> Option<&'static str> {
    match style {
        Style::PLAIN => None,
        Style::DIM => Some("comment"),
        Style::BOLD => Some("heading"),
        style => match style.color {
            Some(Color::GREEN) => Some("text"),
            Some(Color::CYAN) => Some("constant"),
            Some(Color::MAGENTA) => Some("keyword"),
            Some(Color::BLUE) => Some("name"),
            Some(Color::RED) => Some("removed"),
            _ => Some("other"),
        },
    }
}

#[test]
fn rust() {
    insta::assert_snapshot!(marked("rust", r##"
/// Reads /* it */.
pub fn read<'a>(from: &'a str) -> Result<u8, Error> {
    let text = "a \" b"; /* one /* in
    another */ still */ let c = '\n';
    let raw = r#"a "quoted" word
    // no comment"#;
    println!("{}", 0xff_u8 + 1.5e-3 as u8);
    (0..10).map(|i| i + 1).sum::<u8>()
}
"##), @r##"

    comment</// Reads /* it */.>
    keyword<pub> keyword<fn> name<read><keyword<'a>>(from: &keyword<'a> keyword<str>) -> Result<keyword<u8>, Error> {
        keyword<let> text = text<"a \" b">; comment</* one /* in>
    comment<    another */ still */> keyword<let> c = text<'\n'>;
        keyword<let> raw = text<r#"a "quoted" word>
    text<    // no comment"#>;
        name<println>!(text<"{}">, constant<0xff_u8> + constant<1.5e-3> keyword<as> keyword<u8>);
        (constant<0>..constant<10>).name<map>(|i| i + constant<1>).sum::<keyword<u8>>()
    }
    "##);
}

#[test]
fn python() {
    insta::assert_snapshot!(marked("py", r#"
@cached
def area(self, r=1.5):  # don't
    """It's
    long."""
    return f"{r}" if r else None
"#), @r#"

    @name<cached>
    keyword<def> name<area>(self, r=constant<1.5>):  comment<# don't>
        text<"""It's>
    text<    long.""">
        keyword<return> text<f"{r}"> keyword<if> r keyword<else> constant<None>
    "#);
}

#[test]
fn typescript() {
    insta::assert_snapshot!(marked("tsx", r"
export async function load<T>(url?: string): Promise<T> {
  const text = `a ${url}
  b`; // https://example.org
  return await fetch(url!, { cache: 'no-store' }).json() as T ?? null;
}
"), @"

    keyword<export> keyword<async> keyword<function> name<load><T>(url?: keyword<string>): Promise<T> {
      keyword<const> text = text<`a ${url}>
    text<  b`>; comment<// https://example.org>
      keyword<return> keyword<await> name<fetch>(url!, { cache: text<'no-store'> }).name<json>() keyword<as> T ?? constant<null>;
    }
    ");
}

#[test]
fn shell() {
    insta::assert_snapshot!(marked("bash", r#"
#!/bin/sh
for f in *.rs; do wc -l "$f" | sort -n; done
A=1 cargo test --all 2>&1 && echo "two
lines" # why
cat > out <<'EOF'
don't "mind
EOF
test ${#x} = $# || { exit 1; }
"#), @r#"

    comment<#!/bin/sh>
    keyword<for> f keyword<in> *.rs; keyword<do> name<wc> -l text<"$f"> | name<sort> -n; keyword<done>
    A=1 name<cargo> test --all constant<2>>&constant<1> && name<echo> text<"two>
    text<lines"> comment<# why>
    name<cat> > out <<text<'EOF'>
    text<don't "mind>
    text<EOF>
    name<test> ${#x} = $# || { keyword<exit> constant<1>; }
    "#);
}

#[test]
fn a_terminal() {
    insta::assert_snapshot!(marked("console", r"
$ cargo build --release
warning: you can't
"), @"

    comment<$ >name<cargo> build --release
    warning: you can't
    ");
}

#[test]
fn data() {
    insta::assert_snapshot!(marked("json", r#"{"a": [1, true], "b\"c" : "d:"}"#), @r#"{name<"a">: [constant<1>, constant<true>], name<"b\"c"> : text<"d:">}"#);
    insta::assert_snapshot!(marked("yaml", r"
on: push # always
jobs:
  - uses: actions/checkout@v4
    name: don't stop, see https://example.org
"), @"

    name<on>: push comment<# always>
    name<jobs>:
      - name<uses>: actions/checkout@v4
        name<name>: don't stop, see https://example.org
    ");
    insta::assert_snapshot!(marked("toml", r#"
[package]
name = "a=b"
edition = 2024
"#), @r#"

    heading<[package]>
    name<name> = text<"a=b">
    name<edition> = constant<2024>
    "#);
    insta::assert_snapshot!(marked("css", "a:hover { color: red; /* x */ --gap: 2px }"), @"name<a>:hover { name<color>: red; comment</* x */> name<--gap>: constant<2px> }");
}

#[test]
fn databases() {
    insta::assert_snapshot!(marked("sql", r"
SELECT count(*) FROM users -- all
where name = 'it''s'
"), @"

    keyword<SELECT> name<count>(*) keyword<FROM> users comment<-- all>
    keyword<where> name = text<'it''s'>
    ");
}

#[test]
fn documents() {
    insta::assert_snapshot!(marked("html", r#"
<!-- one
two --><p class="a" id=b>1 < 2</p>
<img
  alt='é>'>é
"#), @r#"

    comment<<!-- one>
    comment<two -->>name<<p> class=text<"a"> id=bname<>>1 < 2name<</p>>
    name<<img>
      alt=text<'é>'>name<>>é
    "#);
    insta::assert_snapshot!(marked("md", r"
# Title
Use `it`, or `not
```sh
# no title
```
> quoted
"), @"

    heading<# Title>
    Use text<`it`>, or `not
    comment<```sh>
    text<# no title>
    comment<```>
    comment<> quoted>
    ");
    insta::assert_snapshot!(marked("diff", r"
--- a/x
+++ b/x
@@ -1 +1 @@
-old
+new
 same
"), @"

    heading<--- a/x>
    heading<+++ b/x>
    constant<@@ -1 +1 @@>
    removed<-old>
    text<+new>
     same
    ");
}

#[test]
fn languages_are_known_by_many_names() {
    for name in [
        "rust",
        "rs",
        "Python",
        "py",
        "ts",
        "tsx",
        "bash",
        "console",
        "c++",
        "C#",
        "toml",
        "yaml",
        "diff",
        "Dockerfile",
        "golang",
        "objc",
        "html",
        "json5",
    ] {
        assert!(Highlighter::new(name).is_some(), "{name}");
    }
    for name in ["", " ", "text", "no such language"] {
        assert!(Highlighter::new(name).is_none(), "{name}");
    }
}

#[test]
fn tabs_are_shown_as_blanks() {
    let mut code = Highlighter::new("go").unwrap();
    assert_eq!(code.line("\tx\t1").spans[0].text, "    x    ");
}

/// Texts out of what means something in some language.
fn any_code() -> impl Strategy<Value = String> {
    const PARTS: &[&str] = &[
        "'", "\"", "`", "\"\"\"", "r#\"", "\"#", "/*", "*/", "//", "#", "--", "<", "</a", ">",
        "<!--", "-->", "<<EOF", "EOF", "\\", "é", "漢", "🙂", " ", "\t", "\n", "0x1", "1.e", "a",
        "b'", "[", "]", "{", "}", "$", "@", "=", ":", ";", "(*", "*)", "{-", "-}", "fn", "```",
    ];
    let part = prop_oneof![
        9 => proptest::sample::select(PARTS).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from)
    ];
    proptest::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_added(text in any_code()) {
        for notation in languages::all() {
            let mut code = Highlighter { notation, open: Open::Nothing };
            for line in text.split(['\n', '\r']) {
                let shown: String = code.line(line).spans.into_iter().map(|span| span.text).collect();
                prop_assert_eq!(shown, untabbed(line), "{:?}", notation);
            }
        }
    }
}
