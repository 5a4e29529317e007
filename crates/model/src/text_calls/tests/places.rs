//! Where calls may not stand, and what thoughts are.

use super::{check, unchanged};

const TAG: &str = "<tool_call>{\"name\": \"todo\"}</tool_call>";
const OBJECT: &str = "{\"tool_call\": {\"name\": \"todo\"}}";
const CALL: &str = "⟦todo {}⟧";

/// `before` and `after` keep both ways to write a call from being one.
#[track_caller]
fn inert(before: &str, after: &str) {
    for call in [TAG, OBJECT] {
        unchanged(&format!("{before}{call}{after}"));
    }
}

/// They do not.
#[track_caller]
fn live(before: &str, after: &str) {
    for call in [TAG, OBJECT] {
        let text = format!("{before}{call}{after}");
        check(&text, &format!("{before}{CALL}{after}"));
    }
}

#[test]
fn in_code_spans() {
    inert("Write `", "` to call.");
    inert("Write `` ` ", " `` to call.");
    inert("Write `a\nb ", " c` to call.");
    inert("Write ``` ", " ``` to call.");
    inert("``` x ", "``` to call.");
    live("Write `this` and ", ".");
    live("A ` is a backtick.\n\n", "");
    live("An escaped \\` is one too ", "");
    live("`` ` `` ", "");
}

#[test]
fn in_indented_code_and_quotations() {
    inert("So:\n\n    ", "\n");
    inert("So:\n\n\t", "\n");
    inert("> ", "\nno");
    inert("He said:\n  > a ", "\nno");
    live("So:\n\n   ", "\n");
    inert("- > ", "\nno");
    inert("1. > ", "\nno");
    inert("12) > ", "\nno");
    inert("- 1. > ", "\nno");
    inert("- - > ", "\nno");
    live("1. ", "");
    live("1.5 > ", "");
    live("12 > ", "");
    live("- ", "");
    live("- a > ", "");
    live("> quoted\n\n", "");
    live("a > ", "");
}

#[test]
fn between_quotation_marks() {
    for (open, close) in [("\"", "\""), ("'", "'"), ("“", "”"), ("‘", "’"), ("«", "»")] {
        inert(&format!("He wrote {open}"), &format!("{close}."));
    }
    for (open, close) in [
        ("\"", "\""),
        ("\\\"", "\\\""),
        ("'", "'"),
        ("('", "')"),
        ("“", "”"),
        ("‘", "’"),
        ("«", "»"),
        ("„", "“"),
    ] {
        let before = format!("He wrote {open}please ");
        inert(&before, &format!(" or so{close}."));
        live(&format!("{before}{close} and "), "");
        live(&format!("{before}\n"), "");
    }
    inert("See {\"doc\": \"call \\\"", "\\\" here\"}");
    inert("See {\"doc\": \"call \\\"x\\\" ", " here\"}");
    inert("He wrote 'it's time to ", "'");
    inert("He wrote ‘it’s time to ", "’");
    live("It's Jones' and ", "");
    live("He wrote 'it's' and ", "");
    inert("Not \\", "");
    live("He wrote \"please\" and ", "");
    live("It's ", "");
    live("\"\n", "");
    live("I run \"ls\"", "");
    live("I run 'ls'", "");
}

#[test]
fn in_blocks_of_other_things() {
    inert("```python\n", "\n```\nx");
    inert("```text\nit is\n", "\n```\n");
    inert("```\nit is\n", "\n```\n");
    inert("````json\n```\n", "\n```\n````\n");
    inert("````markdown\n```\n", "\n```\n````\n");
    inert("```\n```json\n", "\n```\n```\n");
    inert("```json\n{\"a\": 1}\n```json\n", "\n```\n");
    inert("~~~xml\n```\n", "\n```\n~~~\n");
    inert("```json\nfor example:\n", "\n");
    inert("   ```sh\n", "\n   ```");
    inert("```sh\n    ```\n", "\n```");
    live("```sh\nls\n```\n", "");
    live("```sh\nls\n  ```  \n", "");
    live("~~~\n```\n~~~\n", "");
    live("~~ ", " ~~");
    live("```ls``` ", "");
}

