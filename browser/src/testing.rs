//! What holds for any caller of the connector: the properties that tests/fuzz drives.

#[cfg(test)]
#[path = "../../tests/fuzz/seeds.rs"]
mod seeds;

use crate::arguments::Arguments;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::origin::{EXTENSION_IDS, origin};

/// Nobody but our extension starts the connector, and never on an instance that is none.
///
/// # Panics
/// When somebody does.
pub fn native_caller(script: &[u8]) {
    let words: Vec<String> = script
        .split(|byte| *byte == b'\n')
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let Some((variable, given)) = words.split_first() else { return };
    for variable in [None, Some(variable.as_str())] {
        match Arguments::read(given, variable) {
            Ok(Arguments::Help | Arguments::Version) => {}
            Ok(Arguments::Serve(instance)) => {
                assert!(EXTENSION_IDS.iter().any(|id| origin(id) == given[1]));
                assert_eq!(Instance::parse(instance.as_str()).ok(), Some(instance));
            }
            Err(error) => assert!(error.to_string().len() < 2000, "an endless error"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{native_caller, seeds};

    #[test]
    fn properties_hold_for_the_seeds_and_near_them() {
        seeds::check("native_caller", native_caller);
    }
}
