//! Tests of the place module.

use super::*;
use std::fs::{create_dir, metadata, set_permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt, symlink};

fn mode(path: &Path) -> u32 {
    metadata(path).unwrap().mode() & 0o7777
}

fn chmod(path: &Path, mode: u32) {
    set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn open(home: &Path) -> Result<Place, PlaceError> {
    let path = home.join(".local/state/ghostlight/default");
    Place::open_at(path, &Instance::default(), own_uid().unwrap(), 4)
}

#[test]
fn missing_directories_are_made_for_the_owner_alone() {
    let home = tempfile::tempdir().unwrap();
    let place = open(home.path()).unwrap();
    assert!(place.still_there());
    for name in [".local/state/ghostlight", ".local/state/ghostlight/default"] {
        assert_eq!(mode(&home.path().join(name)), 0o700, "{name}");
    }
}

#[test]
fn a_directory_open_to_others_is_refused_with_its_remedy() {
    for (name, bad, remedy) in [
        (".local/state/ghostlight/default", 0o755, "chmod u=rwX,go="),
        (".local/state/ghostlight/default", 0o710, "chmod u=rwX,go="),
        (".local/state/ghostlight", 0o770, "chmod u=rwX,go="),
        (".local/state", 0o757, "chmod o-w"),
        (".local", 0o777, "chmod o-w"),
        ("", 0o777, "chmod o-w"),
    ] {
        let home = tempfile::tempdir().unwrap();
        drop(open(home.path()).unwrap());
        let path = home.path().join(name).components().collect::<PathBuf>();
        chmod(&path, bad);
        let error = open(home.path()).unwrap_err().to_string();
        for part in [remedy, path.to_str().unwrap(), &format!("{bad:04o}"), "owner uid"] {
            assert!(error.contains(part), "{error} lacks {part}");
        }
    }
}

#[test]
fn a_parent_that_a_group_shares_is_no_danger() {
    let home = tempfile::tempdir().unwrap();
    drop(open(home.path()).unwrap());
    chmod(&home.path().join(".local"), 0o775);
    assert!(open(home.path()).is_ok());
}

#[test]
fn a_link_is_not_followed_and_a_file_is_no_directory() {
    for name in [".local", ".local/state", ".local/state/ghostlight/default"] {
        for link in [true, false] {
            let home = tempfile::tempdir().unwrap();
            let elsewhere = tempfile::tempdir().unwrap();
            let path = home.path().join(name);
            let parent = path.parent().unwrap();
            if name.ends_with("default") {
                drop(open(home.path()).unwrap());
                std::fs::remove_dir(&path).unwrap();
            } else {
                std::fs::create_dir_all(parent).unwrap();
            }
            if link {
                symlink(elsewhere.path(), &path).unwrap();
            } else {
                std::fs::write(&path, "").unwrap();
            }
            let error = open(home.path()).unwrap_err();
            assert!(
                matches!(&error, PlaceError::NotADirectory { path: at, .. } if *at == path),
                "{name}"
            );
            assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_directory_of_another_owner_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("state");
    create_dir(&path).unwrap();
    chmod(&path, 0o700);
    let stranger = own_uid().unwrap() + 1;
    let error = Place::open_at(path, &Instance::default(), stranger, 1).unwrap_err().to_string();
    assert!(error.contains(&format!("has to belong to uid {stranger}")), "{error}");
}

#[test]
fn a_replaced_directory_is_noticed() {
    let home = tempfile::tempdir().unwrap();
    let place = open(home.path()).unwrap();
    std::fs::rename(place.path(), home.path().join("old")).unwrap();
    assert!(!place.still_there());
    let next = open(home.path()).unwrap();
    assert!(next.still_there() && !place.still_there());
}

#[test]
fn files_must_be_regular_ours_and_closed() {
    let home = tempfile::tempdir().unwrap();
    let place = open(home.path()).unwrap();
    let path = place.path().join("file");
    let flags = OFlags::RDONLY;
    assert!(matches!(place.open_file("file", flags), Err(PlaceError::Io { .. })));
    std::fs::write(&path, "x").unwrap();
    chmod(&path, 0o644);
    assert!(matches!(place.open_file("file", flags), Err(PlaceError::Unsafe { .. })));
    chmod(&path, 0o600);
    assert!(place.open_file("file", flags).is_ok());
    let stranger = own_uid().unwrap() + 1;
    let place = place.expecting(stranger);
    assert!(matches!(place.open_file("file", flags), Err(PlaceError::Unsafe { .. })));
    symlink(&path, place.path().join("link")).unwrap();
    assert!(matches!(place.open_file("link", flags), Err(PlaceError::NotAFile { .. })));
}

#[test]
fn what_leads_to_another_file_is_not_opened_and_not_changed() {
    let home = tempfile::tempdir().unwrap();
    let place = open(home.path()).unwrap();
    let victim = home.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    chmod(&victim, 0o600);
    let at = |name: &str| place.path().join(name);
    symlink(&victim, at("link")).unwrap();
    symlink(home.path().join("nowhere"), at("dangling")).unwrap();
    std::fs::hard_link(&victim, at("second-name")).unwrap();
    create_dir(at("directory")).unwrap();
    rustix::fs::mkfifoat(CWD, at("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    for name in ["link", "dangling", "second-name", "directory", "pipe", "socket"] {
        for flags in [OFlags::RDWR | OFlags::CREATE, OFlags::WRONLY | OFlags::APPEND] {
            let error = place.open_file(name, flags).unwrap_err();
            assert!(matches!(&error, PlaceError::NotAFile { .. }), "{name}: {error}");
            assert!(error.to_string().contains("remove it"), "{error}");
        }
    }
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
    assert!(!home.path().join("nowhere").exists());
}

#[test]
fn a_directory_that_we_may_not_enter_is_told_with_owner_and_mode() {
    if own_uid() == Ok(0) {
        // Root may enter: tests/attack has this row with users of its own.
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let path = open(home.path()).unwrap().path().to_owned();
    chmod(&path, 0o000);
    let error = open(home.path()).unwrap_err().to_string();
    chmod(&path, 0o700);
    assert!(error.contains("mode 0000") && error.contains("chmod u=rwX"), "{error}");
}