#[test]
fn in_markup_that_quotes() {
    inert("<!-- ", " --> x");
    inert("<pre>\n\n", "</pre> x");
    inert("<blockquote>\n", "</blockquote> x");
    inert("<code>", "</code> x");
    inert("<tool_response>", "</tool_response>");
    inert("<pre lang=\"xml\">\n\n", "</pre> x");
    inert("<code class=\"language-xml\">", "</code> x");
    inert("<blockquote cite=\"x\">\n", "</blockquote> x");
    live("<pre lang=\"xml\">x</pre> ", "");
    live("<prefix> <codec> ", "");
    live("<pre>x</pre> ", "");
    live("The <code> element.\n\n", "");
}

#[test]
fn with_escaped_tags() {
    unchanged("&lt;tool_call&gt;{\"name\": \"todo\"}&lt;/tool_call&gt;");
    unchanged("\\<tool_call>{\"name\": \"todo\"}\\</tool_call>");
}

#[test]
fn in_thoughts() {
    check(
        &format!("<think>{TAG} or `</think>So."),
        &format!("⟪{TAG} or `⟫So."),
    );
    check(
        &format!("Hm. <think>a</think>{TAG}"),
        &format!("Hm. ⟪a⟫{CALL}"),
    );
    check(&format!("<thinking>{OBJECT}"), &format!("⟪{OBJECT}⟫"));
    check("[THINK]a < b [/THIN[/THINK]c", "⟪a < b [/THIN⟫c");
    check("<think>a</thi", "⟪a</thi⟫");
    check("<think></think>x", "x");
    check("<think>a</think>x</think>y", "⟪a⟫x</think>y");
    unchanged("The `<think>` tag and \"</think>\".");
}

#[test]
fn all_before_a_lone_closing_tag_was_a_thought() {
    let found = super::found([&*format!("I could {TAG} here.</think>Done. {TAG}")]);
    let void = found
        .iter()
        .position(|one| *one == super::Found::WasThought);
    assert_eq!(void, Some(3), "{found:?}");
    assert_eq!(found.len(), 6);
    check("a</think>b", "a⟪⟫b");
    check(
        "a</think>{\"name\": \"todo\", \"arguments\": {}}",
        "a⟪⟫⟦todo {}⟧",
    );
}

#[test]
fn calls_before_a_further_closing_tag_are_void() {
    check(
        &format!("<think>It has <think>x</think>. I could {TAG} but no.</think>No."),
        &format!("⟪It has <think>x⟫. I could {CALL} but no.⟪⟫No."),
    );
    check(
        &format!("a</think>b {TAG} c</think>{TAG}"),
        &format!("a⟪⟫b {CALL} c⟪⟫{CALL}"),
    );
    check(
        &format!("{TAG}<think>a</think>b</think>c"),
        &format!("{CALL}⟪a⟫b</think>c"),
    );
}

#[test]
fn the_inside_of_what_is_broken_is_no_call() {
    unchanged(&format!(
        "<tool_call>{{\"name\": \"write\", \"args\": {{\"c\": \"a \"{TAG}\" b\"}}}}</tool_call>"
    ));
    unchanged(&format!(
        "```json\n{{\"name\": \"write\", \"args\": {{\"c\": \"a \"b\"\n```\n```json\n{OBJECT}\n```\n\"}}}}\n```"
    ));
    unchanged(&format!("<function=write><parameter=c>{TAG}"));
    unchanged(&format!(
        "{{\"tool_call\": {{\"name\": \"write\", \"args\": {{\"c\": \"{TAG}"
    ));
}

