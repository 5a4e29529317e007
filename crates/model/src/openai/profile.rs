//! What servers want beside the protocol.
//!
//! All of them say that they speak chat completions; where they do not quite, a line of data here
//! tells it, and a setting can tell it better.

use reqwest::Url;

use crate::ServerKind;
use crate::server::is_loopback;

/// The ways of one sort of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Which software it is, if that is known.
    pub kind: Option<ServerKind>,
    /// What it is called in settings.
    pub name: &'static str,
    /// What it calls itself.
    pub title: &'static str,
    /// How thoughts go back to it with the calls that came of them.
    pub thoughts: Thoughts,
    /// It tells what a streamed reply cost, if asked; some tell it anyway and refuse the question.
    pub ask_for_usage: bool,
    /// It takes ids of calls only if they are nine letters and digits.
    pub short_ids: bool,
    /// It has an interface of its own that takes a size of the context window.
    pub own_interface: bool,
    hosts: &'static [&'static str],
    /// Where it listens on this machine unless it is told otherwise.
    port: Option<u16>,
}

/// What a server wants beside its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// Those of its sort.
    pub profile: Profile,
    /// How many tokens prompt and answer may have; where nothing is set the server decides.
    pub context_window: Option<u64>,
}

impl Ways {
    /// The size of the context window that has to be asked for in an interface of the server's own,
    /// since no other takes it.
    pub fn own_window(&self) -> Option<u64> {
        self.context_window.filter(|_| self.profile.own_interface)
    }
}

/// How a server wants thoughts back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoughts {
    /// Not at all.
    Dropped,
    /// As `reasoning_content` of each message with calls, also if there were none.
    ReasoningContent,
    /// As `reasoning_details`, just as they came.
    ReasoningDetails,
}

impl Profile {
    /// A server of which nothing is known.
    pub const PLAIN: Self = Self {
        kind: None,
        name: "plain",
        title: "a server",
        thoughts: Thoughts::Dropped,
        ask_for_usage: true,
        short_ids: false,
        own_interface: false,
        hosts: &[],
        port: None,
    };

    /// All there are.
    pub const ALL: [Self; 10] = [
        Self::PLAIN,
        Self {
            kind: Some(ServerKind::OpenAi),
            name: "openai",
            title: "OpenAI",
            hosts: &["api.openai.com"],
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::Ollama),
            name: "ollama",
            title: "Ollama",
            own_interface: true,
            hosts: &["ollama.com"],
            port: Some(11434),
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::LmStudio),
            name: "lmstudio",
            title: "LM Studio",
            port: Some(1234),
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::LlamaCpp),
            name: "llamacpp",
            title: "llama.cpp",
            thoughts: Thoughts::ReasoningContent,
            port: Some(8080),
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::Vllm),
            name: "vllm",
            title: "vLLM",
            port: Some(8000),
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::DeepSeek),
            name: "deepseek",
            title: "DeepSeek",
            thoughts: Thoughts::ReasoningContent,
            hosts: &["api.deepseek.com"],
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::OpenRouter),
            name: "openrouter",
            title: "OpenRouter",
            thoughts: Thoughts::ReasoningDetails,
            hosts: &["openrouter.ai"],
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::Groq),
            name: "groq",
            title: "Groq",
            hosts: &["api.groq.com"],
            ..Self::PLAIN
        },
        Self {
            kind: Some(ServerKind::Mistral),
            name: "mistral",
            title: "Mistral",
            ask_for_usage: false,
            short_ids: true,
            hosts: &["api.mistral.ai", "codestral.mistral.ai"],
            ..Self::PLAIN
        },
    ];

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name == name)
    }

    /// The profile of the server that is most likely behind this address.
    pub fn of(base_url: &str) -> Self {
        let Ok(url) = Url::parse(base_url) else {
            return Self::PLAIN;
        };
        let by_port = |profile: &Self| {
            profile.port.is_some() && profile.port == url.port() && is_loopback(&url)
        };
        let on_port = || Self::ALL.into_iter().find(by_port);
        Self::of_host(&url).or_else(on_port).unwrap_or(Self::PLAIN)
    }

    /// Where it listens on this machine unless it is told otherwise.
    pub fn local_address(&self) -> Option<String> {
        let port = self.port?;
        Some(format!("http://127.0.0.1:{port}/v1"))
    }

    /// The profile of the service that has this address for itself.
    pub(crate) fn of_host(url: &Url) -> Option<Self> {
        let host = url.host_str()?;
        let mut all = Self::ALL.into_iter();
        all.find(|profile| profile.hosts.contains(&host))
    }
}

impl Thoughts {
    /// The way of this name.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::Dropped,
            "reasoning_content" => Self::ReasoningContent,
            "reasoning_details" => Self::ReasoningDetails,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_known_by_its_address() {
        for (url, name) in [
            ("https://api.deepseek.com/v1", "deepseek"),
            ("https://openrouter.ai/api/v1", "openrouter"),
            ("http://localhost:11434/v1", "ollama"),
            ("http://127.0.0.1:8080", "llamacpp"),
            ("http://gpu.example:11434/v1", "plain"),
            ("http://localhost:9/v1", "plain"),
            ("https://evil.example/api.deepseek.com", "plain"),
            ("nonsense", "plain"),
        ] {
            assert_eq!(Profile::of(url).name, name, "{url}");
        }
    }

    #[test]
    fn every_profile_is_found_by_its_name() {
        for profile in Profile::ALL {
            assert_eq!(Profile::named(profile.name), Some(profile));
        }
        assert_eq!(Profile::named("nobody"), None);
    }
}
