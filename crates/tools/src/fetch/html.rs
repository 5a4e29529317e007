//! A page as text: headings, lists, tables and links are kept, all else goes.
//!
//! Pages are written by strangers. There is no tree here and no recursion: one pass over the tags,
//! whose cost follows the length of the page, however it is nested.

use std::collections::BTreeMap;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{HtmlString, Spanned, State, Token, Tokenizer};
use reqwest::Url;

/// No more text comes of a page: its links can be far longer than its tags.
const MOST: usize = 10_000_000;
/// How far lists are indented.
const DEEPEST: usize = 8;

/// What a person would read of a page at this address.
pub(super) fn readable(html: &str, base: &Url) -> String {
    let mut emitter = DefaultEmitter::default();
    // What stands in scripts and styles are no tags.
    emitter.naively_switch_states(true);
    let mut page = Page::new(base);
    let mut tokens = Tokenizer::new_with_emitter(html, emitter);
    while let Some(Ok(token)) = tokens.next() {
        match token {
            Token::StartTag(tag) if tag.self_closing && page.is_drawing(&tag.name) => {
                // Nothing is inside, no script either.
                tokens.set_state(State::Data);
            }
            Token::StartTag(tag) => page.open(&tag.name, &tag.attributes),
            Token::EndTag(tag) => page.close(&tag.name),
            Token::String(text) => page.say(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
        if page.text.len() > MOST {
            break;
        }
    }
    page.end_link();
    page.text.trim().to_owned()
}

type Attributes = BTreeMap<HtmlString, Spanned<HtmlString, ()>>;

struct Page<'a> {
    base: &'a Url,
    text: String,
    /// The element whose content nobody reads, and how often it is open.
    hidden: Option<(Vec<u8>, usize)>,
    /// Where the open link leads, and where its text begins.
    link: Option<(String, usize)>,
    /// How many lists are open.
    lists: usize,
    /// Spaces and line breaks count.
    verbatim: bool,
    /// A mark was just written, behind which no line ends.
    marked: usize,
}

impl<'a> Page<'a> {
    fn new(base: &'a Url) -> Self {
        Self {
            base,
            text: String::new(),
            hidden: None,
            link: None,
            lists: 0,
            verbatim: false,
            marked: 0,
        }
    }

    /// Whether an element is one of a drawing: only those end where they begin, if they say so.
    fn is_drawing(&self, name: &[u8]) -> bool {
        let hidden = self.hidden.as_ref().map(|(hidden, _)| hidden.as_slice());
        name == b"svg" || hidden == Some(b"svg")
    }

    fn open(&mut self, name: &[u8], attributes: &Attributes) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth += usize::from(hidden == name);
            return;
        }
        match name {
            b"script" | b"style" | b"template" | b"svg" | b"noscript" | b"iframe" | b"object"
            | b"select" | b"textarea" => self.hidden = Some((name.to_owned(), 1)),
            b"title" => self.mark(2, "# "),
            [b'h', level @ b'1'..=b'6'] => {
                let level = usize::from(level - b'0');
                self.mark(2, &("#".repeat(level) + " "));
            }
            b"ul" | b"ol" => {
                self.lines(1);
                self.lists += 1;
            }
            b"li" => {
                let depth = self.lists.clamp(1, DEEPEST) - 1;
                self.mark(1, &("  ".repeat(depth) + "- "));
            }
            b"td" | b"th" => self.cell(),
            b"pre" => {
                self.mark(2, "```\n");
                self.verbatim = true;
            }
            b"code" if !self.verbatim => self.text.push('`'),
            b"br" => self.text.push('\n'),
            b"hr" => self.mark(2, "---\n"),
            b"a" => self.begin_link(attributes),
            b"img" => self.image(attributes),
            other => self.lines(breaks(other)),
        }
    }

    fn close(&mut self, name: &[u8]) {
        if let Some((hidden, depth)) = &mut self.hidden {
            *depth -= usize::from(hidden == name);
            if *depth == 0 {
                self.hidden = None;
            }
            return;
        }
        match name {
            b"title" | [b'h', b'1'..=b'6'] => self.lines(2),
            b"ul" | b"ol" => {
                self.lists = self.lists.saturating_sub(1);
                self.lines(if self.lists == 0 { 2 } else { 1 });
            }
            b"pre" if self.verbatim => {
                self.verbatim = false;
                self.lines(1);
                self.text.push_str("```\n\n");
            }
            b"code" if !self.verbatim => self.text.push('`'),
            b"a" => self.end_link(),
            other => self.lines(breaks(other)),
        }
    }

    fn say(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.verbatim {
            self.text.push_str(text);
            return;
        }
        for piece in text.split_inclusive(char::is_whitespace) {
            let word = piece.trim_end();
            self.text.push_str(word);
            let at_start = self.text.is_empty() || self.text.ends_with([' ', '\n', '[']);
            if word.len() < piece.len() && !at_start {
                self.text.push(' ');
            }
        }
    }

    /// Ends the line, if something stands on it, so that `count` breaks follow.
    fn lines(&mut self, count: usize) {
        if count == 0 || self.text.len() == self.marked {
            return;
        }
        self.text.truncate(self.text.trim_end_matches(' ').len());
        let breaks = self.text.bytes().rev().take_while(|byte| *byte == b'\n');
        for _ in breaks.take(count).count()..count {
            self.text.push('\n');
        }
    }

    /// Begins something on a line of its own.
    fn mark(&mut self, count: usize, mark: &str) {
        if !self.text.is_empty() {
            self.lines(count);
        }
        self.text.push_str(mark);
        self.marked = self.text.len();
    }

    fn cell(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.truncate(self.text.trim_end_matches(' ').len());
            self.text.push_str(" | ");
            self.marked = self.text.len();
        }
    }

    fn begin_link(&mut self, attributes: &Attributes) {
        self.end_link();
        let href = attribute(attributes, b"href");
        let target = href.filter(|href| !href.starts_with('#'));
        let target = target.and_then(|href| self.base.join(href.trim()).ok());
        if let Some(url) = target.filter(|url| matches!(url.scheme(), "http" | "https")) {
            self.text.push('[');
            self.marked = self.text.len();
            self.link = Some((url.into(), self.text.len()));
        }
    }

    fn end_link(&mut self) {
        let Some((url, start)) = self.link.take() else {
            return;
        };
        self.text.truncate(self.text.trim_end().len());
        if self.text.len() <= start {
            // Nobody sees a link without words.
            self.text.truncate(start - 1);
            return;
        }
        self.text.extend(["](", &url, ")"]);
    }

    fn image(&mut self, attributes: &Attributes) {
        let words = attribute(attributes, b"alt").unwrap_or_default();
        if !words.trim().is_empty() {
            self.say(&format!("(image: {})", words.trim()));
        }
    }
}

