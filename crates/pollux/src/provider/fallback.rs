//! Who stands in for the model that was chosen.

use std::sync::Arc;

use pollux_model::Model;

use super::{Chosen, Located, Surroundings, Wanted, locate};
use crate::failure::Failure;

/// The models of `models.fallback` that can be used, and what is wrong with the others.
pub(crate) fn stand_ins(surroundings: Surroundings<'_>) -> (Vec<Arc<dyn Model>>, Vec<String>) {
    let mut models: Vec<Arc<dyn Model>> = Vec::new();
    let mut problems = Vec::new();
    for entry in &surroundings.settings.models.fallback {
        match stand_in(entry, surroundings) {
            Ok(model) => {
                if models.iter().all(|known| known.info() != model.info()) {
                    models.push(model);
                }
            }
            Err(Failure { message, hint, .. }) => {
                let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
                problems.push(format!("models.fallback: `{entry}`: {message}{hint}"));
            }
        }
    }
    (models, problems)
}

fn stand_in(entry: &str, surroundings: Surroundings<'_>) -> Result<Arc<dyn Model>, Failure> {
    let (provider, model) = entry
        .split_once('/')
        .ok_or_else(|| Failure::config("expected `provider/model`"))?;
    let wanted = Wanted {
        provider: Some(provider.to_owned()),
        model: Some(model.to_owned()),
        ..Wanted::default()
    };
    let chosen = match locate(wanted, surroundings)? {
        Located::At(place) => place.connect(model.to_owned(), surroundings.settings)?,
        Located::Offline | Located::Anyone(_) => Chosen::offline(),
    };
    Ok(chosen.model)
}
