//! Class files as bytes: what is read of them, against other readers, and what becomes of them if they are broken.

mod broken_classes;
mod class_file_releases;
mod class_library;
mod demanding_classes;
mod javap;
mod limited;
mod mutated_classes;
mod natives;
mod raw;
