//! Ports of the signals themselves and of what holds them.

use super::value::mask;
use super::{to_words, FromWords, Input, Name, Output, Ports, Visitor};
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

impl<T: FromWords> Ports for Signal<In, T> {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visitor.input(name, self);
    }
}

impl<T: FromWords> Input for Signal<In, T> {
    fn width(&self) -> usize {
        T::BITS
    }

    fn is_clock(&self) -> bool {
        T::IS_CLOCK
    }

    fn drive(&mut self, words: &[u32]) -> Vec<u32> {
        self.next = T::from_words(words);
        to_words(self.next)
    }
}

impl<T: Synth> Ports for Signal<Out, T> {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visitor.output(name, self);
    }
}

impl<T: Synth> Output for Signal<Out, T> {
    fn width(&self) -> usize {
        T::BITS
    }

    fn words(&self) -> Vec<u32> {
        to_words(self.val())
    }
}

impl Ports for Wire<In> {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visitor.input(name, self);
    }
}

impl Input for Wire<In> {
    fn width(&self) -> usize {
        self.bits()
    }

    fn is_clock(&self) -> bool {
        false
    }

    fn drive(&mut self, words: &[u32]) -> Vec<u32> {
        self.next = Value::from_words(self.bits(), words);
        self.next.to_words()
    }
}

impl Ports for Wire<Out> {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visitor.output(name, self);
    }
}

impl Output for Wire<Out> {
    fn width(&self) -> usize {
        self.bits()
    }

    fn words(&self) -> Vec<u32> {
        self.val().to_words()
    }
}

fn visit_all<P: Ports>(ports: &mut [P], name: &Name, visitor: &mut dyn Visitor) {
    for (index, port) in ports.iter_mut().enumerate() {
        port.visit_ports(&name.index(index), visitor);
    }
}

impl<P: Ports> Ports for Vec<P> {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visit_all(self, name, visitor);
    }
}

impl<P: Ports, const N: usize> Ports for [P; N] {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        visit_all(self, name, visitor);
    }
}

/// An input whose type belongs to someone else and has no [`FromWords`], with a function in its place.
pub struct Converted<'a, T: Synth, F: Fn(&[u32]) -> T> {
    /// The input.
    pub signal: &'a mut Signal<In, T>,
    /// Makes a value of words; there is nothing above the width of `T`.
    pub convert: F,
}

impl<T: Synth, F: Fn(&[u32]) -> T> Input for Converted<'_, T, F> {
    fn width(&self) -> usize {
        T::BITS
    }

    fn is_clock(&self) -> bool {
        false
    }

    fn drive(&mut self, words: &[u32]) -> Vec<u32> {
        let mut words = words.to_vec();
        mask(&mut words, T::BITS);
        self.signal.next = (self.convert)(&words);
        to_words(self.signal.next)
    }
}
