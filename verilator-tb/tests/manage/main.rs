//! Management of a chip: any ports at once, answers to everything, and how much faster that is.

mod host;

use fantree_hdl::manage::command::status;
use fantree_hdl::manage::registers::{lock, LOCK, REFUSED};
use fantree_hdl::manage::{Combine, Op, Setup};
use fantree_hdl::router::{bus, RouterParams};
use host::Host;

const ALL: u64 = (1 << 40) - 1;
const ROW_2: u64 = 0xff << 16;
const COLUMN_5: u64 = 0x20_2020_2020;
const MASKS: [u64; 6] = [1, 1 << 39, ROW_2, COLUMN_5, ALL, 0x5a_c3f0_1e87];

/// The management of the 40-port chip.
fn host() -> Host {
    Host::new(&RouterParams {
        managed: true,
        ..fantree_gen::config::Router::default().params()
    })
}

fn ports(mask: u64) -> Vec<usize> {
    (0..40).filter(|port| mask >> port & 1 == 1).collect()
}

fn with_combine(setup: Setup, combine: Combine) -> Setup {
    Setup { combine, ..setup }
}

#[test]
fn a_write_reaches_the_ports_of_its_mask_and_no_others() {
    for mask in MASKS {
        let mut host = host();
        let answer = host.run(Setup::new(Op::Write, bus::SUPERNODE, mask), &[77]);
        assert_eq!((answer.values, answer.status), (vec![], 0));
        for port in 0..40 {
            let written = host.tiles[port].get(&bus::SUPERNODE);
            let expected = (mask >> port & 1 == 1).then_some(&77);
            assert_eq!(written, expected, "port {port} of {mask:#x}");
            assert!(host.tiles[port].len() <= 1, "no other register is written");
        }
    }
}

#[test]
fn values_of_many_ports_come_in_order_or_combined() {
    let mut host = host();
    let value = |port: usize| 0x8000_0001 + ((port as u32) << 8);
    for port in 0..40 {
        host.tiles[port].insert(bus::IN_USE, value(port));
    }
    for mask in MASKS {
        let read = Setup::new(Op::Read, bus::IN_USE, mask);
        let expected: Vec<u32> = ports(mask).into_iter().map(value).collect();
        assert_eq!(host.run(read, &[0]).values, expected, "{mask:#x}");
        let combined = [
            (Combine::Or, expected.iter().fold(0, |a, b| a | b)),
            (Combine::And, expected.iter().fold(u32::MAX, |a, b| a & b)),
            (
                Combine::Sum,
                expected.iter().fold(0, |a: u32, b| a.wrapping_add(*b)),
            ),
        ];
        for (combine, expected) in combined {
            let answer = host.run(with_combine(read, combine), &[0]);
            assert_eq!(answer.values, [expected], "{combine:?} of {mask:#x}");
            assert_eq!(answer.status, 0);
        }
    }
}

#[test]
fn reads_clear_and_modify_what_they_read() {
    let mut host = host();
    let address = bus::ERROR_LIMIT;
    host.run(Setup::new(Op::Write, address, ALL), &[0x1234_5678]);
    let modify = Setup {
        mask: 0x00ff_0f00,
        ..Setup::new(Op::Modify, address, ROW_2)
    };
    assert_eq!(host.run(modify, &[0xffff_ffff]).values, [0x1234_5678; 8]);
    let clear = Setup::new(Op::ReadClear, address, COLUMN_5);
    let answer = host.run(clear, &[0]);
    assert_eq!(
        answer.values,
        [
            0x1234_5678,
            0x1234_5678,
            0x12ff_5f78,
            0x1234_5678,
            0x1234_5678
        ]
    );
    for port in 0..40 {
        let expected = match (COLUMN_5 >> port & 1, ROW_2 >> port & 1) {
            (1, _) => 0,
            (_, 1) => 0x12ff_5f78,
            _ => 0x1234_5678,
        };
        assert_eq!(host.register(port, address), expected, "port {port}");
    }
}

#[test]
fn a_stream_goes_up_by_itself() {
    let mut host = host();
    let words: Vec<u32> = (100..120).collect();
    host.run(Setup::new(Op::Write, bus::MULTICAST_TABLE, ROW_2), &words);
    for (i, &word) in words.iter().enumerate() {
        assert_eq!(host.register(17, bus::MULTICAST_TABLE + i), word);
    }
    let fixed = Setup {
        increment: false,
        ..Setup::new(Op::Write, bus::RATE_LIMIT, 1)
    };
    host.run(fixed, &[1, 2, 3]);
    assert_eq!(host.register(0, bus::RATE_LIMIT), 3);
    assert_eq!(host.tiles[0].len(), 1);
}

#[test]
fn what_cannot_be_done_is_answered_counted_and_changes_nothing() {
    let mut host = host();
    let refused = [
        (Op::Write, 0x9040, status::NO_REGISTER),
        (Op::Read, 0xd000, status::NO_REGISTER),
        (Op::Write, bus::STATUS, status::NOT_ALLOWED),
        (Op::ReadClear, bus::HIGH_WATER, status::NOT_ALLOWED),
        (Op::Read, bus::MULTICAST_TABLE, status::NOT_ALLOWED),
        (Op::Modify, bus::IN_SUPERNODE_TABLE, status::NOT_ALLOWED),
    ];
    for (op, address, status) in refused {
        let answer = host.run(Setup::new(op, address, ROW_2), &[1]);
        let values = if op == Op::Write { vec![] } else { vec![0; 8] };
        assert_eq!(
            (answer.values, answer.status),
            (values, status),
            "{op:?} {address:#x}"
        );
    }
    assert!(host.tiles.iter().all(|tile| tile.is_empty()));
    let count = Setup::new(Op::Read, REFUSED, ROW_2 | 1);
    let mut counts = vec![refused.len() as u32; 9];
    counts[0] = 0;
    assert_eq!(host.run(count, &[0]).values, counts);
    assert_eq!(host.run(count, &[0]).values, [0; 9], "reading clears");

    let answer = host.run(Setup::new(Op::Write, bus::SUPERNODE, 0), &[1]);
    assert_eq!(answer.status, status::NO_PORT);
    let answer = host.run(Setup::new(Op::Read, bus::SUPERNODE, 0), &[1]);
    assert_eq!((answer.values, answer.status), (vec![0], status::NO_PORT));
}

