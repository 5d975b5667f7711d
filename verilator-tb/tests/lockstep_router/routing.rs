//! From a packet's first flits to its route.

use fantree_hdl::router::{
    Arrival, HeaderUpdate, InputChannel, MulticastTable, RouteChoice, RouteTable, RouteUnit,
};
use fantree_tb::lockstep::Lockstep;

use super::{legal_input, noise, passes};

#[test]
fn arrival_of_noise() {
    noise("arrival", Arrival::new);
}

#[test]
fn arrival_of_packets() {
    legal_input("arrival", Arrival::new);
}

#[test]
fn route_table() {
    legal_input("route_table", RouteTable::new);
}

/// Every address of the bus, and destinations that no table has.
#[test]
fn route_table_of_noise() {
    noise("route_table", RouteTable::new);
}

#[test]
fn route_choice() {
    noise("route_choice", RouteChoice::new);
}

#[test]
fn route_choice_among_many() {
    legal_input("route_choice", RouteChoice::new);
}

#[test]
fn route_unit() {
    legal_input("route_unit", RouteUnit::new);
}

#[test]
fn multicast_table() {
    noise("multicast_table", MulticastTable::new);
}

#[test]
fn input_channel() {
    legal_input("input_channel", InputChannel::new);
}

#[test]
fn input_channel_of_noise() {
    noise("input_channel", InputChannel::new);
}

#[test]
fn header_update() {
    passes(Lockstep::new("header_update", HeaderUpdate::default).cycles(2000));
}
