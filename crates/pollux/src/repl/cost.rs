//! What tokens cost, by the prices that the user has set.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pollux_store::Price;
use pollux_types::usage::SpentBy;
use pollux_types::{Spent, Usage};

/// A line for each model that has answered, and the sum; or how to give prices.
pub(super) fn report(spent: &Spent, prices: &BTreeMap<String, Price>) -> String {
    let used: Vec<&SpentBy> = spent
        .by_model()
        .iter()
        .filter(|by| by.requests > 0)
        .collect();
    if used.is_empty() {
        return "nothing has been asked yet".to_owned();
    }
    let mut text = String::new();
    let mut sum = 0.0;
    for by in &used {
        let dollars = dollars(by, prices);
        sum += dollars.unwrap_or_default();
        let money = dollars.map_or_else(String::new, |dollars| format!(": {}", in_words(dollars)));
        writeln!(text, "{}: {}{money}", by.model, counted(by)).expect("a String takes any text");
    }
    let is_uncounted = |by: &&SpentBy| !by.usage.is_known();
    let least = if used.iter().any(is_uncounted) {
        "at least "
    } else {
        ""
    };
    match used.iter().find(|by| price_of(&by.model, prices).is_none()) {
        Some(by) => text + &how_to_give_prices(&by.model),
        None if used.len() > 1 => text + &format!("in all: {least}{}\n", in_words(sum)),
        None => text,
    }
}

/// Those of `provider/model` count before those of `model`, wherever it is.
fn price_of<'a>(model: &str, prices: &'a BTreeMap<String, Price>) -> Option<&'a Price> {
    let name = model.split_once('/').map_or(model, |(_, name)| name);
    prices.get(model).or_else(|| prices.get(name))
}

fn counted(by: &SpentBy) -> String {
    let SpentBy {
        requests, usage, ..
    } = by;
    let s = if *requests == 1 { "" } else { "s" };
    if !usage.is_known() {
        return format!("{requests} request{s}, whose tokens the server has not counted");
    }
    let Usage {
        input,
        cached,
        output,
        ..
    } = usage;
    format!("{requests} request{s}, {input} tokens in ({cached} of them cached), {output} out")
}

/// What a model's tokens cost, if they were counted and have a price.
#[expect(
    clippy::cast_precision_loss,
    reason = "nobody uses so many tokens that it shows"
)]
fn dollars(by: &SpentBy, prices: &BTreeMap<String, Price>) -> Option<f64> {
    let price = price_of(&by.model, prices).filter(|_| by.usage.is_known())?;
    let Usage {
        input,
        cached,
        output,
        ..
    } = by.usage;
    let read = input.saturating_sub(cached) as f64 * price.input
        + cached as f64 * price.cached.unwrap_or(price.input);
    Some((read + output as f64 * price.output) / 1e6)
}

fn in_words(dollars: f64) -> String {
    if dollars < 1.0 {
        format!("${dollars:.4}")
    } else {
        format!("${dollars:.2}")
    }
}

fn how_to_give_prices(model: &str) -> String {
    format!(
        "What {model} costs is not known. To be told, set its prices, in dollars for a million \
         tokens, for example:\n[prices.\"{model}\"]\ninput = 1.0\ncached = 0.1\noutput = 4.0\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent() -> Spent {
        let mut spent = Spent::default();
        for model in ["a/one", "b/two", "c/idle"] {
            spent.answered_by(model);
        }
        spent.answered_by("a/one");
        spent.add(Usage {
            input: 1_000_000,
            cached: 400_000,
            output: 100_000,
            thoughts: 0,
        });
        spent.answered_by("b/two");
        spent.add(Usage::default());
        spent.add(Usage::default());
        spent
    }

    fn price(input: f64, cached: Option<f64>, output: f64) -> Price {
        Price {
            input,
            cached,
            output,
        }
    }

    #[test]
    fn without_prices_it_is_said_how_to_give_them() {
        insta::assert_snapshot!(report(&spent(), &BTreeMap::new()), @r#"
        a/one: 1 request, 1000000 tokens in (400000 of them cached), 100000 out
        b/two: 2 requests, whose tokens the server has not counted
        What a/one costs is not known. To be told, set its prices, in dollars for a million tokens, for example:
        [prices."a/one"]
        input = 1.0
        cached = 0.1
        output = 4.0
        "#);
        assert_eq!(
            report(&Spent::default(), &BTreeMap::new()),
            "nothing has been asked yet"
        );
    }

    #[test]
    fn each_model_has_its_price() {
        let prices = [
            // 0.6 + 0.04 + 0.4
            ("a/one".to_owned(), price(1.0, Some(0.1), 4.0)),
            ("one".to_owned(), price(9.0, None, 9.0)),
            ("two".to_owned(), price(1.0, None, 1.0)),
        ];
        insta::assert_snapshot!(report(&spent(), &prices.into()), @"
        a/one: 1 request, 1000000 tokens in (400000 of them cached), 100000 out: $1.04
        b/two: 2 requests, whose tokens the server has not counted
        in all: at least $1.04
        ");
    }

    #[test]
    fn what_is_cached_costs_as_much_unless_it_is_said() {
        let by = SpentBy {
            model: "a/one".into(),
            requests: 1,
            usage: Usage {
                input: 10_000,
                cached: 5_000,
                output: 1_000,
                thoughts: 0,
            },
        };
        let prices = [("one".to_owned(), price(2.0, None, 10.0))].into();
        assert_eq!(dollars(&by, &prices).map(in_words).unwrap(), "$0.0300");
    }
}
