//! The text of a task: one step a line, and the state that the page has to report in the end.

use super::target::{Target, word};
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub name: String,
    pub steps: Vec<Step>,
    pub expected: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// `click`, `double`, `triple`, `right` and `hover TARGET`, as the tool's action.
    Point(&'static str, Target),
    /// `set TARGET = VALUE`
    Set(Target, Value),
    /// `type TEXT`, wherever the focus is.
    Type(String),
    /// `key CHORDS`, `key 5 Tab`
    Key(u64, String),
    /// `drag TARGET to TARGET`
    Drag(Target, Target),
    /// `scroll down TARGET until TARGET`
    Scroll { direction: String, over: Target, until: Target },
    /// `upload TARGET = NAME TEXT`: a file of that name, which holds the text.
    Upload(Target, String, String),
    /// `see TEXT`
    See(String),
    /// `dialog accept`, `dialog respond TEXT`
    Dialog(String, String),
    /// `tab TITLE`
    Tab(String),
}

impl Task {
    /// # Errors
    /// The line that cannot be read.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let mut task = Self { name: name.to_owned(), steps: Vec::new(), expected: Value::Null };
        for line in text.lines().map(str::trim) {
            let fault = |why: String| format!("{name}: {line}: {why}");
            if line.is_empty() || line.starts_with("# ") {
            } else if let Some(state) = line.strip_prefix("expect ") {
                task.expected =
                    serde_json::from_str(state).map_err(|fault_at| fault(fault_at.to_string()))?;
            } else {
                task.steps.push(Step::read(line).map_err(fault)?);
            }
        }
        Ok(task)
    }
}

impl Step {
    /// # Errors
    /// What cannot be read.
    pub fn read(line: &str) -> Result<Self, String> {
        let (verb, rest) = word(line);
        let point = |action| Ok(Self::Point(action, whole(rest)?));
        match verb {
            "click" => point("left_click"),
            "double" => point("double_click"),
            "triple" => point("triple_click"),
            "right" => point("right_click"),
            "hover" => point("hover"),
            "set" => {
                let (target, rest) = Target::read(rest)?;
                let value = rest.trim_start().strip_prefix("= ").ok_or("no value")?;
                Ok(Self::Set(target, held(value)))
            }
            "type" => {
                Ok(Self::Type(held(rest).as_str().map_or_else(|| rest.to_owned(), str::to_owned)))
            }
            "key" => {
                let (first, chords) = word(rest);
                let once = || (1, rest.to_owned());
                let (times, chords) = first.parse().map_or_else(|_| once(), |n| (n, chords.into()));
                Ok(Self::Key(times, chords))
            }
            "drag" => {
                let (from, rest) = Target::read(rest)?;
                let to = rest.trim_start().strip_prefix("to ").ok_or("no to")?;
                Ok(Self::Drag(from, whole(to)?))
            }
            "scroll" => {
                let (direction, rest) = word(rest);
                let (over, rest) = Target::read(rest)?;
                let until = rest.trim_start().strip_prefix("until ").ok_or("no until")?;
                Ok(Self::Scroll { direction: direction.to_owned(), over, until: whole(until)? })
            }
            "upload" => {
                let (target, rest) = Target::read(rest)?;
                let (name, text) = word(rest.trim_start().strip_prefix("= ").ok_or("no file")?);
                Ok(Self::Upload(target, name.to_owned(), text.to_owned()))
            }
            "see" => Ok(Self::See(rest.to_owned())),
            "dialog" => {
                let (action, text) = word(rest);
                Ok(Self::Dialog(action.to_owned(), text.to_owned()))
            }
            "tab" => Ok(Self::Tab(rest.to_owned())),
            _ => Err(format!("no step is called {verb}")),
        }
    }
}

fn whole(text: &str) -> Result<Target, String> {
    match Target::read(text)? {
        (target, "") => Ok(target),
        (_, rest) => Err(format!("{rest} is too much")),
    }
}

/// A switch, a list or a quoted text as JSON; anything else as it stands.
fn held(value: &str) -> Value {
    let json = ["true", "false"].contains(&value) || value.starts_with(['[', '"']);
    let read = json.then(|| serde_json::from_str(value).ok()).flatten();
    read.unwrap_or_else(|| Value::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_task_is_read_line_by_line() {
        let text = "# Says what it is.\nclick button \"Save\"\nset textbox 2 = a = b\n\
                    set checkbox \"On\" = true\nkey 5 Tab\nkey ctrl+a Delete\nexpect {\"n\":1}";
        let task = Task::read("t", text).unwrap();
        assert_eq!(task.expected, json!({"n": 1}));
        assert_eq!(task.steps.len(), 5);
        assert!(matches!(&task.steps[1], Step::Set(_, value) if value == "a = b"));
        assert!(matches!(&task.steps[2], Step::Set(_, value) if *value == json!(true)));
        assert_eq!(task.steps[3], Step::Key(5, "Tab".to_owned()));
        assert_eq!(task.steps[4], Step::Key(1, "ctrl+a Delete".to_owned()));
    }

    #[test]
    fn a_line_that_means_nothing_is_named() {
        assert_eq!(Step::read(r#"type "a ""#), Ok(Step::Type("a ".to_owned())));
        for line in ["jump button \"x\"", "set button \"x\"", "click button \"x\" now"] {
            assert!(Task::read("t", line).unwrap_err().contains(line), "{line}");
        }
    }
}
