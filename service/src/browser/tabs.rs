//! Which workspace owns which tab of one browser.

use crate::tab::TabEvent;
use crate::tab::record::TabRecord;
use crate::workspace::WorkspaceNumber;
use ghostlight_transport::browser_wire::{Doc, Tab};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) type SharedRecord = Rc<RefCell<TabRecord>>;

#[derive(Debug, Default)]
pub(crate) struct Tabs {
    owned: BTreeMap<i64, Owned>,
    /// Whose last tab here went, since somebody last asked.
    emptied: Vec<WorkspaceNumber>,
}

#[derive(Debug)]
struct Owned {
    workspace: WorkspaceNumber,
    record: SharedRecord,
}

/// The tab is another workspace's, and stays so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Foreign;

impl Tabs {
    pub(crate) fn adopt(
        &mut self,
        workspace: WorkspaceNumber,
        tab: &Tab,
        doc: Option<&Doc>,
    ) -> Result<(), Foreign> {
        let fresh =
            || Owned { workspace, record: Rc::new(RefCell::new(TabRecord::new(tab.tab_id))) };
        let owned = self.owned.entry(tab.tab_id).or_insert_with(fresh);
        if owned.workspace != workspace {
            return Err(Foreign);
        }
        owned.record.borrow_mut().describe(tab, doc);
        Ok(())
    }

    /// Unknown and foreign tabs alike give nothing.
    pub(crate) fn owned(&self, workspace: WorkspaceNumber, native: i64) -> Option<SharedRecord> {
        let owned = self.owned.get(&native)?;
        (owned.workspace == workspace).then(|| Rc::clone(&owned.record))
    }

    pub(crate) fn owner(&self, native: i64) -> Option<WorkspaceNumber> {
        self.owned.get(&native).map(|owned| owned.workspace)
    }

    pub(crate) fn record(&self, native: i64) -> Option<SharedRecord> {
        self.owned.get(&native).map(|owned| Rc::clone(&owned.record))
    }

    pub(crate) fn records(&self) -> impl Iterator<Item = &SharedRecord> {
        self.owned.values().map(|owned| &owned.record)
    }

    pub(crate) fn owns_any(&self, workspace: WorkspaceNumber) -> bool {
        self.owned.values().any(|owned| owned.workspace == workspace)
    }

    /// Whether it was anybody's.
    pub(crate) fn release(&mut self, native: i64) -> bool {
        let Some(owned) = self.owned.remove(&native) else { return false };
        owned.record.borrow_mut().happened(TabEvent::Gone);
        if !self.owns_any(owned.workspace) {
            self.emptied.push(owned.workspace);
        }
        true
    }

    /// Makes the workspace's tabs exactly `listed`, foreign ones left out. Gives the tabs that went.
    pub(crate) fn follow(
        &mut self,
        workspace: WorkspaceNumber,
        listed: &[(&Tab, Option<&Doc>)],
    ) -> Vec<i64> {
        let mut gone = self.natives(|owned| owned.workspace == workspace);
        for (tab, doc) in listed {
            if let Ok(at) = gone.binary_search(&tab.tab_id) {
                gone.remove(at);
            }
            let _ = self.adopt(workspace, tab, *doc);
        }
        self.release_all(gone)
    }

    pub(crate) fn end(&mut self, workspace: WorkspaceNumber) -> Vec<i64> {
        let gone = self.natives(|owned| owned.workspace == workspace);
        self.release_all(gone)
    }

    /// Earlier ids mean nothing any more.
    pub(crate) fn purge(&mut self) -> Vec<i64> {
        let gone = self.natives(|_| true);
        self.release_all(gone)
    }

    pub(crate) fn take_emptied(&mut self) -> Vec<WorkspaceNumber> {
        std::mem::take(&mut self.emptied)
    }

    pub(crate) fn len(&self) -> usize {
        self.owned.len()
    }

    /// In order.
    fn natives(&self, goes: impl Fn(&Owned) -> bool) -> Vec<i64> {
        let gone = self.owned.iter().filter(|(_, owned)| goes(owned));
        gone.map(|(native, _)| *native).collect()
    }

    fn release_all(&mut self, gone: Vec<i64>) -> Vec<i64> {
        for native in &gone {
            self.release(*native);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: WorkspaceNumber = WorkspaceNumber(1);
    const TWO: WorkspaceNumber = WorkspaceNumber(2);

    fn tab(native: i64) -> Tab {
        Tab { tab_id: native, ..Tab::default() }
    }

    #[test]
    fn a_tab_has_one_owner_and_others_do_not_see_it() {
        let mut tabs = Tabs::default();
        tabs.adopt(ONE, &tab(7), None).unwrap();
        assert_eq!(tabs.adopt(TWO, &tab(7), None), Err(Foreign));
        assert!(tabs.owned(ONE, 7).is_some());
        assert!(tabs.owned(TWO, 7).is_none() && tabs.owned(ONE, 8).is_none());
    }

    #[test]
    fn adopting_again_keeps_memory_and_journal() {
        let mut tabs = Tabs::default();
        tabs.adopt(ONE, &tab(7), None).unwrap();
        let before = tabs.owned(ONE, 7).unwrap();
        tabs.adopt(ONE, &tab(7), None).unwrap();
        assert!(Rc::ptr_eq(&before, &tabs.owned(ONE, 7).unwrap()));
    }

    #[test]
    fn following_a_list_releases_what_is_missing_and_takes_nothing_from_others() {
        let mut tabs = Tabs::default();
        for native in [1, 2] {
            tabs.adopt(ONE, &tab(native), None).unwrap();
        }
        tabs.adopt(TWO, &tab(3), None).unwrap();
        let record = tabs.owned(ONE, 1).unwrap();
        let listed = [tab(2), tab(3), tab(4)];
        let listed: Vec<_> = listed.iter().map(|tab| (tab, None)).collect();
        assert_eq!(tabs.follow(ONE, &listed), [1]);
        assert!(record.borrow().is_gone());
        assert_eq!(tabs.owner(3), Some(TWO));
        assert!(tabs.owned(ONE, 4).is_some());
        assert_eq!(tabs.end(ONE), [2, 4]);
        assert_eq!(tabs.purge(), [3]);
        assert_eq!(tabs.len(), 0);
    }
}