#[test]
fn a_source_without_the_key_reads_but_does_not_write() {
    let mut host = host();
    host.trust(false);
    for op in [Op::Write, Op::Modify, Op::ReadClear] {
        let answer = host.run(Setup::new(op, bus::SUPERNODE, ROW_2), &[9]);
        assert_eq!(answer.status, status::KEY, "{op:?}");
    }
    assert!(host.tiles.iter().all(|tile| tile.is_empty()));
    let counts = Setup::new(Op::Read, REFUSED, ROW_2 | 1);
    assert_eq!(host.run(counts, &[0]).values, [0, 3, 3, 3, 3, 3, 3, 3, 3]);
    let read = host.run(Setup::new(Op::Read, bus::SUPERNODE, 1), &[0]);
    assert_eq!((read.values, read.status), (vec![bus::SUPERNODE as u32], 0));
    host.trust(true);
    let answer = host.run(Setup::new(Op::Write, bus::SUPERNODE, ROW_2), &[9]);
    assert_eq!((answer.status, host.register(16, bus::SUPERNODE)), (0, 9));
}

#[test]
fn locked_registers_keep_what_they_have_until_they_are_unlocked() {
    let mut host = host();
    let locks = [
        (
            lock::TABLES,
            [bus::OUT_SUPERNODE_TABLE + 17, bus::MULTICAST_TABLE],
            bus::SUPERNODE,
        ),
        (
            lock::SETTINGS,
            [bus::SUPERNODE, bus::PRIVATE_BLOCKS + 3],
            bus::MULTICAST_TABLE,
        ),
    ];
    for (lock, locked, free) in locks {
        host.run(Setup::new(Op::Write, LOCK, ROW_2), &[lock]);
        assert_eq!(
            host.run(Setup::new(Op::Read, LOCK, 1 | ROW_2), &[0]).values[..2],
            [0, lock]
        );
        for address in locked {
            let answer = host.run(Setup::new(Op::Write, address, ALL), &[9]);
            assert_eq!(
                answer.status,
                status::LOCKED,
                "some of the ports are locked"
            );
            assert_eq!(host.register(16, address), address as u32);
            assert_eq!(host.register(15, address), 9, "those that are not take it");
        }
        assert_eq!(host.run(Setup::new(Op::Write, free, ROW_2), &[9]).status, 0);
        host.run(Setup::new(Op::Write, LOCK, ROW_2), &[0]);
        assert_eq!(
            host.run(Setup::new(Op::Write, locked[0], ROW_2), &[9])
                .status,
            0
        );
        host.tiles.iter_mut().for_each(|tile| tile.clear());
    }
}

/// The same tables for all ports by one masked stream, against one port after another.
#[test]
fn one_stream_to_all_ports_is_thirty_times_as_fast_as_port_by_port() {
    let mut host = host();
    let table: Vec<u32> = (0..64).collect();
    let load = |host: &mut Host, mask| {
        host.run(Setup::new(Op::Write, bus::MULTICAST_TABLE, mask), &table)
            .cycles
    };
    let one_by_one: u64 = (0..40).map(|port| load(&mut host, 1 << port)).sum();
    host.tiles.iter_mut().for_each(|tile| tile.clear());
    let at_once = load(&mut host, ALL);
    for port in 0..40 {
        for (i, &word) in table.iter().enumerate() {
            assert_eq!(host.register(port, bus::MULTICAST_TABLE + i), word);
        }
    }
    println!("{one_by_one} cycles port by port, {at_once} in one stream");
    assert!(one_by_one >= 30 * at_once);
}

/// Different tables a row: one stream that is spread over the rows, against one row after another.
#[test]
fn different_contents_a_row_are_loaded_in_parallel() {
    let mut host = host();
    let word = |row: u32, i: u32| row << 16 | i;
    let write = |mask| Setup::new(Op::Write, bus::MULTICAST_TABLE, mask);
    let load_row = |host: &mut Host, row: u32| {
        let words: Vec<u32> = (0..64).map(|i| word(row, i)).collect();
        host.run(write(0xff << (8 * row)), &words).cycles
    };
    let one_by_one: u64 = (0..5).map(|row| load_row(&mut host, row)).sum();
    host.tiles.iter_mut().for_each(|tile| tile.clear());
    let spread = Setup {
        spread: true,
        ..write(ALL)
    };
    let words: Vec<u32> = (0..64)
        .flat_map(|i| (0..5).map(move |row| word(row, i)))
        .collect();
    let answer = host.run(spread, &words);
    assert_eq!(answer.status, 0);
    for port in 0..40 {
        for i in 0..64 {
            let address = bus::MULTICAST_TABLE + i as usize;
            assert_eq!(host.register(port, address), word(port as u32 / 8, i));
        }
    }
    println!("{one_by_one} cycles row by row, {} spread", answer.cycles);
    assert!(10 * one_by_one >= 45 * answer.cycles);
}
