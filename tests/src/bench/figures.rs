//! Figures by name, each with its budget; what missed its budget is named.

use serde_json::{Map, Value, json};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    AtMost(f64),
    AtLeast(f64),
}

#[derive(Debug, Default)]
pub struct Figures {
    values: Map<String, Value>,
    missed: Vec<Value>,
}

impl Figures {
    pub fn add(&mut self, name: &str, value: f64, budget: Budget) {
        let (kept, words) = match budget {
            Budget::AtMost(most) => (value <= most, format!("at most {most}")),
            Budget::AtLeast(least) => (value >= least, format!("at least {least}")),
        };
        // Four digits say more than the machine's noise does.
        let shown = format!("{value:.4}").parse().unwrap_or(value);
        self.values.insert(name.to_owned(), json!(shown));
        if !kept {
            self.missed.push(json!(format!("{name} is {shown}, budget {words}")));
        }
    }

    #[must_use]
    pub fn all_kept(&self) -> bool {
        self.missed.is_empty()
    }

    /// One object, one figure a key; `missed` lists the sentences about budgets.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = self.values.clone();
        object.insert("missed".to_owned(), json!(self.missed));
        Value::Object(object)
    }
}

/// The value below which this share of the samples lies.
///
/// # Panics
/// Without samples.
#[must_use]
pub fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let at = (samples.len() as f64 * share) as usize;
    samples[at.min(samples.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_budget_is_named_and_a_kept_one_is_not() {
        let mut figures = Figures::default();
        figures.add("fast", 1.0, Budget::AtMost(1.0));
        assert!(figures.all_kept());
        figures.add("slow", 1.5, Budget::AtMost(1.0));
        figures.add("few", 3.0, Budget::AtLeast(4.0));
        assert!(!figures.all_kept());
        let json = figures.to_json();
        assert_eq!((&json["fast"], &json["slow"]), (&json!(1.0), &json!(1.5)));
        assert_eq!(json["missed"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let mut samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(percentile(&mut samples, 0.5), 51.0);
        assert_eq!(percentile(&mut samples, 0.99), 100.0);
    }
}
