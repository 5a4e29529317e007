//! What `/help COMMAND` tells besides what `/help` does: how a command is used.

/// Lines to type, and what each does.
pub(super) fn of(name: &str) -> &'static [(&'static str, &'static str)] {
    let found = ALL.iter().find(|(command, _)| *command == name);
    found.map_or(&[], |(_, examples)| *examples)
}

/// By the names of commands.
pub(super) const ALL: &[(&str, &[(&str, &str)])] = &[
    (
        "approve",
        &[
            ("/approve", "which mode it is"),
            (
                "/approve default",
                "reading inside the project, but for secrets",
            ),
            (
                "/approve auto-edit",
                "and changing files inside the project",
            ),
            ("/approve yolo", "everything but what is dangerous"),
        ],
    ),
    ("bug", &[("/doctor", "often tells what is wrong already")]),
    (
        "cancel",
        &[(
            "Esc",
            "the same; messages that wait come back to the prompt",
        )],
    ),
    (
        "clear",
        &[("/resume latest", "goes back to the old session")],
    ),
    (
        "context",
        &[("/new", "begins with an empty conversation when it is full")],
    ),
    (
        "cost",
        &[(
            "[prices.\"openai/gpt-5\"]",
            "with `input`, `cached` and `output`: dollars for a million tokens, in the settings",
        )],
    ),
    (
        "diff",
        &[
            ("/diff", "everything"),
            (
                "/diff src/main.rs",
                "one file, or what is below a directory",
            ),
        ],
    ),
    (
        "export",
        &[
            (
                "/export",
                "as Markdown, into a new file of the working directory",
            ),
            ("/export html", "as a page"),
            ("/export jsonl", "as it is recorded, for programs"),
            (
                "/export talk.md",
                "where you want it; the ending says as what. Nothing is overwritten",
            ),
        ],
    ),
    (
        "help",
        &[
            ("/help model", "what there is to know of a command"),
            ("/help keys", "all keys; `ui.keys` changes them"),
        ],
    ),
    (
        "init",
        &[(
            "POLLUX.md",
            "is what the model is to know of the project, in the working directory",
        )],
    ),
    (
        "mode",
        &[
            ("/mode", "which it is"),
            (
                "/mode plan",
                "tools that edit are not offered, and commands may only read",
            ),
            ("/mode build", "everything is offered again"),
        ],
    ),
    (
        "model",
        &[
            ("/model", "who answers, and what the servers have"),
            ("/model qwen3", "another model of the same server"),
            ("/model openai/gpt-5", "a model of another provider"),
            ("/model openai/", "the usual model of another provider"),
        ],
    ),
    ("new", &[("/resume latest", "goes back to the old session")]),
    (
        "permissions",
        &[
            ("/permissions", "what is kept, each with a number"),
            (
                "/permissions remove 2",
                "forgets the second: it is asked about again",
            ),
            (
                "rules.toml",
                "in pollux's home has rules of your own, which are changed there",
            ),
        ],
    ),
    ("plan", &[("/build", "lets the model change things again")]),
    (
        "provider",
        &[
            ("/provider", "who is set up, and what the others lack"),
            ("/provider gemini", "its usual model answers from here on"),
        ],
    ),
    ("quit", &[("pollux -c", "goes on with the newest session")]),
    (
        "resume",
        &[
            (
                "/resume",
                "the sessions of this project, each with a number",
            ),
            ("/resume 2", "goes on with the second of them"),
            ("/resume latest", "goes on with the newest"),
            (
                "/resume the parser",
                "goes on with what `/save the parser` has named",
            ),
        ],
    ),
    (
        "sandbox",
        &[(
            "--sandbox MODE",
            "auto, strict or off, when pollux starts; or `sandbox.mode`",
        )],
    ),
    (
        "save",
        &[("/save the parser", "`/resume the parser` comes back to it")],
    ),
    (
        "sessions",
        &[("/resume 2", "goes on with the second of them")],
    ),
    (
        "settings",
        &[(
            "--config ui.vim=true",
            "sets one for a run, when pollux starts",
        )],
    ),
    (
        "theme",
        &[
            ("/theme", "which it is"),
            ("/theme none", "no colours"),
            ("/theme ansi", "the colours of your terminal"),
        ],
    ),
    ("tools", &[("/plan", "leaves out those that edit")]),
    ("vim", &[("Esc", "normal mode; `i` writes again")]),
];
