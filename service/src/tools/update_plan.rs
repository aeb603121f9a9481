//! `update_plan`: repeats the agent's plan. Nothing is asked, approved, kept or permitted by it.

use super::no_effect;
use crate::render::quoted;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::{Hints, WorkspaceUse};
use serde::Deserialize;
use std::fmt::Write as _;

pub(crate) const ROW: Tool = Tool {
    name: "update_plan",
    title: "Report Browser Plan",
    description: "Repeats your plan: the sites you mean to visit and your steps. It is shown to nobody, approves nothing \
        and changes no permission; explain says what is permitted.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["domains","approach"],"properties":{
"domains":{"type":"array","items":{"type":"string"},"description":"Sites to visit"},
"approach":{"type":"array","items":{"type":"string"},"description":"Steps"}}}"#,
    output: None,
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
    workspace: WorkspaceUse::Independent,
    lane: Lane::Local,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

/// A plan is a few lines; what is longer is not repeated.
const ITEMS: usize = 20;
const ITEM_CHARS: usize = 200;

#[derive(Deserialize)]
struct Arguments {
    domains: Vec<String>,
    approach: Vec<String>,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let Arguments { domains, approach } = call.parse()?;
    let mut text = String::from(
        "Your plan was read and nothing else: no person was shown it or asked, nothing was approved, nothing is kept. \
         What is permitted stays as explain says. Next step: go on, and ask the person in your own words where you need \
         their word.",
    );
    list(&mut text, "domains", &domains);
    list(&mut text, "approach", &approach);
    Ok(Reply { parts: vec![Part::Own(text)], structured: None })
}

fn list(text: &mut String, name: &str, items: &[String]) {
    let _ = write!(text, "\n{name} ({}):", items.len());
    for item in items.iter().take(ITEMS) {
        let _ = write!(text, "\n- {}", quoted(item, ITEM_CHARS));
    }
    if items.len() > ITEMS {
        let _ = write!(text, "\n- and {} more, not repeated", items.len() - ITEMS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::Target;
    use serde_json::{Value, json};

    fn plan(arguments: Value) -> String {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let call = Call { arguments, target: Target::None };
        let parts = async_io::block_on((ROW.run)(call)).unwrap().parts;
        let [Part::Own(text)] = &parts[..] else { panic!("{parts:?}") };
        text.clone()
    }

    #[test]
    fn a_plan_is_repeated_and_promises_nothing() {
        let text = plan(json!({"domains": ["a.example"], "approach": ["look\n- \"b\"", "act"]}));
        let (own, plan) = text.split_once('\n').unwrap();
        assert_eq!(
            plan,
            "domains (1):\n- \"a.example\"\napproach (2):\n- \"look\\n- \\\"b\\\"\"\n- \"act\""
        );
        assert!(own.contains("nothing was approved"), "{own}");
        assert!(plan_of_nothing().ends_with("domains (0):\napproach (0):"));
    }

    fn plan_of_nothing() -> String {
        plan(json!({"domains": [], "approach": []}))
    }

    #[test]
    fn a_plan_of_any_size_gives_a_small_answer() {
        let long = "x".repeat(100_000);
        let text = plan(json!({"domains": vec![&long; 500], "approach": vec![&long; 500]}));
        assert!(text.len() < 10_000, "{}", text.len());
        assert!(text.contains("and 480 more, not repeated"));
    }
}
