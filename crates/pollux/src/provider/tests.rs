//! Which provider is chosen from which flags and variables.

use clap::Parser;

use super::*;

/// `provider/model`, or the error and its hint.
fn chosen(flags: &[&str], vars: &[(&str, &str)]) -> String {
    let args = Args::parse_from([&["pollux"], flags].concat());
    match choose(&args, &Environment::with(vars)) {
        Ok(model) => format!("{}/{}", model.info().provider, model.info().model),
        Err(Failure {
            exit,
            message,
            hint,
        }) => {
            format!("{}: {message}; {}", exit.code(), hint.unwrap_or_default())
        }
    }
}

#[test]
fn nothing_configured_means_offline() {
    assert_eq!(chosen(&[], &[]), "offline/offline");
    assert_eq!(chosen(&[], &[("GEMINI_API_KEY", "")]), "offline/offline");
}

#[test]
fn the_first_key_decides() {
    let (gemini, openai) = (("GOOGLE_API_KEY", "k"), ("OPENAI_API_KEY", "k"));
    assert_eq!(chosen(&[], &[openai]), "openai/gpt-5");
    assert_eq!(chosen(&[], &[openai, gemini]), "gemini/gemini-2.5-pro");
    assert_eq!(
        chosen(&[], &[openai, gemini, ("POLLUX_PROVIDER", "openai")]),
        "openai/gpt-5"
    );
}

#[test]
fn flags_win_over_variables() {
    let vars = [
        ("GEMINI_API_KEY", "k"),
        ("POLLUX_MODEL", "a"),
        ("POLLUX_PROVIDER", "gemini"),
    ];
    assert_eq!(chosen(&["--provider", "offline"], &vars), "offline/offline");
    assert_eq!(chosen(&["-m", "b"], &vars), "gemini/b");
}

#[test]
fn a_model_can_name_its_provider() {
    let vars = [("GEMINI_API_KEY", "k"), ("OPENAI_API_KEY", "k")];
    assert_eq!(chosen(&["-m", "openai/x"], &vars), "openai/x");
    assert_eq!(chosen(&["-m", "meta/x"], &vars), "gemini/meta/x");
    assert_eq!(
        chosen(&["--provider", "openai", "-m", "gemini/x"], &vars),
        "openai/gemini/x"
    );
}

#[test]
fn a_server_of_ones_own_needs_no_key_but_a_model() {
    let url = ["--base-url", "http://localhost:1/v1"];
    assert_eq!(chosen(&[&url[..], &["-m", "q"]].concat(), &[]), "openai/q");
    assert_eq!(
        chosen(
            &["-m", "q"],
            &[("OPENAI_BASE_URL", "http://localhost:1/v1")]
        ),
        "openai/q"
    );
    insta::assert_snapshot!(chosen(&url, &[]), @"2: which model of http://localhost:1/v1 shall answer?; name it with `--model` or POLLUX_MODEL");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    insta::assert_snapshot!(chosen(&["--provider", "gemini"], &[]), @"41: no API key for the provider `gemini`; set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider offline`");
    insta::assert_snapshot!(chosen(&["--provider", "openai"], &[]), @"41: no API key for the provider `openai`; set OPENAI_API_KEY; or try `--provider offline`");
    insta::assert_snapshot!(chosen(&["--provider", "gemni"], &[]), @"2: unknown provider `gemni`; did you mean `gemini`?");
    insta::assert_snapshot!(chosen(&["--provider", "xyz"], &[]), @"2: unknown provider `xyz`; there are: gemini, openai, anthropic, offline");
    insta::assert_snapshot!(chosen(&["-m", "x", "--base-url", "ftp://h"], &[]), @"52: base URL `ftp://h`: `ftp` is neither http nor https;");
}
