//! Which browser a workspace uses: chosen once, named in results, never guessed between several.

use super::{Routes, Slot};
use crate::workspace::WorkspaceNumber;

/// Of a profile's own id: enough to tell two of them apart, and the same in every life of the service.
const TAG: usize = 4;

/// Why no browser was chosen, with the names to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unchosen {
    /// More than one is there, and nobody said which.
    Several(Vec<String>),
    /// None of those that are there has the wanted name.
    Unknown(Vec<String>),
    /// The workspace has tabs in this one.
    Elsewhere(String),
}

impl<T> Routes<T> {
    /// The browser that a workspace would use. Nothing while none is there to choose.
    pub(crate) fn choice(
        &self,
        workspace: Option<WorkspaceNumber>,
        wanted: Option<&str>,
    ) -> Result<Option<u32>, Unchosen> {
        let bound = workspace.and_then(|workspace| self.bound.get(&workspace).copied());
        let there: Vec<_> = self.slots.iter().filter(|slot| slot.connection.is_some()).collect();
        let names = || there.iter().map(|slot| self.name(slot)).collect();
        let Some(wanted) = wanted else {
            return match (bound, &there[..]) {
                (Some(bound), _) => Ok(Some(bound)),
                (None, []) => Ok(None),
                (None, [only]) => Ok(Some(only.number)),
                (None, _) => Err(Unchosen::Several(names())),
            };
        };
        let fits = |slot: &&Slot<T>| {
            (slot.connection.is_some() || bound == Some(slot.number))
                && self.name(slot).eq_ignore_ascii_case(wanted.trim())
        };
        let Some(slot) = self.slots.iter().find(fits) else {
            return if there.is_empty() { Ok(bound) } else { Err(Unchosen::Unknown(names())) };
        };
        let former = bound.filter(|bound| *bound != slot.number).and_then(|bound| self.slot(bound));
        match former.zip(workspace) {
            Some((former, workspace)) if former.tabs.owns_any(workspace) => {
                Err(Unchosen::Elsewhere(self.name(former)))
            }
            _ => Ok(Some(slot.number)),
        }
    }

    /// Makes the choice, and keeps it for as long as the workspace lives or asks for another one.
    pub(crate) fn bind(
        &mut self,
        workspace: WorkspaceNumber,
        wanted: Option<&str>,
    ) -> Result<Option<u32>, Unchosen> {
        let chosen = self.choice(Some(workspace), wanted)?;
        if let Some(slot) = chosen {
            self.bound.insert(workspace, slot);
        }
        Ok(chosen)
    }

    /// A name for results, once there is more than one browser to tell apart.
    pub(crate) fn label(&self, slot: u32) -> Option<String> {
        if self.slots.iter().filter(|slot| slot.connection.is_some()).count() < 2 {
            return None;
        }
        self.slot(slot).map(|slot| self.name(slot))
    }

    /// The browsers that are there beside this one.
    pub(crate) fn others(&self, slot: u32) -> Vec<String> {
        let others = self.slots.iter().filter(|other| other.number != slot);
        others.filter(|other| other.connection.is_some()).map(|other| self.name(other)).collect()
    }

    pub(super) fn name(&self, slot: &Slot<T>) -> String {
        let tag = |slot: &Slot<T>| slot.profile.chars().take(TAG).collect::<String>();
        let same = |other: &&Slot<T>| other.number != slot.number && tag(other) == tag(slot);
        let (name, number) = (&slot.browser.0, slot.number);
        match self.slots.iter().find(same) {
            None => format!("{name} {}", super::shown(&tag(slot))),
            Some(_) => format!("{name} {}-{number}", super::shown(&tag(slot))),
        }
    }
}
