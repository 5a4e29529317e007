//! A session as a document: for reading (Markdown, HTML), or as it was recorded (JSON lines).
//!
//! All that was said and done is in it but for thoughts. What a terminal would obey is spelled out,
//! but for JSON lines, which spell it out themselves.

use std::fmt::Write as _;

use clap::ValueEnum;
use pollux_store::Replay;
use pollux_types::untrusted::visible;
use pollux_types::{Message, Part, Response, Role};

/// What a session is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Markdown.
    #[default]
    Md,
    /// A page by itself.
    Html,
    /// As it was recorded.
    Jsonl,
}

impl Format {
    /// The word for it, which is also how such files end.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
        }
    }

    /// The format of that word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::from_str(word, false).ok()
    }
}

/// The whole document. `recorded` is the log itself.
pub(crate) fn document(replay: &Replay, recorded: Vec<u8>, format: Format) -> Vec<u8> {
    match format {
        Format::Md => markdown(replay).into_bytes(),
        Format::Html => html(replay).into_bytes(),
        Format::Jsonl => recorded,
    }
}

/// Something that is told by itself.
enum Piece {
    /// What somebody says.
    Said { who: &'static str, text: String },
    /// What pollux or a tool puts there, under a heading.
    Shown { what: String, text: String },
}

fn pieces(message: &Message) -> Vec<Piece> {
    let shown = |what: String, text: &str| Piece::Shown {
        what,
        text: text.trim_end().to_owned(),
    };
    let mut is_typed = message.role == Role::User;
    let mut pieces = Vec::new();
    for part in &message.parts {
        pieces.extend(match part {
            Part::Text(text) if message.role == Role::Model || std::mem::take(&mut is_typed) => {
                Some(Piece::Said {
                    who: match message.role {
                        Role::User => "You",
                        Role::Model => "Answer",
                    },
                    text: text.trim().to_owned(),
                })
            }
            Part::Text(text) => Some(shown("read for this message".to_owned(), text)),
            Part::Thought { .. } => None,
            Part::FunctionCall(call) => {
                let args = serde_json::to_string_pretty(&call.args).unwrap_or_default();
                Some(shown(format!("tool: {}", call.name), &args))
            }
            Part::FunctionResponse(response) => Some(match &response.response {
                Response::Output(text) => shown(format!("result: {}", response.name), text),
                Response::Error(text) => shown(format!("failed: {}", response.name), text),
            }),
        });
    }
    pieces
}

/// Where it was, when, and with whom.
fn about(replay: &Replay) -> (String, String) {
    let Some(header) = &replay.header else {
        return ("Session".to_owned(), String::new());
    };
    let title = format!("Session {}", header.id);
    let when = header.at.strftime("%Y-%m-%d %H:%M UTC");
    let (provider, model) = (&header.answering.provider, &header.answering.model);
    (title, format!("{when}, {provider}/{model}, {}", header.cwd))
}

fn markdown(replay: &Replay) -> String {
    let (title, about) = about(replay);
    let mut text = format!("# {}\n\n{}\n", visible(&title), visible(&about));
    for piece in replay.messages.iter().flat_map(pieces) {
        match piece {
            Piece::Said { who, text: said } => {
                write!(text, "\n## {who}\n\n{}\n", visible(&said))
            }
            Piece::Shown { what, text: shown } => {
                let fence = fence(&shown);
                let (what, shown) = (visible(&what), visible(&shown));
                write!(text, "\n{what}\n\n{fence}\n{shown}\n{fence}\n")
            }
        }
        .expect("a String takes any text");
    }
    text
}

/// Longer than any in the text.
fn fence(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or(0).max(2) + 1)
}

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}\
pre{white-space:pre-wrap;overflow-wrap:anywhere}details pre{background:#8881;padding:.5em}";

fn html(replay: &Replay) -> String {
    let (title, about) = about(replay);
    let (title, about) = (escaped(&title), escaped(&about));
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{about}</p>\n"
    );
    for piece in replay.messages.iter().flat_map(pieces) {
        match piece {
            Piece::Said { who, text: said } => {
                writeln!(text, "<h2>{who}</h2>\n<pre>{}</pre>", escaped(&said))
            }
            Piece::Shown { what, text: shown } => {
                let (what, shown) = (escaped(&what), escaped(&shown));
                writeln!(
                    text,
                    "<details><summary>{what}</summary><pre>{shown}</pre></details>"
                )
            }
        }
        .expect("a String takes any text");
    }
    text + "</html>\n"
}

fn escaped(text: &str) -> String {
    let text = visible(text).replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use pollux_types::{CallId, FunctionCall, FunctionResponse};

    use super::*;

    fn replay() -> Replay {
        let call = FunctionCall {
            id: CallId::new("1"),
            name: "read_file".into(),
            args: [("file_path".to_owned(), "a<b>.md".into())]
                .into_iter()
                .collect(),
            signature: None,
        };
        let response = FunctionResponse {
            id: CallId::new("1"),
            name: "read_file".into(),
            response: Response::Output("```sh\n\x1b[2Jls & rm\n```\n".into()),
        };
        let thought = Part::Thought {
            text: "hm".into(),
            signature: None,
        };
        Replay {
            messages: vec![
                Message::user(vec![Part::text("read @x\n"), Part::text("x is 1\n")]),
                Message::model(vec![thought, Part::FunctionCall(call)]),
                Message::user(vec![Part::FunctionResponse(response)]),
                Message::model(vec![Part::text("It is <script>.")]),
            ],
            ..Replay::default()
        }
    }

    #[test]
    fn markdown_keeps_what_was_said_and_done() {
        insta::assert_snapshot!(markdown(&replay()), @r#"
        # Session



        ## You

        read @x

        read for this message

        ```
        x is 1
        ```

        tool: read_file

        ```
        {
          "file_path": "a<b>.md"
        }
        ```

        result: read_file

        ````
        ```sh
        \e[2Jls & rm
        ```
        ````

        ## Answer

        It is <script>.
        "#);
    }

    #[test]
    fn a_page_runs_nothing() {
        let page = html(&replay());
        assert!(
            !page.contains("<script") && !page.contains('\x1b'),
            "{page}"
        );
        let (_, body) = page.split_once("</p>\n").unwrap();
        insta::assert_snapshot!(body, @r#"
        <h2>You</h2>
        <pre>read @x</pre>
        <details><summary>read for this message</summary><pre>x is 1</pre></details>
        <details><summary>tool: read_file</summary><pre>{
          "file_path": "a&lt;b&gt;.md"
        }</pre></details>
        <details><summary>result: read_file</summary><pre>```sh
        \e[2Jls &amp; rm
        ```</pre></details>
        <h2>Answer</h2>
        <pre>It is &lt;script&gt;.</pre>
        </html>
        "#);
    }

    #[test]
    fn json_lines_are_the_log_itself() {
        let log = b"{\"type\":\"session\"}\n".to_vec();
        assert_eq!(document(&replay(), log.clone(), Format::Jsonl), log);
    }
}
