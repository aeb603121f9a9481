//! A whole service in one executor, with an edge and a browser that are only frames.

mod browsers;
mod calls;
mod endings;
mod rig;
mod scripts;
mod storm;