fn attribute(attributes: &Attributes, name: &[u8]) -> Option<String> {
    let value = attributes.get(name)?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// How many line breaks stand around an element.
fn breaks(name: &[u8]) -> usize {
    match name {
        b"p" | b"blockquote" | b"table" | b"dl" | b"figure" | b"article" | b"section" | b"main"
        | b"header" | b"footer" | b"nav" | b"aside" | b"form" | b"details" => 2,
        b"div" | b"tr" | b"dt" | b"dd" | b"li" | b"body" | b"head" | b"html" | b"caption"
        | b"figcaption" | b"summary" | b"option" | b"address" => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> String {
        readable(
            html,
            &Url::parse("https://docs.example.org/guide/a.html").unwrap(),
        )
    }

    #[test]
    fn a_page_reads_like_a_page() {
        let page = read(
            "<!doctype html><html><head><title>Guide &amp; more</title><style>p { color: red }</style>
            <script>if (a < b) { document.write('<p>no</p>') }</script></head><body>
            <nav><ul><li><a href='/'>Home</a><li><a href=\"b.html#x\">Next</a></ul></nav>
            <h1>A   <em>long</em>
            title</h1><p>First, with <code>code</code> and <a href='#here'>a mark</a>.</p><p>Second<br>line.
            <ol><li><p>one</p><ul><li>inner</li></ul></li><li>two</li></ol>
            <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
            <pre><code>fn main() {
    x &lt; y
}
</code></pre><img src=x alt='A cat'><img src=y><a href='javascript:x()'>click</a><a href='/empty'> </a>
            <svg><title>no</title></svg><noscript>no</noscript></body></html>",
        );
        insta::assert_snapshot!(page, @"
        # Guide & more

        - [Home](https://docs.example.org/)
        - [Next](https://docs.example.org/guide/b.html#x)

        # A long title

        First, with `code` and a mark.

        Second
        line.
        - one

          - inner
        - two

        a | b
        1 | 2

        ```
        fn main() {
            x < y
        }
        ```

        (image: A cat)click
        ");
    }

    #[test]
    fn an_empty_drawing_hides_nothing() {
        assert_eq!(read("a <svg/>b"), "a b");
        assert_eq!(read("a <svg><svg/><title/><style/><path/>no</svg>b"), "a b");
        // Elsewhere the slash means nothing, as in a browser.
        assert_eq!(read("a <template/>no</template>b"), "a b");
        assert_eq!(read("a <script/>no</script>b"), "a b");
    }

    /// No page is worth more than its length.
    #[test]
    fn hostile_pages_cost_what_they_weigh() {
        let deep = "<div><ul><li><a href=x><b>".repeat(40_000) + "end";
        assert!(read(&deep).ends_with("[end](https://docs.example.org/guide/x)"));
        let long = format!("<a href='{}'>y</a>", "z".repeat(2000)).repeat(6000);
        assert!(read(&long).len() < MOST + 5000);
        for broken in [
            "<",
            "<a",
            "</",
            "<a href='",
            "<!--",
            "&#x",
            "<pre>",
            "<li>",
            "</pre></a></ul>",
        ] {
            read(broken);
        }
        assert_eq!(read("a<script>b"), "a");
    }
}
