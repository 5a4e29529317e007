//! What the offline model understands and how it goes on.

use std::sync::Arc;

use pollux_types::{Part, ToolSpec};

use super::*;

fn wish(prompt: &str) -> String {
    let step = Wish::read(prompt).step();
    step.map_or_else(
        || format!("{:?}", Wish::read(prompt)),
        |step| format!("{} {}", step.tool, Value::Object(step.args)),
    )
}

#[test]
fn a_dozen_requests_are_understood() {
    let prompts = [
        "list the files",
        "List files in src.",
        "ls",
        "list files in ..",
        "what files are in 'my dir'?",
        "please read README.md",
        "show the file `a b.txt`",
        "read @src/main.rs",
        "find TODO",
        "search for \"in the end\"",
        "files named *.rs",
        "find all files named Cargo.toml",
        "replace foo with bar in src/a.rs",
        "change 'a in b' to 'c' in notes.txt",
        "write hello world to out/hello.txt",
        "run cargo test --workspace",
        "explain what you can do",
        "give me a tour",
    ];
    let read: Vec<String> = prompts
        .iter()
        .map(|p| format!("{p:40} {}", wish(p)))
        .collect();
    insta::assert_snapshot!(read.join("\n"), @r#"
    list the files                           list_directory {"dir_path":"."}
    List files in src.                       list_directory {"dir_path":"src"}
    ls                                       list_directory {"dir_path":"."}
    list files in ..                         list_directory {"dir_path":".."}
    what files are in 'my dir'?              list_directory {"dir_path":"my dir"}
    please read README.md                    read_file {"file_path":"README.md"}
    show the file `a b.txt`                  read_file {"file_path":"a b.txt"}
    read @src/main.rs                        read_file {"file_path":"src/main.rs"}
    find TODO                                grep_search {"pattern":"TODO","fixed_strings":true}
    search for "in the end"                  grep_search {"pattern":"in the end","fixed_strings":true}
    files named *.rs                         glob {"pattern":"*.rs"}
    find all files named Cargo.toml          glob {"pattern":"Cargo.toml"}
    replace foo with bar in src/a.rs         replace {"file_path":"src/a.rs","old_string":"foo","new_string":"bar"}
    change 'a in b' to 'c' in notes.txt      replace {"file_path":"notes.txt","old_string":"a in b","new_string":"c"}
    write hello world to out/hello.txt       write_file {"file_path":"out/hello.txt","content":"hello world\n"}
    run cargo test --workspace               run_shell_command {"command":"cargo test --workspace"}
    explain what you can do                  Explain
    give me a tour                           Tour
    "#);
}

/// The whole conversation that follows `prompt`, every call answered by `result`.
fn conversation(prompt: &str, result: impl Fn(&FunctionCall) -> Response) -> Vec<String> {
    let names = [
        "list_directory",
        "read_file",
        "glob",
        "grep_search",
        "write_file",
        "replace",
    ];
    let spec = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: String::new(),
        parameters: Value::Null,
        ..ToolSpec::default()
    };
    let mut tools: Vec<ToolSpec> = names.iter().map(spec).collect();
    tools.push(spec(&"run_shell_command"));
    let mut messages = vec![Arc::new(Message::user(vec![Part::text(prompt)]))];
    let mut said = Vec::new();
    loop {
        let request = Request {
            system: "",
            tools: &tools,
            messages: messages.iter().collect(),
        };
        let says = answer(&request);
        let step = says.call.clone();
        said.push(format!(
            "{}{:?}",
            says.text,
            step.as_ref().map(|step| step.tool)
        ));
        let deltas = says.into_deltas(&request);
        let Some(call) = deltas.into_iter().find_map(|delta| match delta {
            Delta::Call(call) => Some(call),
            _ => None,
        }) else {
            return said;
        };
        let response = FunctionResponse {
            id: call.id.clone(),
            name: call.name.clone(),
            response: result(&call),
        };
        messages.push(Message::model(vec![Part::FunctionCall(call)]).into());
        messages.push(Message::user(vec![Part::FunctionResponse(response)]).into());
    }
}

#[test]
fn a_result_is_reported() {
    let said = conversation("read a", |_| Response::Output("text\n".into()));
    assert_eq!(
        said,
        ["Some(\"read_file\")", "This is in `a`:\n\ntext\nNone"]
    );
    let said = conversation("read a", |_| Response::Error("no such file".into()));
    assert_eq!(said[1], "That did not work: no such file\nNone");
}

#[test]
fn the_tour_goes_through_every_tool() {
    let said = conversation("tour", |_| Response::Output(String::new()));
    assert_eq!(said.len(), 8);
    assert_eq!(said[7], "That was the tour: 7 of 7 calls worked.\nNone");
}

#[test]
fn the_tour_ends_where_writing_is_refused() {
    let said = conversation("tour", |call| match call.name.as_str() {
        "write_file" => Response::Error("needs approval\nmore".into()),
        _ => Response::Output(String::new()),
    });
    insta::assert_snapshot!(said.last().unwrap(), @"
    That was the tour: 3 of 4 calls worked.
    - `write_file` did not: needs approval
    None
    ");
}
