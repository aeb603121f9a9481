//! The name of one engine of a person: `default`, or one for tests and parallel installs.

use std::fmt;

const LONGEST: usize = 32;
const DEFAULT: &str = "default";
/// The native messaging host of the default instance; others append their name.
const NATIVE_HOST: &str = "org.ghostlight";

/// The environment variable that names the instance where no argument does.
pub const INSTANCE_VARIABLE: &str = "GHOSTLIGHT_INSTANCE";

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instance(String);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadInstance(String);

impl fmt::Display for BadInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is no instance name: at most {LONGEST} of a-z, 0-9 and '-', a letter first, \
             no '-' at the end",
            self.0
        )
    }
}
impl std::error::Error for BadInstance {}

impl Instance {
    /// # Errors
    /// The name has another shape than `[a-z][a-z0-9-]{0,31}` without a trailing `-`.
    pub fn parse(name: &str) -> Result<Self, BadInstance> {
        let bytes = name.as_bytes();
        let good = bytes.first().is_some_and(u8::is_ascii_lowercase)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
            && !name.ends_with('-');
        if good { Ok(Self(name.into())) } else { Err(BadInstance(name.chars().take(64).collect())) }
    }

    /// The instance of a program: what follows `@` in the name it was started by, else the
    /// variable, else the default. Set but bad is an error, never the default.
    ///
    /// # Errors
    /// The name given is none.
    pub fn choose(argv0: &str, variable: Option<&str>) -> Result<Self, BadInstance> {
        let program = argv0.rsplit('/').next().unwrap_or(argv0);
        match (program.split_once('@'), variable) {
            (Some((_, name)), _) => Self::parse(name),
            (None, Some(name)) if !name.is_empty() => Self::parse(name),
            _ => Ok(Self::default()),
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn is_default(&self) -> bool {
        self.0 == DEFAULT
    }

    /// Chromium's name for our native messaging host. It allows no `-`.
    #[must_use]
    pub fn native_host(&self) -> String {
        if self.is_default() {
            NATIVE_HOST.into()
        } else {
            format!("{NATIVE_HOST}.{}", self.0.replace('-', "_"))
        }
    }
}

impl Default for Instance {
    fn default() -> Self {
        Self(DEFAULT.into())
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_right_shape_are_taken_and_others_refused() {
        for good in ["default", "a", "dev", "test-1", "a2345678901234567890123456789012"] {
            assert_eq!(Instance::parse(good).map(|i| i.to_string()), Ok(good.into()));
        }
        let long = "a".repeat(33);
        for bad in ["", "-", "1a", "A", "a-", "a_b", "a/b", "..", "a b", "é", "a\0", &long] {
            assert!(Instance::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_suffix_of_the_program_name_wins_over_the_variable() {
        let check = |argv0: &str, variable: Option<&str>, expected: &str| {
            let got = Instance::choose(argv0, variable).map(|i| i.to_string());
            assert_eq!(got.unwrap_or_else(|_| "refused".into()), expected, "{argv0} {variable:?}");
        };
        check("/usr/bin/ghostlight-browser-connector", None, "default");
        check("/usr/bin/ghostlight-browser-connector", Some(""), "default");
        check("/usr/bin/ghostlight-browser-connector", Some("dev"), "dev");
        check("/home/a@b/ghostlight-browser-connector", Some("dev"), "dev");
        check("/x/ghostlight-browser-connector@two", Some("dev"), "two");
        check("/x/ghostlight-browser-connector@", Some("dev"), "refused");
        check("/x/ghostlight-browser-connector@UP", None, "refused");
        check("connector", Some("../up"), "refused");
    }

    #[test]
    fn native_host_names_hold_no_dash() {
        assert_eq!(Instance::default().native_host(), "org.ghostlight");
        let named = Instance::parse("dev-2").map(|i| i.native_host());
        assert_eq!(named, Ok("org.ghostlight.dev_2".into()));
    }
}
