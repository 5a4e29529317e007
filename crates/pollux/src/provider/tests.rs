//! Which provider is chosen from which flags and variables.

use clap::Parser;
use pollux_model::ModelInfo;

use super::*;
use crate::args::Args;

/// `provider/model`, or the error and its hint.
fn chosen(flags: &[&str], vars: &[(&str, &str)]) -> String {
    let args = Args::parse_from([&["pollux"], flags].concat());
    with_settings(&args, vars, &Settings::default())
}

fn with_settings(args: &Args, vars: &[(&str, &str)], settings: &Settings) -> String {
    let environment = Environment::with(vars);
    let surroundings = Surroundings {
        environment: &environment,
        settings,
    };
    told(Wanted::new(args, &surroundings, None), surroundings)
}

/// Without asking anybody.
fn told(wanted: Wanted, surroundings: Surroundings<'_>) -> String {
    let chosen = locate(wanted, surroundings).and_then(|located| match located {
        Located::At(place) => match place.wanted_model() {
            Some(model) => place.connect(model.to_owned(), surroundings.settings),
            None => Err(Failure::internal("the only model")),
        },
        Located::Offline => Ok(Chosen::offline()),
        Located::Anyone(Anyone { model, .. }) => {
            let failure = model.map(|(_, failure)| failure);
            Err(failure.unwrap_or_else(|| Failure::internal("anyone")))
        }
    });
    match chosen {
        Ok(Chosen {
            model, base_url, ..
        }) => {
            let ModelInfo { provider, model } = model.info();
            let place = base_url.map(|url| format!(" at {url}")).unwrap_or_default();
            format!("{provider}/{model}{place}")
        }
        Err(Failure {
            exit,
            message,
            hint,
            ..
        }) => {
            format!("{}: {message}; {}", exit.code(), hint.unwrap_or_default())
        }
    }
}

#[test]
fn nothing_configured_means_whoever_is_there() {
    assert_eq!(chosen(&[], &[]), "1: anyone; ");
    assert_eq!(chosen(&[], &[("GEMINI_API_KEY", "")]), "1: anyone; ");
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
    assert_eq!(
        chosen(&[&url[..], &["-m", "q"]].concat(), &[]),
        "openai/q at http://localhost:1/v1"
    );
    assert_eq!(
        chosen(
            &["-m", "q"],
            &[("OPENAI_BASE_URL", "http://localhost:1/v1")]
        ),
        "openai/q at http://localhost:1/v1"
    );
    insta::assert_snapshot!(chosen(&url, &[]), @"1: the only model;");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    insta::assert_snapshot!(chosen(&["--provider", "gemini"], &[]), @"41: no API key for the provider `gemini`; set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider offline`");
    insta::assert_snapshot!(chosen(&["--provider", "openai"], &[]), @"41: no API key for the provider `openai`; set OPENAI_API_KEY; or try `--provider offline`");
    insta::assert_snapshot!(chosen(&["--provider", "gemni"], &[]), @"2: unknown provider `gemni`; did you mean `gemini`?");
    insta::assert_snapshot!(chosen(&["--provider", "xyz"], &[]), @"2: unknown provider `xyz`; there are: gemini, openai, anthropic, offline");
    insta::assert_snapshot!(chosen(&["-m", "x", "--base-url", "ftp://h"], &[]), @"2: the base URL `ftp://h/` is neither http nor https;");
}

#[test]
fn a_model_goes_to_whoever_makes_it() {
    let vars = [
        ("GEMINI_API_KEY", "k"),
        ("OPENAI_API_KEY", "k"),
        ("ANTHROPIC_API_KEY", "k"),
    ];
    assert_eq!(chosen(&["-m", "gpt-4o"], &vars), "openai/gpt-4o");
    assert_eq!(chosen(&["-m", "claude-x"], &vars), "anthropic/claude-x");
    assert_eq!(chosen(&["-m", "own-model"], &vars), "gemini/own-model");
    insta::assert_snapshot!(chosen(&["-m", "own-model"], &[]), @"41: who serves the model `own-model`?; name the provider with `--provider`, or the address of a server with `--base-url`");
    assert!(chosen(&["-m", "gpt-4o"], &[]).starts_with("41: no API key"));
}

#[test]
fn an_address_wins_over_keys() {
    let flags = ["--base-url", "http://localhost:1/v1", "-m", "q"];
    let vars = [("GEMINI_API_KEY", "k")];
    assert_eq!(chosen(&flags, &vars), "openai/q at http://localhost:1/v1");
}

#[test]
fn a_session_goes_on_where_it_was() {
    let answering = Answering {
        provider: "openai".into(),
        model: "q".into(),
        base_url: Some("http://localhost:1/v1".into()),
        found: false,
    };
    let resumed = |flags: &[&str]| {
        let args = Args::parse_from([&["pollux"], flags].concat());
        let vars = [("GEMINI_API_KEY", "k"), ("POLLUX_PROVIDER", "gemini")];
        let environment = Environment::with(&vars);
        let surroundings = Surroundings {
            environment: &environment,
            settings: &Settings::default(),
        };
        told(
            Wanted::new(&args, &surroundings, Some(&answering)),
            surroundings,
        )
    };
    assert_eq!(resumed(&[]), "openai/q at http://localhost:1/v1");
    assert_eq!(resumed(&["-m", "r"]), "openai/r at http://localhost:1/v1");
    assert_eq!(resumed(&["--provider", "gemini"]), "gemini/gemini-2.5-pro");
    assert_eq!(resumed(&["-m", "gemini/x"]), "gemini/x");
}

