//! The committed seeds as an ordinary test: each, each of its beginnings, and each with one bit turned.

use std::path::Path;

pub(crate) fn check(target: &str, holds: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus").join(target);
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of seeds") {
        let seed = std::fs::read(entry.expect("an entry").path()).expect("a seed");
        holds(&seed);
        for at in 0..seed.len().min(512) {
            holds(&seed[..at]);
            let mut turned = seed.clone();
            turned[at] ^= 1 << (at % 8);
            holds(&turned);
        }
        seeds += 1;
    }
    assert!(seeds > 1, "no seeds for {target}");
}
