//! A caller's pattern: the common regular expressions, matched without regard to case, in linear time.
//!
//! No backtracking, so no pattern makes the service compute without pause. A crate for this costs 55 KB
//! of executable; this needs a tenth of it.

mod program;
mod syntax;

use program::Program;

const PATTERN_CHARS: usize = 300;

#[derive(Debug)]
pub(crate) struct Pattern(Program);

impl Pattern {
    /// # Errors
    /// What about the text is not understood, in words of our own.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > PATTERN_CHARS {
            return Err("it is longer than 300 characters");
        }
        Program::new(&syntax::parse(text)?).map(Self)
    }

    /// Whether it matches anywhere in `text`.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.0.matches(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_their_writers_mean_them() {
        let cases = [
            ("error|warn", "A WARNing", true),
            ("error|warn", "info", false),
            (r"\[MyApp\] .*failed", "[myapp] it FAILED", true),
            ("^start", "a start", false),
            ("^start", "Start", true),
            ("end$", "the end", true),
            ("end$", "ends", false),
            ("^$", "", true),
            ("a.c", "a\nc", false),
            ("colou?r", "COLOR", true),
            ("ab+c", "ac", false),
            ("(ab)*c", "ababc", true),
            ("(?:ab){2}c", "abc", false),
            ("a{2,3}$", "aaa", true),
            ("^a{2,}$", "a", false),
            ("^a{2}$", "aaa", false),
            (r"\d+ms", "took 12MS", true),
            (r"\w+@\w+\.com", "x me@b.com", true),
            (r"\bfoo\b", "a foo.", true),
            (r"\bfoo\b", "foobar", false),
            (r"\Boo", "foo", true),
            ("[a-c]+x", "ABCX", true),
            ("[^a-z]", "abc", false),
            (r"[\d_-]{3}", "1-_", true),
            ("[]a]", "]", true),
            ("[é-ü]", "É", true),
            ("straße", "STRASSE", false),
            ("привет", "ПРИВЕТ", true),
            ("日本", "x日本y", true),
            ("(?i)case", "CASE", true),
            ("a*?b", "aab", true),
            ("x{", "x{", true),
            ("{1}", "{1}", true),
            (r"\.\*\\\/\-", r".*\/-", true),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("", "anything", true),
            ("a|", "b", true),
        ];
        for (pattern, text, expected) in cases {
            let found = Pattern::new(pattern).unwrap_or_else(|why| panic!("{pattern}: {why}"));
            assert_eq!(found.matches(text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_cause() {
        let cases = [
            ("(", "is not closed"),
            (")", "closes no group"),
            ("[a", "is not closed"),
            ("*a", "nothing to repeat"),
            ("a**", "nothing to repeat"),
            ("[z-a]", "ends before it begins"),
            ("a{3,2}", "ends before it begins"),
            (r"\", "ends with a backslash"),
            (r"\q", "unknown escape"),
            (r"(a)\1", "back-reference"),
            ("(?=a)", "look-around"),
            ("(?<!a)", "look-around"),
            ("(a{100}){100}", "too much"),
            ("a{99999}", "too much"),
        ];
        for (pattern, cause) in cases {
            let why = Pattern::new(pattern).map(|_| ()).unwrap_err();
            assert!(why.contains(cause), "{pattern}: {why}");
        }
        assert!(Pattern::new(&"(".repeat(301)).is_err());
        assert!(Pattern::new(&"(".repeat(300)).is_err());
        assert!(Pattern::new(&"a".repeat(300)).is_ok());
    }

    #[test]
    fn a_pattern_that_would_backtrack_for_ever_ends() {
        let pattern = Pattern::new("(a|a)*(a|aa)+(a*)*b").unwrap();
        let text = "a".repeat(2_000);
        assert!(!pattern.matches(&text));
    }
}
