//! Lists of models as servers write them.

use serde_json::Value;

use super::{Catalogue, Listed, ServerKind};

/// Parts of the names of models that do not talk.
const SILENT: [&str; 12] = [
    "embed",
    "rerank",
    "bge-",
    "minilm",
    "gte-",
    "e5-",
    "whisper",
    "tts",
    "dall-e",
    "moderation",
    "stable-diffusion",
    "colbert",
];

/// `{"object": "list", "data": [{"id"}]}`, or the array alone.
pub(super) fn openai(body: &Value) -> Option<Catalogue> {
    let models = match body {
        Value::Array(models) => models.as_slice(),
        _ => match body.get("data")? {
            Value::Array(models) => models.as_slice(),
            // Ollama's way to say that there are none.
            Value::Null => &[],
            _ => return None,
        },
    };
    let kind = models
        .iter()
        .find_map(|model| ServerKind::of_owner(model.get("owned_by")?.as_str()?));
    let models: Option<Vec<Listed>> = models.iter().map(openai_model).collect();
    Some(Catalogue {
        kind,
        models: models?,
    })
}

fn openai_model(model: &Value) -> Option<Listed> {
    let id = model.get("id")?.as_str()?;
    let silent = model.get("type").is_some_and(is_embedding)
        || model.pointer("/capabilities/completion_chat") == Some(&Value::Bool(false));
    Some(Listed {
        id: id.to_owned(),
        context: first_count(
            model,
            &[
                "/max_model_len",
                "/context_length",
                "/context_window",
                "/max_context_length",
                "/meta/n_ctx",
                "/meta/n_ctx_train",
            ],
        ),
        trained: None,
        loaded: false,
        chats: !silent && sounds_talkative(id),
    })
}

/// `{"models": [{"name": "models/..", "inputTokenLimit", "supportedGenerationMethods"}]}`; Vertex
/// has `{"publisherModels": [{"name": "publishers/google/models/.."}]}`.
pub(super) fn gemini(body: &Value) -> Option<Catalogue> {
    let models = body.get("models").or_else(|| body.get("publisherModels"))?;
    let models: Option<Vec<Listed>> = models
        .as_array()?
        .iter()
        .map(|model| {
            let name = model.get("name")?.as_str()?;
            let methods = model
                .get("supportedGenerationMethods")
                .and_then(Value::as_array);
            let talks = |methods: &Vec<Value>| {
                methods.iter().any(|method| {
                    method
                        .as_str()
                        .is_some_and(|m| m.ends_with("enerateContent"))
                })
            };
            Some(Listed {
                id: name.rsplit("models/").next().unwrap_or(name).to_owned(),
                context: first_count(model, &["/inputTokenLimit"]),
                trained: None,
                loaded: false,
                chats: methods.is_none_or(talks) && sounds_talkative(name),
            })
        })
        .collect();
    Some(Catalogue {
        kind: None,
        models: models?,
    })
}

/// `{"data": [{"type": "model", "id", "max_input_tokens"}]}`
pub(super) fn anthropic(body: &Value) -> Option<Catalogue> {
    let models = body.get("data")?.as_array()?.iter();
    let models: Option<Vec<Listed>> = models
        .map(|model| {
            Some(Listed {
                id: model.get("id")?.as_str()?.to_owned(),
                context: first_count(model, &["/max_input_tokens"]),
                trained: None,
                loaded: false,
                chats: true,
            })
        })
        .collect();
    Some(Catalogue {
        kind: None,
        models: models?,
    })
}

/// LM Studio's own list.
pub(super) fn add_lm_studio(catalogue: &mut Catalogue, list: &Value) {
    let models = list.get("data").and_then(Value::as_array);
    for model in models.into_iter().flatten() {
        let id = model.get("id").and_then(Value::as_str).unwrap_or_default();
        if let Some(listed) = catalogue.get_mut(id) {
            let told = first_count(model, &["/loaded_context_length", "/max_context_length"]);
            listed.context = told.or(listed.context);
            listed.loaded = model.get("state").is_some_and(|state| state == "loaded");
            listed.chats &= !model.get("type").is_some_and(is_embedding);
        }
    }
}

/// The properties of a llama.cpp server, which has one model.
pub(super) fn add_llama_cpp(catalogue: &mut Catalogue, props: &Value) {
    let told = first_count(props, &["/default_generation_settings/n_ctx"]);
    if let [only] = catalogue.models.as_mut_slice() {
        // What it was trained with is no more than a promise.
        only.context = told.or(only.context);
        only.loaded = true;
    }
}

/// The models that Ollama has in memory.
pub(super) fn add_ollama_running(catalogue: &mut Catalogue, running: &Value) {
    let models = running.get("models").and_then(Value::as_array);
    for model in models.into_iter().flatten() {
        let name = model
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if let Some(listed) = catalogue.get_mut(name) {
            listed.context = first_count(model, &["/context_length"]).or(listed.context);
            listed.loaded = true;
        }
    }
}

/// What Ollama tells about one model: the window that is set, else the one it was trained with. A
/// model that is in memory has the window that it was loaded with.
pub(super) fn add_ollama_shown(listed: &mut Listed, shown: &Value) {
    let set = shown.get("parameters").and_then(Value::as_str);
    let set = set.and_then(|text| {
        let mut lines = text.lines();
        let value = lines.find_map(|line| line.trim().strip_prefix("num_ctx"))?;
        value.trim().parse().ok()
    });
    let info = shown.get("model_info").and_then(Value::as_object);
    let trained = info.and_then(|info| {
        let mut fields = info.iter();
        let found = fields.find(|(key, _)| key.ends_with(".context_length"))?;
        found.1.as_u64()
    });
    listed.trained = trained;
    listed.context = listed.context.or(set).or(trained);
    let can = shown.get("capabilities").and_then(Value::as_array);
    if let Some(can) = can {
        listed.chats = can.iter().any(|can| can == "completion");
    }
}

fn is_embedding(kind: &Value) -> bool {
    kind.as_str()
        .is_some_and(|kind| kind.starts_with("embedding"))
}

fn sounds_talkative(id: &str) -> bool {
    let id = id.to_lowercase();
    !SILENT.iter().any(|part| id.contains(part))
}

/// The first of these that is there and is more than nothing.
fn first_count(value: &Value, paths: &[&str]) -> Option<u64> {
    let mut counts = paths
        .iter()
        .filter_map(|path| value.pointer(path)?.as_u64());
    counts.find(|count| *count > 0)
}
