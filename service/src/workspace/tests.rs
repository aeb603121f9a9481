//! Lifetimes, bounds and what is told of them.

use super::*;

const IDLE: Duration = Duration::from_secs(100);
const EMPTY: Duration = Duration::from_secs(10);
const SECOND: Duration = Duration::from_secs(1);

struct World {
    registry: Registry,
    minted: u8,
    now: Instant,
}

impl World {
    fn new() -> Self {
        Self { registry: Registry::new(IDLE, EMPTY), minted: 0, now: Instant::now() }
    }
    fn mint(&mut self, stream: StreamNumber) -> Result<(WorkspaceId, WorkspaceNumber), Full> {
        self.minted += 1;
        self.now += SECOND;
        self.registry.mint([self.minted; 16], stream, self.now)
    }
    fn call(&mut self, number: WorkspaceNumber) {
        self.registry.begin(number, self.now);
        self.registry.end(number, self.now);
    }
    fn finds(&mut self, id: &WorkspaceId) -> bool {
        self.registry.find(id, self.now).is_some()
    }
}

#[test]
fn an_idle_workspace_ends_after_its_time_and_not_before() {
    let mut world = World::new();
    let (id, number) = world.mint(1).unwrap();
    world.call(number);
    assert_eq!(world.registry.deadline(), Some(world.now + IDLE));
    world.now += IDLE - SECOND;
    assert!(world.finds(&id));
    world.now += SECOND;
    assert!(!world.finds(&id));
    assert_eq!(world.registry.take_ended(), [number]);
    assert_eq!(world.registry.deadline(), None);
}

#[test]
fn active_work_pins_a_workspace_and_its_end_starts_the_clock() {
    let mut world = World::new();
    let (id, number) = world.mint(1).unwrap();
    world.registry.begin(number, world.now);
    world.now += IDLE * 10;
    assert!(world.finds(&id));
    world.registry.end(number, world.now);
    world.now += IDLE - SECOND;
    assert!(world.finds(&id));
}

#[test]
fn an_attached_stream_keeps_its_workspace_and_an_unclean_loss_starts_the_clock() {
    let mut world = World::new();
    let (id, _) = world.mint(1).unwrap();
    assert!(world.registry.attach(&id, 1, world.now));
    world.now += IDLE * 10;
    assert!(world.finds(&id));
    world.registry.detach(1, world.now);
    world.now += IDLE - SECOND;
    assert!(world.registry.attach(&id, 2, world.now), "taken up again by the next stream");
    world.now += IDLE * 10;
    assert!(world.finds(&id));
}

#[test]
fn a_released_workspace_is_unknown_at_once_but_ends_with_its_last_call() {
    let mut world = World::new();
    let (id, number) = world.mint(1).unwrap();
    world.registry.begin(number, world.now);
    world.registry.release(&id);
    assert!(!world.finds(&id) && !world.registry.attach(&id, 1, world.now));
    assert!(world.registry.alive(number));
    world.registry.end(number, world.now);
    assert!(!world.registry.alive(number));
    assert_eq!(world.registry.take_ended(), [number]);
}

#[test]
fn a_workspace_that_lost_its_last_tab_ends_early_unless_it_is_used_or_attached() {
    let mut world = World::new();
    let (lost, number) = world.mint(1).unwrap();
    let (used, again) = world.mint(1).unwrap();
    let (attached, kept) = world.mint(1).unwrap();
    assert!(world.registry.attach(&attached, 1, world.now));
    for number in [number, again, kept] {
        world.registry.begin(number, world.now);
        world.registry.emptied(number, world.now);
        world.registry.end(number, world.now);
    }
    world.call(again);
    assert_eq!(world.registry.deadline(), Some(world.now + EMPTY));
    world.now += EMPTY - SECOND;
    assert!(world.finds(&lost));
    world.now += SECOND;
    assert!(!world.finds(&lost));
    assert!(world.finds(&used) && world.finds(&attached));
    // Closing a tab is no use: it never makes a workspace live longer.
    world.now += IDLE - EMPTY - SECOND;
    world.registry.emptied(again, world.now);
    world.now += SECOND;
    assert!(!world.finds(&used));
}

#[test]
fn a_workspace_that_has_a_tab_again_has_its_whole_time() {
    let mut world = World::new();
    let (id, number) = world.mint(1).unwrap();
    world.call(number);
    world.registry.emptied(number, world.now);
    world.registry.filled(number);
    assert_eq!(world.registry.deadline(), Some(world.now + IDLE));
    world.now += EMPTY;
    assert!(world.finds(&id));
}

#[test]
fn what_lost_its_tabs_makes_room_for_others() {
    let mut world = World::new();
    let minted: Vec<_> = (0..WORKSPACES_PER_STREAM).map(|_| world.mint(1).unwrap()).collect();
    for (_, number) in &minted {
        world.call(*number);
        world.call(*number);
    }
    assert_eq!(world.mint(1).unwrap_err(), Full::Stream);
    world.registry.emptied(minted[3].1, world.now);
    assert!(world.mint(1).is_ok());
    assert!(!world.finds(&minted[3].0) && world.finds(&minted[4].0));
}

#[test]
fn one_stream_cannot_take_the_room_of_all() {
    let mut world = World::new();
    let mut kept = Vec::new();
    for _ in 0..WORKSPACES_PER_STREAM {
        let (id, number) = world.mint(1).unwrap();
        world.call(number);
        world.call(number);
        kept.push(id);
    }
    assert_eq!(world.mint(1).unwrap_err(), Full::Stream);
    assert!(world.mint(2).is_ok());
    assert!(kept.iter().all(|id| world.registry.find(id, world.now).is_some()));
}

#[test]
fn room_is_made_by_the_oldest_that_was_never_used_again() {
    let mut world = World::new();
    let minted: Vec<_> = (0..WORKSPACES_PER_STREAM).map(|_| world.mint(1).unwrap()).collect();
    world.call(minted[0].1);
    world.call(minted[0].1);
    world.registry.begin(minted[1].1, world.now);
    world.mint(1).unwrap();
    let lives: Vec<_> = minted.iter().map(|(id, _)| id.clone()).collect();
    let lives: Vec<_> = lives.iter().map(|id| world.finds(id)).collect();
    assert_eq!(lives[..4], [true, true, false, true]);
}

#[test]
fn the_service_refuses_beyond_its_own_bound() {
    let mut world = World::new();
    for stream in 0..WORKSPACES as u64 {
        let (_, number) = world.mint(stream).unwrap();
        world.registry.begin(number, world.now);
    }
    assert_eq!(world.mint(1000).unwrap_err(), Full::Service);
}

#[test]
fn no_digit_of_a_handle_shows_in_the_registry_printed() {
    let mut world = World::new();
    world.minted = 0xab - 1;
    world.mint(1).unwrap();
    let text = format!("{:?}", world.registry);
    assert!(!text.contains("abab"), "{text}");
}

#[test]
fn a_picture_of_another_workspace_is_as_unknown_as_one_that_never_was() {
    use crate::images::Image;
    use ghostlight_transport::handle::ImageId;
    let mut world = World::new();
    let (_, own) = world.mint(1).unwrap();
    let (_, other) = world.mint(2).unwrap();
    let id = |digit: u8| ImageId::from_entropy([digit; 16]);
    let image = || Image { mime: "image/jpeg".into(), data: "x".into() };
    world.registry.images(other).borrow_mut().keep(id(7), image());
    for asked in [id(7), id(8)] {
        assert_eq!(world.registry.images(own).borrow().find(&asked), None);
    }
    assert!(world.registry.images(other).borrow().find(&id(7)).is_some());
}
