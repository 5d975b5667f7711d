//! The `kernel` attribute.
