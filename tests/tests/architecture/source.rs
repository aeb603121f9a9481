//! The source tree as the architecture test reads it: files, their product lines, their functions.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file of the product or its tests.
pub(crate) struct Source {
    /// Relative to the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent").to_path_buf()
}

/// Every `.rs` and `.js` file of the repository, sorted by path.
pub(crate) fn all() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["edge", "service", "browser", "transport", "extension", "tests"] {
        walk(&root().join(folder), &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 20, "the source tree was not found");
    found
}

fn walk(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("a source folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "node_modules", "corpus"].contains(&name.as_str()) {
                walk(&path, found);
            }
        } else if [".rs", ".js", ".mjs"].iter().any(|end| name.ends_with(end)) {
            let relative = path.strip_prefix(root()).expect("below the root");
            found.push(Source {
                path: relative.to_string_lossy().replace('\\', "/"),
                text: fs::read_to_string(&path).expect("readable source"),
            });
        }
    }
}

impl Source {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Only for tests: a file of tests, or a part of the tests crate.
    pub(crate) fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.ends_with("/tests.rs")
            || self.path.ends_with("_tests.rs")
            || self.path.contains("/test/")
            || self.path.contains("/tests/")
            || self.path.ends_with("/src/testing.rs")
            // The scripted browser and the slow reference that unit tests drive.
            || ["service/src/tab/scripted.rs", "service/src/scheduler/model.rs"].contains(&&*self.path)
    }

    /// Lines that ship, numbered from 1: without comments and without the closing test module.
    pub(crate) fn product(&self) -> impl Iterator<Item = (usize, &str)> {
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        self.text[..end]
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Words of the product lines: identifiers, split at case changes and underscores, lower case.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, String)> {
        self.product().flat_map(|(number, line)| {
            line.split(|c: char| !c.is_alphanumeric() && c != '_')
                .flat_map(split_identifier)
                .map(move |word| (number, word))
                .collect::<Vec<_>>()
        })
    }

    /// String literals of the product lines with the line they begin on; continued lines are joined.
    pub(crate) fn literals(&self) -> Vec<(usize, String)> {
        let mut lines: Vec<&str> = Vec::new();
        for (number, line) in self.product() {
            lines.resize(number - 1, "");
            lines.push(line);
        }
        let text: Vec<char> = lines.join("\n").chars().collect();
        let (mut found, mut i) = (Vec::new(), 0);
        while i < text.len() {
            if !opens_literal(&text, i, ' ', true) {
                i += 1;
                continue;
            }
            let end = quoted_end(&text, i, text[i]);
            if text[i] == '"' {
                let inside: String = text[i + 1..end.max(i + 2) - 1].iter().collect();
                let mut parts = inside.split("\\\n");
                let first = parts.next().unwrap_or_default().to_owned();
                let joined = parts.fold(first, |all, part| all + part.trim_start());
                let line = text[..i].iter().filter(|c| **c == '\n').count() + 1;
                found.push((line, joined));
            }
            i = end;
        }
        found
    }

    /// Functions longer than `limit` lines, as `(line, lines)`.
    pub(crate) fn long_functions(&self, limit: usize) -> Vec<(usize, usize)> {
        let plain = blank_literals(&self.text, self.is_rust());
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut long = Vec::new();
        for (i, line) in plain.lines().enumerate() {
            let mut head = starts_function(line, self.is_rust());
            for c in line.chars() {
                match c {
                    '{' => open.push((i, std::mem::take(&mut head))),
                    '}' => {
                        if let Some((start, true)) = open.pop()
                            && i - start + 1 > limit
                        {
                            long.push((start + 1, i - start + 1));
                        }
                    }
                    _ => {}
                }
            }
        }
        long
    }
}

fn split_identifier(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        if c == '_' || (c.is_uppercase() && before.is_lowercase()) {
            words.push(String::new());
        }
        if c != '_' {
            words.last_mut().expect("never empty").extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

fn starts_function(line: &str, rust: bool) -> bool {
    if rust {
        return line.contains("fn ") && line.contains('(');
    }
    let line = line.trim_start();
    let control = ["if", "for", "while", "switch", "catch", "} catch", "} else", "return", "with"];
    line.contains("function")
        || line.contains("=> {")
        || (line.ends_with(") {") && !control.iter().any(|word| line.starts_with(word)))
}

/// Blanks comments and the inside of literals, so that braces and quotes in them do not count.
fn blank_literals(text: &str, rust: bool) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    let mut before = '\n';
    while i < bytes.len() {
        let c = bytes[i];
        let next = bytes.get(i + 1).copied().unwrap_or(' ');
        let end = if c == '/' && next == '/' {
            line_end(&bytes, i)
        } else if c == '/' && next == '*' {
            block_end(&bytes, i)
        } else if opens_literal(&bytes, i, before, rust) {
            quoted_end(&bytes, i, c)
        } else {
            out.push(c);
            if !c.is_whitespace() || c == '\n' {
                before = c;
            }
            i += 1;
            continue;
        };
        out.extend(bytes[i..end].iter().filter(|c| **c == '\n'));
        before = '"';
        i = end;
    }
    out
}

/// A string, character, template or regular expression begins at `i`; `before` is the last code before it.
fn opens_literal(text: &[char], i: usize, before: char, rust: bool) -> bool {
    match text[i] {
        '"' => true,
        '\'' if rust => text.get(i + 1) == Some(&'\\') || text.get(i + 2) == Some(&'\''),
        '\'' | '`' => !rust,
        '/' => !rust && "(,=:[!&|?{};\n".contains(before),
        _ => false,
    }
}

fn line_end(text: &[char], from: usize) -> usize {
    text[from..].iter().position(|c| *c == '\n').map_or(text.len(), |n| from + n)
}

fn block_end(text: &[char], from: usize) -> usize {
    (from + 2..text.len())
        .find(|i| text[*i - 1] == '*' && text[*i] == '/')
        .map_or(text.len(), |i| i + 1)
}

fn quoted_end(text: &[char], from: usize, quote: char) -> usize {
    let mut i = from + 1;
    let mut class = false;
    while i < text.len() {
        match text[i] {
            '\\' => i += 1,
            '[' if quote == '/' => class = true,
            ']' if quote == '/' => class = false,
            '\n' if quote == '/' => return i,
            c if c == quote && !class => return i + 1,
            _ => {}
        }
        i += 1;
    }
    text.len()
}

#[test]
fn a_long_function_is_seen_and_braces_in_literals_are_not() {
    let body = "  let a = \"{\"; // {\n".repeat(61);
    let text = format!("//! x\nfn long() {{\n{body}}}\nfn short() {{ '{{'; }}\n");
    let source = Source { path: "x.rs".into(), text };
    assert_eq!(source.long_functions(60), [(2, 63)]);
    let body = "  const a = /[{\"]/; // {\n".repeat(61);
    let source = Source { path: "x.js".into(), text: format!("function long() {{\n{body}}}\n") };
    assert_eq!(source.long_functions(60), [(1, 63)]);
}
