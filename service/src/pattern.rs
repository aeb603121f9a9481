//! A caller's pattern, within bounds: matching takes time in proportion to them and to the text.

use regex_lite::{Regex, RegexBuilder};

const CHARS: usize = 300;
/// Of the compiled pattern: whatever 300 characters say once, or some 400 letters by counts.
const BYTES: usize = 20 * 1024;
/// Groups and repetitions inside of each other.
const DEPTH: u32 = 40;

#[derive(Debug)]
pub(crate) struct Pattern(Regex);

impl Pattern {
    /// # Errors
    /// What about the text is refused, none of it quoted.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        // Before it is compiled it takes memory by its length alone.
        if text.chars().count() > CHARS {
            return Err(format!("it is longer than {CHARS} characters"));
        }
        let mut pattern = RegexBuilder::new(text);
        pattern.case_insensitive(true).size_limit(BYTES).nest_limit(DEPTH);
        pattern.build().map(Self).map_err(|why| why.to_string())
    }

    /// Whether it matches anywhere in `text`.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
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
            ("(?s)a.c", "a\nc", true),
            ("(?m)^second", "first\nsecond", true),
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
            ("[^a-z]", "ABC", false),
            (r"[\d_-]{3}", "1-_", true),
            ("[]a]", "]", true),
            ("日本", "x日本y", true),
            ("(?i)case", "CASE", true),
            ("(?-i)case", "CASE", false),
            ("a*?b", "aab", true),
            (r"x\{", "x{", true),
            (r"\.\*\\\/\-", r".*\/-", true),
            ("(a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("", "anything", true),
            ("a|", "b", true),
            // Case is ignored, and words and digits are known, in ASCII alone: the parameter says so.
            ("привет", "привет", true),
            ("привет", "ПРИВЕТ", false),
            ("[Пп]ривет", "Привет", true),
            (r"\w", "é", false),
            ("straße", "STRASSE", false),
        ];
        for (pattern, text, expected) in cases {
            let found = Pattern::new(pattern).unwrap_or_else(|why| panic!("{pattern}: {why}"));
            assert_eq!(found.matches(text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_cause() {
        let cases = [
            ("(", "without closing ')'"),
            (")", "without matching '('"),
            ("[a", "no closing bracket"),
            ("[[a]]", "nested character classes"),
            ("*a", "must be applied to"),
            ("{1}", "must be applied to"),
            ("x{", "unclosed counted repetition"),
            ("[z-a]", "invalid range"),
            ("a{3,2}", "min bigger than its max"),
            (r"\", "end of pattern"),
            (r"\q", "unrecognized escape"),
            (r"\p{L}", "Unicode character classes"),
            (r"(a)\1", "backreferences"),
            ("(?=a)", "look-around"),
            ("(?<!a)", "look-around"),
            ("(a{100}){100}", "size limit"),
            ("a{99999}", "size limit"),
            ("a{99999999999}", "invalid decimal"),
        ];
        for (pattern, cause) in cases {
            let why = Pattern::new(pattern).map(|_| ()).unwrap_err();
            assert!(why.contains(cause), "{pattern}: {why}");
        }
    }

    #[test]
    fn a_pattern_is_bounded_in_length_depth_and_size() {
        let in_groups = |depth| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        let cases = [
            ("a".repeat(300), None),
            ("é".repeat(300), None),
            ("[^a-z]".repeat(50), None),
            ("a?".repeat(150), None),
            ("()".repeat(150), None),
            ("a{400}".to_owned(), None),
            ("a{450}".to_owned(), Some("size limit")),
            ("a".repeat(301), Some("longer than 300")),
            (in_groups(40), None),
            (in_groups(42), Some("nesting")),
            ("(".repeat(300), Some("nesting")),
            (format!("a{}", "*".repeat(299)), Some("nesting")),
            ("(?:){9999}".to_owned(), Some("size limit")),
            (r"\W{600}".to_owned(), Some("size limit")),
        ];
        for (pattern, cause) in cases {
            let why = Pattern::new(&pattern).err();
            assert_eq!(why.is_some(), cause.is_some(), "{pattern}: {why:?}");
            let why = why.unwrap_or_default();
            assert!(why.contains(cause.unwrap_or_default()), "{pattern}: {why}");
        }
    }

    #[test]
    fn no_error_quotes_the_pattern() {
        let parts = ["(", "[", "{", "(?", "(?<", r"\x{", r"\b{", "a{1,", "[[:", "(?P<", r"\q"];
        for part in parts {
            let why = Pattern::new(&format!("{part}zebra☃")).map(|_| ()).unwrap_err();
            assert!(!why.contains("zebra") && !why.contains('☃'), "{part}: {why}");
        }
    }

    #[test]
    fn a_pattern_that_would_backtrack_for_ever_ends() {
        for pattern in ["(a|a)*(a|aa)+(a*)*b", "(?:a?){50}a{50}b", "(.*a){50}b"] {
            let pattern = Pattern::new(pattern).unwrap();
            assert!(!pattern.matches(&"a".repeat(2_000)));
        }
    }
}
