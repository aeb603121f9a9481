//! A tab whose browser is a closure, for the tests of tools.

use super::record::TabRecord;
use super::{OwnedTab, RequestFault, TabEvent, composite};
use crate::tool::{Call, Failure, Part, Target, Tool};
use crate::topology::{Group, Topology};
use crate::wire::{Answer, Request, Wire};
use crate::work::{CancelToken, Work};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

type Respond = dyn FnMut(&str, &Value, bool) -> Result<Value, RequestFault>;

/// A browser that answers each request at once: method, parameters, whether it is an effect.
pub(crate) struct Scripted {
    respond: RefCell<Box<Respond>>,
    tabs: RefCell<BTreeMap<i64, Rc<RefCell<TabRecord>>>>,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scripted")
    }
}

impl Wire for Scripted {
    fn request(&self, request: Request) -> Answer {
        let params = serde_json::from_str(request.params.get()).unwrap();
        let answer = (self.respond.borrow_mut())(request.method, &params, request.effect);
        if let Ok(value) = &answer
            && request.method == "tab.open"
        {
            self.record(value["tab"]["tabId"].as_i64().unwrap());
        }
        let answer = answer.map(|value| serde_json::value::to_raw_value(&value).unwrap());
        Box::pin(async { answer })
    }

    fn slot(&self) -> u32 {
        1
    }

    fn owned(&self, native: i64) -> Option<Rc<RefCell<TabRecord>>> {
        self.tabs.borrow().get(&native).cloned()
    }

    fn malformed(&self) {}
}

impl Scripted {
    pub(crate) fn new(
        respond: impl FnMut(&str, &Value, bool) -> Result<Value, RequestFault> + 'static,
    ) -> Rc<Self> {
        Rc::new(Self { respond: RefCell::new(Box::new(respond)), tabs: RefCell::default() })
    }

    fn record(&self, native: i64) -> Rc<RefCell<TabRecord>> {
        let fresh = || Rc::new(RefCell::new(TabRecord::new(native)));
        Rc::clone(self.tabs.borrow_mut().entry(native).or_insert_with(fresh))
    }

    /// The tab `native` in slot 1; the same memory and journal each time.
    pub(crate) fn tab(self: &Rc<Self>, native: i64) -> OwnedTab {
        OwnedTab::new(Rc::clone(self) as Rc<dyn Wire>, work(), self.record(native))
    }

    /// Something happens to the tab; may be called from within the closure.
    pub(crate) fn event(&self, native: i64, event: TabEvent) {
        self.record(native).borrow_mut().happened(event);
    }

    pub(crate) fn topology(self: &Rc<Self>) -> Topology {
        let group = Group { title: "Ghostlight".into(), color: "blue".into() };
        Topology::new(Rc::clone(self) as Rc<dyn Wire>, work(), group, (1, None))
    }
}

/// Our words and the page's of what a tool that reads a tab answers.
pub(crate) fn told(
    tool: &Tool,
    tab: OwnedTab,
    arguments: Value,
) -> Result<(String, String), Failure> {
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let reply = async_io::block_on((tool.run)(Call { arguments, target: Target::Tab(tab) }))?;
    let mut texts = reply.parts.into_iter().map(|part| match part {
        Part::Own(text) | Part::Page { text, .. } => text,
        Part::Image { .. } => panic!("an image"),
    });
    Ok((texts.next().unwrap(), texts.next().unwrap_or_default()))
}

fn work() -> Rc<Work> {
    let deadline = Instant::now() + Duration::from_secs(5);
    Rc::new(Work::new(CancelToken::default(), deadline, None))
}

#[test]
fn a_scripted_tab_answers_and_journals() {
    let browser = Scripted::new(|method, params, effect| {
        assert_eq!((method, effect), ("frames", false));
        Ok(params.clone())
    });
    let tab = browser.tab(7);
    assert_eq!(tab.id(), composite(1, 7));
    let mark = tab.mark();
    browser.event(7, TabEvent::Download);
    async_io::block_on(async {
        let value: Value =
            tab.read("frames", serde_json::json!({}), Duration::from_secs(1)).await.unwrap();
        assert_eq!(value, serde_json::json!({ "tabId": 7 }));
        let soon = Instant::now() + Duration::from_secs(5);
        assert!(matches!(tab.next_event(mark, soon).await, Some((TabEvent::Download, 1))));
        assert!(tab.next_event(1, Instant::now()).await.is_none());
    });
}
