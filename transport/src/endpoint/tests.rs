//! Tests of the endpoint module.

use super::*;
use futures_lite::future::zip;
use std::path::Path;

struct World {
    home: tempfile::TempDir,
    place: Place,
    lock: ServiceLock,
    key: Key,
}

fn world_in(name: &str) -> World {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let place = Place::for_test(&path, "default");
    let lock = ServiceLock::try_acquire(&place).unwrap().unwrap();
    let key = Key::mint(&place, &lock).unwrap();
    World { home, place, lock, key }
}

fn world() -> World {
    world_in("state")
}

impl World {
    fn listen(&self, endpoint: Endpoint) -> Listener {
        Listener::bind(&self.place, &self.lock, endpoint).unwrap()
    }

    fn client_place(&self) -> Place {
        Place::for_test(self.place.path(), "default")
    }
}

async fn admit(listener: &Listener, key: &Key) -> Result<(Link, Admitted), AdmissionError> {
    listener.accept().await.unwrap().admit(key, standing).await
}

#[test]
fn both_endpoints_admit_and_carry_frames_both_ways() {
    for role in [Role::Edge, Role::Control, Role::Browser] {
        let world = world();
        let listener = world.listen(role.endpoint());
        async_io::block_on(async {
            let (here, there) =
                zip(connect(&world.place, role), admit(&listener, &world.key)).await;
            let (mut here, (mut there, admitted)) = (here.unwrap(), there.unwrap());
            assert_eq!(admitted.role, role);
            // Longer than a hello may be, and than a socket buffer holds.
            let long = vec![b'x'; 3 << 20];
            let (sent, got) = zip(here.writer.send(&long), there.reader.next()).await;
            sent.unwrap();
            assert_eq!(got.unwrap().unwrap(), long);
            there.writer.send(b"{}").await.unwrap();
            assert_eq!(here.reader.next().await.unwrap().unwrap(), b"{}");
            drop(there);
            assert!(here.reader.next().await.unwrap().is_none());
        });
    }
}

#[test]
fn a_deep_directory_works_and_the_sockets_are_the_owners_alone() {
    use std::os::unix::fs::MetadataExt as _;
    let deep = ["a-long-directory-name"; 12].join("/");
    let world = world_in(&deep);
    let listener = world.listen(Endpoint::Edge);
    let file = world.place.path().join("edge.sock");
    assert!(file.as_os_str().len() > SOCKET_PATH_BYTES);
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o7777, 0o600);
    async_io::block_on(async {
        let (here, there) =
            zip(connect(&world.place, Role::Edge), admit(&listener, &world.key)).await;
        assert!(here.is_ok() && there.is_ok());
    });
}

#[test]
fn without_proc_a_long_path_is_an_error_with_both_numbers() {
    let path = Path::new("/").join("d".repeat(200));
    let error = fitting(path).unwrap_err().to_string();
    assert!(error.contains("201 bytes") && error.contains("107"), "{error}");
    assert!(fitting("/short".into()).is_ok());
}

#[test]
fn a_peer_of_another_user_is_refused_on_both_sides_before_a_byte() {
    for role in [Role::Edge, Role::Browser] {
        let world = world();
        let listener = world.listen(role.endpoint());
        let uid = world.place.uid();
        async_io::block_on(async {
            let strange = world.client_place().expecting(uid + 1);
            let error = connect(&strange, role).await.unwrap_err();
            assert!(matches!(error, ConnectError::Stranger(Stranger { uid: Some(u) }) if u == uid));
            assert!(!error.worth_retrying());
            let mut silent = listener.accept().await.unwrap().stream;
            let mut byte = [0];
            let read = futures_lite::io::AsyncReadExt::read(&mut silent, &mut byte).await.unwrap();
            assert_eq!(read, 0, "the client wrote nothing");

            let mut client = dial(&world.place, role.endpoint()).await.unwrap();
            let mut arrival = listener.accept().await.unwrap();
            arrival.uid = uid + 1;
            let error = arrival.admit(&world.key, standing).await.unwrap_err();
            assert!(matches!(error, AdmissionError::Stranger(_)), "{error}");
            let read = futures_lite::io::AsyncReadExt::read(&mut client, &mut byte).await.unwrap();
            assert_eq!(read, 0, "the service wrote nothing");
        });
    }
}

#[test]
fn no_socket_and_a_dead_socket_both_mean_no_service() {
    let world = world();
    async_io::block_on(async {
        let absent = connect(&world.place, Role::Edge).await.unwrap_err();
        drop(world.listen(Endpoint::Edge));
        let dead = connect(&world.place, Role::Edge).await.unwrap_err();
        for error in [absent, dead] {
            assert!(matches!(error, ConnectError::NoService), "{error}");
        }
        let listener = world.listen(Endpoint::Edge);
        let (link, _) = zip(connect(&world.place, Role::Edge), admit(&listener, &world.key)).await;
        assert!(link.is_ok(), "bound over what the dead one left");
        listener.close(&world.place, &world.lock);
        assert!(!world.place.path().join("edge.sock").exists());
    });
}

