//! Between several browsers nothing is guessed, and what was chosen stays.

use super::*;

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_workspace_stays_with_its_browser_until_it_asks_for_another() {
    let mut world = World::with_tab();
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(1)));
    world.hello(2, "q", json!({}));
    let both = || names(&["B p", "B q"]);
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(1)), "chosen before");
    assert_eq!(world.routes.bind(TWO, None), Err(Unchosen::Several(both())));
    assert_eq!(world.routes.bind(TWO, Some("b Q ")), Ok(Some(2)));
    assert_eq!(world.routes.bind(TWO, None), Ok(Some(2)));
    assert_eq!(world.routes.bind(ONE, Some("B x")), Err(Unchosen::Unknown(both())));
    assert_eq!(world.routes.bind(ONE, Some("B q")), Err(Unchosen::Elsewhere("B p".into())));
    assert_eq!(
        (world.routes.label(1), world.routes.others(1)),
        (Some("B p".into()), names(&["B q"]))
    );
    world.routes.detached(1);
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(1)), "it comes back");
    world.hello(3, "p", json!({}));
    world.routes.detached(3);
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(1)), "nobody said to take another");
    assert_eq!(world.routes.bind(ONE, Some("B q")), Ok(Some(2)));
    assert_eq!(world.routes.label(2), None);
}

#[test]
fn without_any_browser_nothing_is_chosen_and_the_only_one_is() {
    let mut world = World::new();
    for wanted in [None, Some("B p")] {
        assert_eq!(world.routes.bind(ONE, wanted), Ok(None));
    }
    world.hello(1, "p", json!({}));
    assert_eq!(world.routes.choice(None, None), Ok(Some(1)));
    assert_eq!(world.routes.choice(None, Some("B q")), Err(Unchosen::Unknown(names(&["B p"]))));
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(1)));
}

#[test]
fn two_profiles_never_have_one_name() {
    let mut world = World::new();
    world.hello(1, "abcd-1", json!({}));
    world.hello(2, "abcd-2", json!({}));
    world.hello(3, "efgh-3", json!({}));
    let Err(Unchosen::Several(all)) = world.routes.bind(ONE, None) else { panic!("several") };
    assert_eq!(all, ["B abcd-1", "B abcd-2", "B efgh"]);
}