#[test]
fn even_braces_do_not_end_what_is_broken() {
    let json = "{\"name\": \"write\", \"arguments\": {\"c\": \"say \"hi}}\"\n<function=todo></function>\n\"}}";
    let args = "{\"c\": \"say \"hi}\"\n<tool_call>{\"name\": \"todo\"}</tool_call>\n\"}";
    for (before, after) in [
        ("<tool_call>", "</tool_call>"),
        ("<function_call>", "</function_call>"),
        ("<TOOLCALL>[", "]</TOOLCALL>"),
        ("<|tool_call|>[", "]"),
        ("functools[", "]"),
        ("[TOOL_CALLS] [", "]"),
        ("<|python_tag|>", ""),
        ("", ""),
        ("[", "]"),
        ("Ok {\"tool_call\": ", "}"),
    ] {
        unchanged(&format!("{before}{json}{after} so"));
    }
    for (before, after) in [
        ("[TOOL_CALLS]write[ARGS]", ""),
        ("<function=write>", "</function>"),
        ("<tool_call><function=write>", "</function></tool_call>"),
    ] {
        unchanged(&format!("{before}{args}{after} so"));
    }
    // What is not followed by its closing mark is broken too.
    unchanged("<tool_call>{\"name\": \"read\"} \"x\" <function=todo></function></tool_call>");
    unchanged("<function=read>{} x <tool_call>todo</tool_call></function>");
    check(
        &format!("<tool_call>{json}</tool_call> {TAG}"),
        &format!("<tool_call>{json}</tool_call> {CALL}"),
    );
}

#[test]
fn the_inside_of_what_breaks_off_is_no_call() {
    unchanged("{'x': 'a <function=todo></function>");
    unchanged("<tool_call>{'x': 'a <function=todo></function>");
    unchanged("```json\n{\"x\": \"\n```\n<function=todo></function>");
    unchanged("<function=write><parameter=c><function=todo></function>");
}

#[test]
fn two_values_for_one_parameter_are_no_call() {
    for text in [
        "<function=read><parameter=p>a</parameter><parameter=p>b</parameter></function> x",
        "<invoke name=\"read\"><parameter name=\"p\">a</parameter><parameter name=\"p\">b</parameter></invoke> x",
        "<tool_call>read<arg_key>p</arg_key><arg_value>a</arg_value><arg_key>p</arg_key><arg_value>b</arg_value></tool_call> x",
        "<start_function_call>call:read{p:1,p:2}<end_function_call> x",
        "<|python_start|>[read(p=1, p=2)]<|python_end|> x",
        "[read(p=1, p=2)]",
        "<|python_tag|>read.call(p=1, p=2)",
        "[TOOL_CALLS]read{\"p\": 1, \"p\": 2}",
    ] {
        unchanged(text);
    }
}

#[test]
fn json_is_read_with_good_will() {
    for (json, args) in [
        (
            "{'a': 'it\\'s', \"b\": \"\\u00fc\\ud83e\\udd80\\ud83d\"}",
            "{\"a\":\"it's\",\"b\":\"ü🦀\u{fffd}\"}",
        ),
        (
            "{a: 1, // one\n /* two */ b: [True, None,], # c\n}",
            r#"{"a":1,"b":[true,null]}"#,
        ),
        (
            "{\"a\": -1.5e3, \"b\": \"x\ty\"}",
            "{\"a\":-1500.0,\"b\":\"x\\ty\"}",
        ),
    ] {
        check(
            &format!("<function=todo>{json}</function>"),
            &format!("⟦todo {args}⟧"),
        );
    }
    for json in [
        "{\"a\": 1 \"b\": 2}",
        "{\"a\" 1}",
        "{\"a\": x}",
        "{\"a\": \"\\d\"}",
        "{\"a\": 01}",
        "{,}",
        "{\"a\": \"b\"c\"}",
        "{\"a\": 'it's'}",
        "{\"a\": [1}",
        "{1: 2}",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": \"\\u12\"}",
    ] {
        unchanged(&format!("<function=todo>{json}</function> x"));
    }
    let deep = format!(
        "<function=todo>{{\"a\": {}1{}}}</function>",
        "[".repeat(300),
        "]".repeat(300)
    );
    assert_eq!(super::line([&*deep]), deep);
}
