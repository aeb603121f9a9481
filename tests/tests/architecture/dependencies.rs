//! Crate arrows, shipped executables and the runtime dependency list.

use crate::check;
use crate::source::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Who may depend on whom among our crates.
const ARROWS: &[(&str, &[&str])] = &[
    ("ghostlight-handle", &[]),
    ("ghostlight-transport", &["ghostlight-handle"]),
    ("ghostlight-mcp-connector", &["ghostlight-transport"]),
    ("ghostlight", &["ghostlight-transport"]),
    ("ghostlight-browser-connector", &["ghostlight-transport"]),
    ("ghostlight-tests", &["ghostlight-transport"]),
];

/// Packages in the normal graph of the three executables, ours not counted.
const PACKAGES: usize = 52;

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--filter-platform",
            "x86_64-unknown-linux-gnu",
        ])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn ours(metadata: &Value) -> Vec<&Value> {
    let all = metadata["packages"].as_array().expect("packages");
    all.iter().filter(|package| package["source"].is_null()).collect()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a name")
}

fn normal(package: &Value) -> impl Iterator<Item = &str> {
    let all = package["dependencies"].as_array().expect("dependencies");
    all.iter().filter(|dependency| dependency["kind"].is_null()).map(name)
}

#[test]
fn arrows_point_from_executables_to_the_handle() {
    let metadata = metadata();
    let names: BTreeSet<_> = ours(&metadata).into_iter().map(name).collect();
    assert_eq!(names, ARROWS.iter().map(|(name, _)| *name).collect());
    let mut findings = Vec::new();
    for package in ours(&metadata) {
        let (_, allowed) =
            ARROWS.iter().find(|(crate_name, _)| *crate_name == name(package)).expect("listed");
        for dependency in normal(package).filter(|dependency| names.contains(dependency)) {
            if !allowed.contains(&dependency) {
                findings.push(format!("{} -> {dependency}", name(package)));
            }
        }
    }
    check("edge, service, browser -> transport -> handle", findings);
}

#[test]
fn the_handle_crate_stays_a_leaf() {
    let metadata = metadata();
    let handle = ours(&metadata).into_iter().find(|package| name(package) == "ghostlight-handle");
    let found: BTreeSet<_> = normal(handle.expect("the crate")).collect();
    assert_eq!(found, BTreeSet::from(["serde", "subtle"]));
}

#[test]
fn three_executables_are_shipped() {
    let metadata = metadata();
    let mut shipped = Vec::new();
    for package in ours(&metadata).into_iter().filter(|package| name(package) != "ghostlight-tests")
    {
        for target in package["targets"].as_array().expect("targets") {
            if target["kind"].as_array().expect("kinds").iter().any(|kind| kind == "bin") {
                shipped.push(name(target));
            }
        }
    }
    shipped.sort_unstable();
    assert_eq!(shipped, ["ghostlight", "ghostlight-browser-connector", "ghostlight-mcp-connector"]);
}

/// Names and versions reachable from the executables over normal edges.
fn runtime(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let mut open: Vec<String> = Vec::new();
    for package in ours(metadata) {
        if name(package) != "ghostlight-tests" {
            open.push(package["id"].as_str().expect("an id").to_owned());
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id.as_str()).expect("a node");
        for dependency in node["deps"].as_array().expect("deps") {
            let kinds = dependency["dep_kinds"].as_array().expect("kinds");
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                open.push(dependency["pkg"].as_str().expect("an id").to_owned());
            }
        }
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("packages") {
        if !package["source"].is_null() && seen.contains(package["id"].as_str().expect("an id")) {
            let version = package["version"].as_str().expect("a version").to_owned();
            found.entry(name(package).to_owned()).or_default().insert(version);
        }
    }
    found
}

#[test]
fn the_runtime_graph_is_small_and_single() {
    let found = runtime(&metadata());
    assert!(found.len() > 10, "the graph was not read");
    assert!(
        found.len() <= PACKAGES,
        "{} packages, at most {PACKAGES}: {:?}",
        found.len(),
        found.keys()
    );
    let twice = found.iter().filter(|(_, versions)| versions.len() > 1);
    check(
        "one version of each crate",
        twice.map(|(name, versions)| format!("{name} {versions:?}")),
    );
}

#[test]
fn every_runtime_crate_has_its_reason() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let listed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .map(str::to_owned)
        .collect();
    let found: BTreeSet<String> = runtime(&metadata()).into_keys().collect();
    check(
        "each runtime crate stands in SECURITY.md with its reason",
        found.difference(&listed).cloned(),
    );
    check("SECURITY.md lists no crate that is gone", listed.difference(&found).cloned());
}
