//! The deadlines of this service: those of the limits, which a test may lower on a named instance.

use ghostlight_transport::limits;
use std::fmt;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) tool: Duration,
    pub(crate) answer: Duration,
    pub(crate) settlement: Duration,
    pub(crate) queue: Duration,
    pub(crate) browser_wait: Duration,
    pub(crate) workspace_idle: Duration,
    pub(crate) workspace_empty: Duration,
    pub(crate) service_idle: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            tool: limits::TOOL,
            answer: limits::ANSWER,
            settlement: limits::SETTLEMENT,
            queue: limits::QUEUE,
            browser_wait: limits::BROWSER_WAIT,
            workspace_idle: limits::WORKSPACE_IDLE,
            workspace_empty: limits::WORKSPACE_EMPTY,
            service_idle: limits::SERVICE_IDLE,
        }
    }
}

/// What cannot be asked of a bound.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadBound {
    Shape(String),
    Unknown(String),
    Raised(String),
}

impl fmt::Display for BadBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(text) => write!(f, "`{text}` is not of the form name=milliseconds"),
            Self::Unknown(name) => write!(f, "there is no bound `{name}`"),
            Self::Raised(name) => write!(f, "the bound `{name}` can only be lowered"),
        }
    }
}

impl Bounds {
    /// Lowers the bounds named in `name=milliseconds,…`.
    pub(crate) fn lower(&mut self, text: &str) -> Result<(), BadBound> {
        for item in text.split(',').filter(|item| !item.is_empty()) {
            let shape = || BadBound::Shape(item.into());
            let (name, value) = item.split_once('=').ok_or_else(shape)?;
            let value = Duration::from_millis(value.parse().map_err(|_| shape())?);
            let bound = match name {
                "tool" => &mut self.tool,
                "answer" => &mut self.answer,
                "settlement" => &mut self.settlement,
                "queue" => &mut self.queue,
                "browser_wait" => &mut self.browser_wait,
                "workspace_idle" => &mut self.workspace_idle,
                "workspace_empty" => &mut self.workspace_empty,
                "service_idle" => &mut self.service_idle,
                _ => return Err(BadBound::Unknown(name.into())),
            };
            if value > *bound {
                return Err(BadBound::Raised(name.into()));
            }
            *bound = value;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_can_be_lowered_and_nothing_else() {
        let mut bounds = Bounds::default();
        bounds.lower("answer=200,service_idle=0").unwrap();
        assert_eq!(bounds.answer, Duration::from_millis(200));
        assert_eq!(bounds.service_idle, Duration::ZERO);
        assert_eq!(bounds.tool, limits::TOOL);
        assert_eq!(bounds.lower("tool=99999999"), Err(BadBound::Raised("tool".into())));
        assert_eq!(bounds.lower("patience=1"), Err(BadBound::Unknown("patience".into())));
        assert_eq!(bounds.lower("tool"), Err(BadBound::Shape("tool".into())));
    }
}
