//! Which software a server is.

use std::fmt;

use serde_json::Value;

use crate::Profile;

/// Servers that speak like OpenAI and differ in what they tell and want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// Ollama.
    Ollama,
    /// LM Studio.
    LmStudio,
    /// The server of llama.cpp.
    LlamaCpp,
    /// vLLM.
    Vllm,
    /// DeepSeek's own service.
    DeepSeek,
    /// OpenRouter.
    OpenRouter,
    /// Groq.
    Groq,
    /// Mistral's own service.
    Mistral,
    /// OpenAI itself.
    OpenAi,
}

impl ServerKind {
    /// How it is talked to.
    pub fn profile(self) -> Profile {
        let mut all = Profile::ALL.into_iter();
        all.find(|profile| profile.kind == Some(self))
            .unwrap_or(Profile::PLAIN)
    }

    /// What a list says about who owns its models.
    pub(super) fn of_owner(owner: &str) -> Option<Self> {
        match owner {
            "library" => Some(Self::Ollama),
            "organization_owner" => Some(Self::LmStudio),
            "llamacpp" => Some(Self::LlamaCpp),
            "vllm" => Some(Self::Vllm),
            _ => None,
        }
    }

    /// Whether an owner of that name may as well be somebody else's.
    pub(super) fn is_guess(self) -> bool {
        matches!(self, Self::Ollama | Self::LmStudio)
    }
}

impl fmt::Display for ServerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.profile().title)
    }
}

/// What the answers at `/api/version`, `/api/v0/models` and `/props` give away.
pub(super) fn told([version, native_list, props]: [Option<Value>; 3]) -> Option<ServerKind> {
    let has = |value: &Option<Value>, path: &str| {
        let found = value.as_ref().and_then(|value| value.pointer(path));
        found.is_some_and(|found| !found.is_null())
    };
    if has(&props, "/default_generation_settings") {
        Some(ServerKind::LlamaCpp)
    } else if has(&native_list, "/data/0/state") {
        Some(ServerKind::LmStudio)
    } else if has(&version, "/version") {
        Some(ServerKind::Ollama)
    } else {
        None
    }
}
