//! Pictures kept for their workspace, bounded by count and by bytes; the oldest go first.

use ghostlight_transport::handle::ImageId;
use ghostlight_transport::limits::{IMAGE_BYTES_PER_WORKSPACE, IMAGES_PER_WORKSPACE};
use std::collections::VecDeque;
use std::rc::Rc;

/// A picture as a tool result carried it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) mime: String,
    /// Base64.
    pub(crate) data: String,
}

#[derive(Debug, Default)]
pub(crate) struct Images {
    kept: VecDeque<(ImageId, Rc<Image>)>,
    bytes: usize,
}

impl Images {
    /// Keeps the picture under `id`. One that alone exceeds the bound is not kept: its id is then
    /// as unknown as an expired one.
    pub(crate) fn keep(&mut self, id: ImageId, image: Image) {
        let size = image.data.len();
        if size > IMAGE_BYTES_PER_WORKSPACE {
            return;
        }
        while self.kept.len() >= IMAGES_PER_WORKSPACE
            || self.bytes + size > IMAGE_BYTES_PER_WORKSPACE
        {
            let Some((_, oldest)) = self.kept.pop_front() else { break };
            self.bytes -= oldest.data.len();
        }
        self.bytes += size;
        self.kept.push_back((id, Rc::new(image)));
    }

    /// Walks all: the store is small, and the time says nothing about which id came near.
    pub(crate) fn find(&self, id: &ImageId) -> Option<Rc<Image>> {
        self.kept.iter().fold(
            None,
            |found, (kept, image)| {
                if kept == id { Some(Rc::clone(image)) } else { found }
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: usize) -> ImageId {
        ImageId::from_entropy([u8::try_from(n).unwrap(); 16])
    }
    fn image(bytes: usize) -> Image {
        Image { mime: "image/jpeg".into(), data: "x".repeat(bytes) }
    }

    #[test]
    fn the_oldest_pictures_go_when_the_store_is_full() {
        let mut images = Images::default();
        for n in 0..=IMAGES_PER_WORKSPACE {
            images.keep(id(n), image(10));
        }
        assert!(images.find(&id(0)).is_none());
        assert!(images.find(&id(1)).is_some());
        assert_eq!(images.bytes, 10 * IMAGES_PER_WORKSPACE);
    }

    #[test]
    fn a_large_picture_makes_room_and_an_oversized_one_changes_nothing() {
        let mut images = Images::default();
        images.keep(id(1), image(10));
        images.keep(id(2), image(IMAGE_BYTES_PER_WORKSPACE + 1));
        assert!(images.find(&id(1)).is_some() && images.find(&id(2)).is_none());
        images.keep(id(3), image(IMAGE_BYTES_PER_WORKSPACE));
        assert!(images.find(&id(1)).is_none() && images.find(&id(3)).is_some());
    }
}
