//! What settings mean, and how servers are described.

use super::*;

fn program(words: &[&str]) -> McpServerSettings {
    let mut words = words.iter().map(|word| (*word).to_owned());
    McpServerSettings {
        command: words.next(),
        args: words.collect(),
        ..McpServerSettings::default()
    }
}

#[test]
fn the_command_line_is_shown_whole_and_as_it_is() {
    let mut server = program(&["npx", "-y", "a b", "it's", "", "x\u{202e}y\n\u{1b}[2J"]);
    server.env.insert("A".into(), "b c".into());
    server.cwd = Some("/tmp".into());
    insta::assert_snapshot!(described("docs", &server), @r"MCP server docs runs: npx -y 'a b' 'it'\''s' '' 'x\u{202e}y\n\e[2J' (in /tmp) (variables: 'A=b c')");
    let long = "x".repeat(5000);
    assert!(described("docs", &program(&["sh", "-c", &long])).ends_with(&long));
}

#[test]
fn variables_are_filled_in_for_the_user_alone() {
    let environment = Environment::with(&[("TOKEN", "t0ken")]);
    let contact = |value: &str, from_project: bool| {
        let mut server = program(&["x"]);
        server.env.insert("A".into(), value.into());
        server.from_project = from_project;
        match contact(&server, &environment, Path::new("/p"))? {
            Contact::Program { variables, dir, .. } => {
                assert_eq!(dir, Path::new("/p"));
                Ok(variables[0].1.to_string_lossy().into_owned())
            }
            Contact::Address { .. } => Err("an address".to_owned()),
        }
    };
    assert_eq!(
        contact("a $TOKEN ${TOKEN}!", false).unwrap(),
        "a $TOKEN t0ken!"
    );
    assert_eq!(contact("$x", true).unwrap(), "$x");
    assert_eq!(
        contact("${NONE}", false).unwrap_err(),
        "its settings name the variable NONE, which is not set"
    );
    assert_eq!(
        contact("${NONE", false).unwrap_err(),
        "a `${` in its settings has no `}`"
    );
    assert_eq!(
        contact("${TOKEN}", true).unwrap_err(),
        "a project's server gets none of your variables, and wants `${..}`"
    );
}
