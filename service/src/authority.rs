//! What a call is allowed to do beyond owning its tab. Today everything: no policy is set.

use crate::tool::Failure;

/// The rules in force. Asked at every scheduled action, never remembered by a workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Authority {
    /// Every tool on every page.
    #[default]
    AllOpen,
}

impl Authority {
    /// Before anything is sent. The origin is by the browser's word; empty before there is a document.
    pub(crate) fn permits(self, _tool: &str, _origin: &str) -> Result<(), Failure> {
        match self {
            Self::AllOpen => Ok(()),
        }
    }

    /// Where the tab is after the tool ended: a result of a forbidden place is not handed out.
    pub(crate) fn permits_landing(self, _tool: &str, _origin: &str) -> Result<(), Failure> {
        match self {
            Self::AllOpen => Ok(()),
        }
    }
}
