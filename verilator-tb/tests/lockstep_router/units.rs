//! The units that packets pass, with packets, and with noise where any input has a meaning.

use fantree_hdl::router::{
    CongestionSensor, CreditPool, CrossbarUnit, InputBuffer, InputUnit, OutputUnit, RowBuffer,
};

use super::{legal_input, noise};

#[test]
fn input_buffer() {
    legal_input("input_buffer", InputBuffer::new);
}

#[test]
fn input_unit() {
    legal_input("input_unit", InputUnit::new);
}

#[test]
fn row_buffer() {
    legal_input("row_buffer", RowBuffer::new);
}

#[test]
fn crossbar_unit_of_noise() {
    noise("crossbar_unit", CrossbarUnit::new);
}

#[test]
fn crossbar_unit_of_packets() {
    legal_input("crossbar_unit", CrossbarUnit::new);
}

#[test]
fn output_unit_of_noise() {
    noise("output_unit", OutputUnit::new);
}

#[test]
fn output_unit_of_packets() {
    legal_input("output_unit", OutputUnit::new);
}

#[test]
fn congestion_sensor() {
    noise("congestion_sensor", CongestionSensor::new);
}

#[test]
fn credit_pool_of_noise() {
    noise("credit_pool", CreditPool::new);
}

#[test]
fn credit_pool() {
    legal_input("credit_pool", CreditPool::new);
}
