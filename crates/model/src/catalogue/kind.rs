//! Which software a server is.

use std::fmt;

use reqwest::Url;
use serde_json::Value;

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
    /// Its name in settings.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Ollama => "ollama",
            Self::LmStudio => "lmstudio",
            Self::LlamaCpp => "llamacpp",
            Self::Vllm => "vllm",
            Self::DeepSeek => "deepseek",
            Self::OpenRouter => "openrouter",
            Self::Groq => "groq",
            Self::Mistral => "mistral",
            Self::OpenAi => "openai",
        }
    }

    /// The service that has this address.
    pub(super) fn of_host(url: &Url) -> Option<Self> {
        match url.host_str()? {
            "api.deepseek.com" => Some(Self::DeepSeek),
            "openrouter.ai" => Some(Self::OpenRouter),
            "api.groq.com" => Some(Self::Groq),
            "api.mistral.ai" => Some(Self::Mistral),
            "api.openai.com" => Some(Self::OpenAi),
            _ => None,
        }
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
        f.write_str(match self {
            Self::Ollama => "Ollama",
            Self::LmStudio => "LM Studio",
            Self::LlamaCpp => "llama.cpp",
            Self::Vllm => "vLLM",
            Self::DeepSeek => "DeepSeek",
            Self::OpenRouter => "OpenRouter",
            Self::Groq => "Groq",
            Self::Mistral => "Mistral",
            Self::OpenAi => "OpenAI",
        })
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
