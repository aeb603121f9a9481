//! The extensions that may start our native messaging host.

/// Ids of the extension's builds; `extension/manifest.json` pins the first by its key.
pub const EXTENSION_IDS: [&str; 1] = ["mmlpkmapikjcldnkceollfmcjkhlfapi"];

/// As Chromium writes it in a host manifest's `allowed_origins` and in the host's first argument.
#[must_use]
pub fn origin(id: &str) -> String {
    format!("chrome-extension://{id}/")
}

/// Whether Chromium names one of our extensions as the caller.
#[must_use]
pub fn is_ours(caller: &str) -> bool {
    EXTENSION_IDS.iter().any(|id| origin(id) == caller)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_begins_with_the_id_that_the_extension_has() {
        assert_eq!(EXTENSION_IDS[0], include_str!("../../extension/ID").trim());
    }

    #[test]
    fn only_the_exact_origin_of_an_extension_of_ours_is_taken() {
        let ours = origin(EXTENSION_IDS[0]);
        assert!(is_ours(&ours));
        for other in [
            "",
            "chrome-extension://",
            ours.trim_end_matches('/'),
            &ours.replace("chrome-extension", "https"),
            &format!("{ours}x"),
            &ours.to_uppercase(),
            "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/",
            "--parent-window=0",
        ] {
            assert!(!is_ours(other), "{other}");
        }
    }
}
