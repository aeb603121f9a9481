//! JSON that peers sent, as our own plain types: a value has the shape, or it has not.

use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};
use std::fmt;

/// What of it does not fit is nobody's to read: words for it would cost each type a page of program.
#[derive(Debug)]
pub struct Misfit;

/// # Errors
/// When it does not fit.
pub fn shaped<T: DeserializeOwned>(value: Value) -> Result<T, Misfit> {
    T::deserialize(Json(value))
}

/// # Errors
/// When it is nested beyond what a reader's stack bears.
pub fn parsed(text: &RawValue) -> Result<Value, Misfit> {
    serde_json::from_str(text.get()).map_err(|_| Misfit)
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the agreed shape")
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Each question is put to the one kind of value that can answer it.
struct Json(Value);

impl Json {
    fn number(self) -> Result<Number, Misfit> {
        match self.0 {
            Value::Number(number) => Ok(number),
            _ => Err(Misfit),
        }
    }

    fn text(self) -> Result<String, Misfit> {
        match self.0 {
            Value::String(text) => Ok(text),
            _ => Err(Misfit),
        }
    }
}

macro_rules! whole {
    ($($name:ident)*) => { $(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            let number = self.number()?;
            match (number.as_u64(), number.as_i64()) {
                (Some(whole), _) => visitor.visit_u64(whole),
                (None, Some(whole)) => visitor.visit_i64(whole),
                (None, None) => Err(Misfit),
            }
        }
    )* };
}

impl<'de> Deserializer<'de> for Json {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(whether) => visitor.visit_bool(whether),
            Value::Number(ref number) if number.is_f64() => self.deserialize_f64(visitor),
            Value::Number(_) => self.deserialize_i64(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    whole! { deserialize_i64 deserialize_i32 deserialize_u64 deserialize_u32 deserialize_u16 }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_f64(self.number()?.as_f64().ok_or(Misfit)?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_bool(self.0.as_bool().ok_or(Misfit)?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_string(self.text()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let Value::Array(items) = self.0 else { return Err(Misfit) };
        let mut items = Items(items.into_iter());
        let read = visitor.visit_seq(&mut items)?;
        if items.0.next().is_none() { Ok(read) } else { Err(Misfit) }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, v: V) -> Result<V::Value, Misfit> {
        self.deserialize_seq(v)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let Value::Object(members) = self.0 else { return Err(Misfit) };
        visitor.visit_map(Members { rest: members.into_iter(), value: Value::Null })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    /// Those that are a word.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let word: StringDeserializer<Misfit> = self.text()?.into_deserializer();
        visitor.visit_enum(word)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i128 u8 u128 f32 char bytes byte_buf unit unit_struct tuple_struct identifier
    }
}

struct Items(std::vec::IntoIter<Value>);

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        self.0.next().map(|item| seed.deserialize(Json(item))).transpose()
    }
}

struct Members {
    rest: <Map<String, Value> as IntoIterator>::IntoIter,
    value: Value,
}

impl<'de> MapAccess<'de> for Members {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.value = value;
        let name: StringDeserializer<Misfit> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Misfit> {
        seed.deserialize(Json(self.value.take()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        One,
        SomeOther,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Is(bool),
        Named(String),
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Plain {
        text: Option<String>,
        whole: i64,
        small: u16,
        real: f64,
        either: Option<Either>,
        word: Option<Word>,
        pairs: Vec<(String, String)>,
        inner_ones: Vec<Plain>,
        any: Value,
    }

    /// As the library reads it, which says more of what does not fit.
    #[track_caller]
    fn check(value: &Value, fits: bool) {
        let theirs: Option<Plain> = serde_json::from_value(value.clone()).ok();
        assert_eq!(theirs.is_some(), fits, "{value}");
        assert_eq!(shaped(value.clone()).ok(), theirs, "{value}");
    }

    #[test]
    fn a_value_is_read_as_the_library_reads_it() {
        for fits in [
            json!({}),
            json!({"text": "a", "whole": -3, "small": 9, "real": 2, "unknown": {"x": [1]}}),
            json!({"text": null, "real": 2.5, "whole": i64::MIN, "any": [{"x": null}, 1.5, -1]}),
            json!({"either": true, "word": "some_other", "pairs": [["a", "b"], ["c", "d"]]}),
            json!({"either": "mixed", "word": "one", "innerOnes": [{"small": 1}, {}]}),
        ] {
            check(&fits, true);
        }
        for misfit in [
            json!(null),
            json!("text"),
            json!({"text": 1}),
            json!({"text": ["a"]}),
            json!({"whole": 1.5}),
            json!({"whole": "1"}),
            json!({"whole": u64::MAX}),
            json!({"small": 70_000}),
            json!({"small": -1}),
            json!({"real": "2"}),
            json!({"either": 1}),
            json!({"word": "two"}),
            json!({"word": null, "pairs": [["a"]]}),
            json!({"pairs": [["a", "b", "c"]]}),
            json!({"pairs": {}}),
            json!({"innerOnes": [{"whole": {}}]}),
        ] {
            check(&misfit, false);
        }
    }
}