#[test]
fn a_service_whose_queue_is_full_may_be_tried_again() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    rustix::net::listen(&listener.socket, 0).unwrap();
    async_io::block_on(async {
        let first = dial(&world.place, Endpoint::Edge).await;
        assert!(first.is_ok());
        let error = connect(&world.place, Role::Edge).await.unwrap_err();
        assert!(error.worth_retrying(), "{error}");
        assert!(matches!(error, ConnectError::Io(_)), "{error}");
    });
}

#[test]
fn what_cannot_be_unlinked_is_named() {
    let world = world();
    std::fs::create_dir(world.place.path().join("edge.sock")).unwrap();
    let error = Listener::bind(&world.place, &world.lock, Endpoint::Edge).unwrap_err().to_string();
    assert!(error.contains("edge.sock is in the way") && error.contains("remove it"), "{error}");
}

#[test]
fn a_directory_that_is_no_longer_ours_is_not_bound_nor_cleaned() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    std::fs::rename(world.place.path(), world.home.path().join("moved")).unwrap();
    assert!(Listener::bind(&world.place, &world.lock, Endpoint::Browser).is_err());
    let next = world.client_place();
    let lock = ServiceLock::try_acquire(&next).unwrap().unwrap();
    let _successor = Listener::bind(&next, &lock, Endpoint::Edge).unwrap();
    listener.close(&world.place, &world.lock);
    assert!(next.path().join("edge.sock").exists());
    assert!(world.home.path().join("moved/edge.sock").exists());
}

#[test]
fn a_squatter_without_the_key_is_not_believed() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    let squatter = Key::from_entropy([7; 32]);
    async_io::block_on(async {
        let serve = async {
            for _ in 0..2 {
                let error = admit(&listener, &squatter).await.unwrap_err();
                assert!(matches!(error, AdmissionError::Io(_)), "{error}");
            }
        };
        let (link, ()) = zip(connect(&world.place, Role::Edge), serve).await;
        assert!(matches!(link.unwrap_err(), ConnectError::Proof));
    });
}

#[test]
fn a_key_replaced_between_connect_and_proof_costs_one_more_attempt() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    async_io::block_on(async {
        let serve = async {
            let stale = Key::from_entropy([7; 32]);
            assert!(admit(&listener, &stale).await.is_err());
            admit(&listener, &world.key).await.unwrap()
        };
        let (link, _) = zip(connect(&world.place, Role::Edge), serve).await;
        assert!(link.is_ok());
    });
}

/// Writes raw bytes as a stranger to the protocol would and returns what the service made of it.
async fn raw(listener: &Listener, world: &World, bytes: &[u8]) -> AdmissionError {
    let client = dial(&world.place, Endpoint::Edge).await.unwrap();
    std::io::Write::write_all(&mut client.get_ref(), bytes).unwrap();
    admit(listener, &world.key).await.unwrap_err()
}

#[test]
fn an_oversize_or_malformed_first_frame_is_refused() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    async_io::block_on(async {
        let oversize = raw(&listener, &world, &(HELLO_BYTES as u32 + 1).to_ne_bytes()).await;
        let AdmissionError::Io(error) = oversize else { panic!("{oversize}") };
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let junk = raw(&listener, &world, &[&2_u32.to_ne_bytes()[..], b"{}"].concat()).await;
        assert!(matches!(junk, AdmissionError::Unproved(Unproved::Malformed)), "{junk}");
    });
}

#[test]
fn a_peer_that_says_nothing_is_dropped_at_the_deadline() {
    let world = world();
    let listener = world.listen(Endpoint::Edge);
    async_io::block_on(async {
        let begun = std::time::Instant::now();
        let error = raw(&listener, &world, b"\x10\0").await;
        let AdmissionError::Io(error) = error else { panic!("{error}") };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= HELLO_DEADLINE);
    });
}

#[test]
fn a_peer_that_is_turned_away_learns_why() {
    type Expected = fn(&ConnectError) -> bool;
    let cases: [(Reason, Expected); 3] = [
        (Reason::NewerService, |e| matches!(e, ConnectError::NewerService)),
        (Reason::Draining, |e| matches!(e, ConnectError::Draining)),
        (Reason::Busy, |e| matches!(e, ConnectError::Refused(Reason::Busy))),
    ];
    for (reason, expected) in cases {
        let world = world();
        let listener = world.listen(Endpoint::Edge);
        async_io::block_on(async {
            let serve = async {
                let arrival = listener.accept().await.unwrap();
                arrival.admit(&world.key, |_| Err(reason)).await.unwrap_err()
            };
            let (link, turned) = zip(connect(&world.place, Role::Edge), serve).await;
            assert!(matches!(turned, AdmissionError::TurnedAway(_, r) if r == reason));
            let error = link.unwrap_err();
            assert!(expected(&error), "{error}");
            assert_eq!(error.worth_retrying(), reason != Reason::NewerService);
        });
    }
}

#[test]
fn bridge_versions_decide_who_makes_room() {
    let peer = |major| Admitted { role: Role::Edge, peer_bridge: (major, 9) };
    assert_eq!(standing(&peer(BRIDGE.0)), Ok(()));
    assert_eq!(standing(&peer(BRIDGE.0 + 1)), Err(Reason::Draining));
    assert_eq!(standing(&peer(BRIDGE.0 - 1)), Err(Reason::NewerService));
}
