//! The measurements behind `make bench`: each figure with the budget that it must keep.

pub mod acting;
pub mod calls;
pub mod comparison;
pub mod crowds;
pub mod figures;
pub mod pages;
pub mod pipe;
pub mod sizes;
pub mod starts;
