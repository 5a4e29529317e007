//! What the user has set, in TOML, and what a trusted project has.
//!
//! One definition of each setting: its field here. A bad setting costs only its section, or its
//! provider: it is reported with file, line and key, and the rest counts. Whoever uses it decides
//! whether to start without it.
//!
//! Not here: flags and environment variables, which win over settings (`crates/pollux`).

mod check;
mod fields;
mod layers;
mod listed;
mod mcp;
mod project;
mod servers;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use layers::{Problem, load, place_of};
pub use listed::{Listed, listed};
pub use mcp::{McpServerSettings, McpSettings, Transport};
pub use project::{ProjectSettings, Wishes};
pub use servers::{add_server, remove_server};

/// Everything that can be set. What is not set is `None`, so that whoever uses it knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The provider to use.
    pub provider: Option<String>,
    /// The model to use.
    pub model: Option<String>,
    /// Servers of the user's own, by name.
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Models besides the one to use.
    pub models: ModelsSettings,
    /// What models cost, by `model` or `provider/model`.
    pub prices: BTreeMap<String, Price>,
    /// Servers on this machine.
    pub local: LocalSettings,
    /// What may be done without asking.
    pub approval: ApprovalSettings,
    /// How commands are confined.
    pub sandbox: SandboxSettings,
    /// Limits of commands.
    pub shell: ShellSettings,
    /// Persistence with failing servers.
    pub retry: RetrySettings,
    /// Limits of the loop.
    pub agent: AgentSettings,
    /// Room for the conversation.
    pub context: ContextSettings,
    /// Calls that models write as text.
    pub text_calls: TextCallsSettings,
    /// Models that think aloud.
    pub think: ThinkSettings,
    /// The terminal.
    pub ui: UiSettings,
    /// Servers that speak MCP.
    pub mcp: McpSettings,
    /// Looking for defects.
    pub debug: DebugSettings,
}

/// `[providers.NAME]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderSettings {
    /// The protocol it speaks: gemini, openai or anthropic.
    pub kind: String,
    /// Where it listens.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    #[serde(default, deserialize_with = "fields::variable")]
    pub api_key_env: Option<String>,
    /// How the key is sent: `key`, in the protocol's own header, or `bearer`, as a token.
    pub auth: Option<String>,
    /// How its models call tools: auto, native or text.
    pub tool_calls: Option<String>,
    /// Headers to send besides those of the protocol.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Fields to send in each request's body, in place of what pollux would send.
    #[serde(default)]
    pub body: BTreeMap<String, serde_json::Value>,
    /// How many tokens prompt and answer may have, where the server lets itself be told.
    #[serde(default, deserialize_with = "fields::above_zero")]
    pub context_window: Option<u64>,
    /// The sort of server, where its address does not tell: openai, ollama, lmstudio, llamacpp,
    /// vllm, deepseek, openrouter, groq, mistral or plain.
    pub profile: Option<String>,
    /// How thoughts go back to it: none, `reasoning_content` or `reasoning_details`.
    pub thoughts: Option<String>,
    /// Whether to ask what a streamed reply cost.
    pub ask_for_usage: Option<bool>,
    /// Whether ids of calls must be nine letters and digits.
    pub short_ids: Option<bool>,
}

/// `[models]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelsSettings {
    /// Who answers when the model to use fails, as `provider/model`, one after the other.
    #[serde(default)]
    pub fallback: Vec<String>,
    /// The model for quick side tasks, as `provider/model`. Nothing uses it yet.
    pub fast: Option<String>,
    /// The model for hard tasks, as `provider/model`. Nothing uses it yet.
    pub strong: Option<String>,
}

/// `[prices.MODEL]`: dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Of what the model reads.
    pub input: f64,
    /// Of the part of that which the provider had cached; as `input` if left out.
    pub cached: Option<f64>,
    /// Of what it writes.
    pub output: f64,
}

/// `[local]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalSettings {
    /// Where to look for a model server if nothing else says who is to answer.
    pub servers: Option<Vec<String>>,
    /// How long all of them together may take to answer.
    pub timeout_ms: Option<u64>,
}

/// `[approval]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalSettings {
    /// default, auto-edit or yolo.
    pub mode: Option<String>,
    /// Whether questions are asked at all; without, they pass, unless they are about something
    /// dangerous.
    pub interactive: Option<bool>,
    /// Whether questions pass where nobody can be asked.
    pub auto_approve_ask: Option<bool>,
}

/// `[sandbox]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// auto, off or strict.
    pub mode: Option<String>,
    /// What commands may reach over the network: off, loopback or on.
    pub network: Option<String>,
}

/// `[shell]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShellSettings {
    /// How long a command may run.
    pub command_timeout_ms: Option<u64>,
    /// How many bytes of each output stream are kept.
    pub output_limit_bytes: Option<usize>,
    /// How many processes and threads a command may have at once, in the sandbox.
    pub max_processes: Option<u64>,
    /// How much memory it and all that it starts may have, in the sandbox.
    pub memory_limit_bytes: Option<u64>,
}

/// `[retry]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrySettings {
    /// Tries of one request, the first one included.
    #[serde(default, deserialize_with = "fields::above_zero")]
    pub max_attempts: Option<u32>,
    /// How long a server may be silent.
    pub idle_timeout_secs: Option<u64>,
}

/// `[agent]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSettings {
    /// Requests to the model for one prompt.
    #[serde(default, deserialize_with = "fields::above_zero")]
    pub max_turns: Option<usize>,
    /// How much the model is told before the conversation: auto, full or lean.
    #[serde(default)]
    pub prompt: PromptSetting,
}

/// `agent.prompt`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptSetting {
    /// What suits the model, by its name.
    #[default]
    Auto,
    /// What helps a capable model.
    Full,
    /// What a small model can take in.
    Lean,
}

/// `[context]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextSettings {
    /// How many tokens a conversation may have.
    #[serde(default, deserialize_with = "fields::above_zero")]
    pub token_limit: Option<usize>,
}

/// `[text_calls]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextCallsSettings {
    /// Whether the words around such calls are shown and kept.
    pub preserve_context: Option<bool>,
}

/// `[think]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkSettings {
    /// Whether Qwen models are to think before they answer.
    pub enabled: Option<bool>,
    /// What tells them not to, in front of each message.
    pub marker: Option<String>,
}

/// `[ui]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UiSettings {
    /// Whether the prompt has vim keys.
    #[serde(default)]
    pub vim: bool,
    /// How to call somebody who may look elsewhere.
    #[serde(default)]
    pub notifications: NotificationSetting,
    /// Whether there are colours.
    #[serde(default)]
    pub theme: ThemeSetting,
    /// Keys of actions, by the action's name: added, or with a `-` in front taken away.
    #[serde(default)]
    pub keys: BTreeMap<String, Vec<String>>,
}

/// `[debug]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebugSettings {
    /// Whether pollux writes down in `debug.log` of its home what it does, your prompts among it.
    #[serde(default)]
    pub log: bool,
}

/// `ui.notifications`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotificationSetting {
    /// Not at all.
    #[default]
    Off,
    /// By the terminal's bell.
    Bell,
    /// By the notification of iTerm2, `WezTerm`, Windows Terminal and others.
    Osc9,
    /// By the notification of rxvt, foot, VTE and others.
    Osc777,
}

/// `ui.theme`: colours are those of the terminal's palette, or there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeSetting {
    /// Colours, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Colours.
    Ansi,
    /// None.
    None,
}
