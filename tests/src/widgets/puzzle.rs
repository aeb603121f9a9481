//! MiniWoB++ pages that can be solved from their text: the sentence that a page shows, and the steps that it asks for.

use super::task::Step;

/// One page, with each sentence that it may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    pub page: String,
    cases: Vec<Case>,
}

/// `Click on the "{a}" button.` and `click button "{a}"`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    sentence: String,
    steps: Vec<String>,
}

impl Puzzle {
    /// A page's name stands at the start of its line, its sentences are indented by two, their steps by four.
    #[must_use]
    pub fn read_all(text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let words = line.trim().to_owned();
            let indent = line.len() - line.trim_start().len();
            let cases = all.last_mut().map(|puzzle| &mut puzzle.cases);
            match (indent, cases) {
                (2, Some(cases)) => cases.push(Case { sentence: words, steps: Vec::new() }),
                (4, Some(cases)) => cases.iter_mut().last().into_iter().for_each(|case| {
                    case.steps.push(words.clone());
                }),
                _ => all.push(Self { page: words, cases: Vec::new() }),
            }
        }
        all
    }

    /// The steps that the page's text asks for.
    ///
    /// # Errors
    /// When no sentence fits.
    pub fn steps(&self, text: &str) -> Result<Vec<Step>, String> {
        let is_page = |line: &&str| !line.starts_with("---") && !line.starts_with("page: ");
        let words = text.lines().filter(is_page).flat_map(str::split_whitespace);
        let text = words.collect::<Vec<_>>().join(" ");
        for case in &self.cases {
            if let Some(found) = matched(&case.sentence, &text) {
                let steps = case.steps.iter().flat_map(|step| filled(step, &found));
                return steps.map(|step| Step::read(&step)).collect();
            }
        }
        Err(format!("no sentence fits {text:?}"))
    }
}

/// A step with its words filled in; `each {a} click checkbox "{}"` is a step for each word of a list.
fn filled(step: &str, found: &[(String, String)]) -> Vec<String> {
    let listed = step.strip_prefix("each {").and_then(|rest| rest.split_once("} "));
    if let Some((name, step)) = listed {
        let list = found.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
        return list
            .into_iter()
            .flat_map(|all| all.split(", "))
            .map(|one| step.replace("{}", one))
            .collect();
    }
    let put = |step: String, (name, value): &(String, String)| {
        step.replace(&format!("{{{name}}}"), value)
    };
    vec![found.iter().fold(step.to_owned(), put)]
}

/// What stands for each `{name}` of the pattern, wherever it begins in the text; the shortest that fits.
fn matched(pattern: &str, text: &str) -> Option<Vec<(String, String)>> {
    let mut pieces = pattern.split('{');
    let head = pieces.next()?;
    let mut rest = &text[text.find(head)? + head.len()..];
    let mut found = Vec::new();
    for piece in pieces {
        let (name, after) = piece.split_once('}')?;
        let end = if after.is_empty() { rest.len() } else { rest.find(after)? };
        found.push((name.to_owned(), rest[..end].to_owned()));
        rest = &rest[end + after.len()..];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_in_the_text_and_its_words_go_into_the_steps() {
        let all = Puzzle::read_all(
            "# pages\nlogin\n  Enter \"{u}\" and \"{p}\".\n    set textbox 1 = {u}\n    set textbox 2 = {p}\n\
             click\n  Press {b}.\n    click button \"{b}\"\n",
        );
        assert_eq!(all.len(), 2);
        let steps = all[0].steps("Untrusted\n Enter \"ann\"\n and \"x y\". More").unwrap();
        assert_eq!(
            steps,
            [
                Step::read("set textbox 1 = ann").unwrap(),
                Step::read("set textbox 2 = x y").unwrap()
            ]
        );
        let list = [("a".to_owned(), "x, y z".to_owned())];
        assert_eq!(filled("each {a} click * \"{}\"", &list), ["click * \"x\"", "click * \"y z\""]);
        assert!(all[1].steps("nothing here").is_err());
    }
}
