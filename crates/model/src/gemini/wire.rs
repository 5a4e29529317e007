//! Gemini's requests and replies as they are on the wire.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a request says before the contents.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) system_instruction: Option<SystemInstruction<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tools: Option<[Tools<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) generation_config: Option<GenerationConfig>,
}

#[derive(Serialize)]
pub(super) struct SystemInstruction<'a> {
    pub(super) parts: [Part<'a>; 1],
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_call: Option<FunctionCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) function_response: Option<FunctionResponse<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) thought_signature: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) args: &'a Map<String, Value>,
}

#[derive(Serialize)]
pub(super) struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) response: &'a pollux_types::Response,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tools<'a> {
    pub(super) function_declarations: Vec<FunctionDeclaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionDeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) parameters_json_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerationConfig {
    pub(super) thinking_config: ThinkingConfig,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    pub(super) include_thoughts: bool,
}

/// One event of the reply.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chunk {
    #[serde(default)]
    pub(super) candidates: Option<Vec<Candidate>>,
    #[serde(default)]
    pub(super) prompt_feedback: Option<PromptFeedback>,
    #[serde(default)]
    pub(super) usage_metadata: Option<UsageMetadata>,
    #[serde(default)]
    pub(super) error: Option<Value>,
    /// Gateways wrap each event once more.
    #[serde(default)]
    pub(super) response: Option<Box<Chunk>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate {
    #[serde(default)]
    pub(super) index: Option<u64>,
    #[serde(default)]
    pub(super) content: Option<ReplyContent>,
    #[serde(default)]
    pub(super) finish_reason: Option<String>,
    #[serde(default)]
    pub(super) finish_message: Option<String>,
    #[serde(default)]
    pub(super) citation_metadata: Option<CitationMetadata>,
}

/// Where parts of the reply come from.
#[derive(Deserialize)]
pub(super) struct CitationMetadata {
    /// The other place gives them the other name.
    #[serde(default, alias = "citationSources")]
    pub(super) citations: Option<Vec<Citation>>,
}

#[derive(Deserialize)]
pub(super) struct Citation {
    #[serde(default)]
    pub(super) uri: Option<String>,
    #[serde(default)]
    pub(super) title: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ReplyContent {
    #[serde(default)]
    pub(super) parts: Option<Vec<ReplyPart>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReplyPart {
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) thought: Option<bool>,
    #[serde(default)]
    pub(super) function_call: Option<ReplyCall>,
    #[serde(default)]
    pub(super) thought_signature: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct ReplyCall {
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) args: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptFeedback {
    #[serde(default)]
    pub(super) block_reason: Option<String>,
    #[serde(default)]
    pub(super) block_reason_message: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct UsageMetadata {
    #[serde(default, rename = "promptTokenCount")]
    pub(super) prompt: u64,
    #[serde(default, rename = "candidatesTokenCount")]
    pub(super) candidates: u64,
    #[serde(default, rename = "cachedContentTokenCount")]
    pub(super) cached: u64,
    #[serde(default, rename = "thoughtsTokenCount")]
    pub(super) thoughts: u64,
}