#[test]
fn a_key_that_cannot_be_one_is_said() {
    insta::assert_snapshot!(chosen(&[], &[("OPENAI_API_KEY", "a\nb")]), @"41: OPENAI_API_KEY holds characters that no key has; copy the key again; look for quotes, line breaks and odd characters");
}

fn lab() -> ProviderSettings {
    ProviderSettings {
        kind: "openai".into(),
        base_url: Some("http://lab:1/v1".into()),
        api_key_env: Some("LAB_KEY".into()),
        ..ProviderSettings::default()
    }
}

#[test]
fn servers_of_ones_own_have_names() {
    let lab = lab();
    let settings = Settings {
        provider: Some("lab".into()),
        model: Some("big".into()),
        providers: [("lab".to_owned(), lab)].into(),
        ..Settings::default()
    };
    let chosen = |flags: &[&str]| {
        let args = Args::parse_from([&["pollux"], flags].concat());
        with_settings(&args, &[("GEMINI_API_KEY", "k")], &settings)
    };
    assert_eq!(chosen(&[]), "lab/big at http://lab:1/v1");
    assert_eq!(chosen(&["-m", "small"]), "lab/small at http://lab:1/v1");
    assert_eq!(chosen(&["--provider", "gemini", "-m", "x"]), "gemini/x");
    assert!(chosen(&["--provider", "lap"]).contains("did you mean `lab`?"));
    assert!(key_variables(&settings).contains(&"LAB_KEY".to_owned()));
}

#[test]
fn a_session_of_the_provider_itself_does_not_follow_a_variable() {
    let answering = Answering {
        provider: "openai".into(),
        model: "gpt-4o".into(),
        base_url: None,
        found: false,
    };
    let args = Args::parse_from(["pollux"]);
    let vars = [
        ("OPENAI_API_KEY", "k"),
        ("OPENAI_BASE_URL", "http://other:1/v1"),
    ];
    let environment = Environment::with(&vars);
    let surroundings = Surroundings {
        environment: &environment,
        settings: &Settings::default(),
    };
    let wanted = Wanted::new(&args, &surroundings, Some(&answering));
    assert_eq!(told(wanted, surroundings), "openai/gpt-4o");
}

#[test]
fn flags_that_name_a_place_stand_alone() {
    let vars = [
        ("POLLUX_PROVIDER", "anthropic"),
        ("POLLUX_MODEL", "claude-x"),
        ("ANTHROPIC_API_KEY", "k"),
        ("GEMINI_API_KEY", "k"),
    ];
    let url = "http://localhost:1/v1";
    assert_eq!(
        chosen(&["--base-url", url, "-m", "q"], &vars),
        format!("openai/q at {url}")
    );
    assert_eq!(
        chosen(&["--provider", "gemini"], &vars),
        "gemini/gemini-2.5-pro"
    );
    assert_eq!(chosen(&["-m", "gemini/g"], &vars), "gemini/g");
    assert_eq!(chosen(&["-m", "claude-y"], &vars), "anthropic/claude-y");
}

#[test]
fn another_model_is_one_of_the_same_server_unless_its_name_says_otherwise() {
    let vars = [
        ("GEMINI_API_KEY", "k"),
        ("ANTHROPIC_API_KEY", "k"),
        ("OPENAI_BASE_URL", "http://other:1/v1"),
    ];
    let environment = Environment::with(&vars);
    let settings = Settings {
        providers: [("lab".to_owned(), lab())].into(),
        ..Settings::default()
    };
    let instead = |provider: &str, base_url: Option<&str>, name: &str| {
        let answering = Answering {
            provider: provider.into(),
            model: "q".into(),
            base_url: base_url.map(str::to_owned),
            found: false,
        };
        let surroundings = Surroundings {
            environment: &environment,
            settings: &settings,
        };
        told(
            Wanted::instead(&answering, name, &settings, None),
            surroundings,
        )
    };
    let local = Some("http://localhost:1/v1");
    assert_eq!(
        instead("openai", local, "gpt-oss:20b"),
        "openai/gpt-oss:20b at http://localhost:1/v1"
    );
    assert_eq!(instead("openai", local, "gemini/x"), "gemini/x");
    assert_eq!(instead("gemini", None, "gemini-x"), "gemini/gemini-x");
    assert_eq!(instead("gemini", None, "claude-x"), "anthropic/claude-x");
    assert_eq!(instead("gemini", None, "lab/x"), "lab/x at http://lab:1/v1");
    assert_eq!(instead("offline", None, "claude-x"), "anthropic/claude-x");
    assert_eq!(instead("gemini", None, "offline"), "offline/offline");
    assert_eq!(
        instead("anthropic", None, "anthropic/"),
        "anthropic/claude-sonnet-4-5"
    );
}
