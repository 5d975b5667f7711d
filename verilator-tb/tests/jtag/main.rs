//! A managed chip, scanned pin by pin and by OpenOCD.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use fantree_hdl::manage::command::setup_bits;
use fantree_hdl::manage::jtag::{answer, Instruction, Kind, IDCODE_VALUE, INSTRUCTION_BITS};
use fantree_hdl::manage::{Op, Setup};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, RouterParams};
use fantree_tb::jtag::serve;
use fantree_tb::manage::{InBand, Jtag, Manager, Network, Place, Way};

const CHIP: RouterParams = RouterParams {
    managed: true,
    ..RouterParams::SMALL
};

fn network(params: &RouterParams) -> Network {
    Network::of_one_chip(params).expect("it starts")
}

const VALID: u128 = 1 << answer::VALID.offset;
const MORE: u128 = 1 << answer::MORE.offset;

#[test]
fn idcode_comes_after_a_reset_and_bypass_is_one_bit() {
    let mut network = network(&CHIP);
    let mut jtag = Jtag::new(&mut network, 0).expect("it runs");
    let mut scan = |bits, value| jtag.scan(bits == 4, bits, value).expect("it runs");
    assert_eq!(scan(32, 0), IDCODE_VALUE.into());
    assert_eq!(scan(INSTRUCTION_BITS, 0xf), 1, "as the standard has it");
    assert_eq!(scan(16, 0xa5a5), 0xa5a5 << 1 & 0xffff);
    assert_eq!(jtag.idcode().expect("it runs"), IDCODE_VALUE);
}

#[test]
fn registers_are_written_and_read_in_order() {
    let mut network = network(&CHIP);
    let mut jtag = Jtag::new(&mut network, 0).expect("it runs");
    let begin = |jtag: &mut Jtag, op, address, ports| {
        let setup = Setup::new(op, address, ports);
        jtag.instruct(Instruction::Setup).expect("it runs");
        jtag.scan_data(setup_bits(&CHIP), setup.to_bits())
            .expect("it runs");
        jtag.instruct(Instruction::Access).expect("it runs");
    };
    let ask = |jtag: &mut Jtag, kind, data| jtag.ask(kind, data).expect("it runs").unwrap_or(0);
    for port in 0..4 {
        begin(&mut jtag, Op::Write, bus::SUPERNODE, 1 << port);
        let answer = ask(&mut jtag, Kind::Beat, 100 + port);
        assert_eq!(answer, 0, "nothing was asked yet");
        assert_eq!(ask(&mut jtag, Kind::Nothing, 0), VALID);
    }
    begin(&mut jtag, Op::Read, bus::SUPERNODE, 0b1111);
    ask(&mut jtag, Kind::Beat, 0);
    for next in [
        (VALID | MORE | 100),
        VALID | MORE | 101,
        VALID | MORE | 102,
        VALID | 103,
    ] {
        assert_eq!(ask(&mut jtag, Kind::Nothing, 0), next);
        let answer = ask(&mut jtag, Kind::Next, 0);
        assert_eq!(answer, 0, "nothing is asked");
    }
    begin(&mut jtag, Op::Read, bus::SUPERNODE, 0b1101);
    ask(&mut jtag, Kind::Beat, 0);
    assert_eq!(ask(&mut jtag, Kind::Next, 0), VALID | MORE | 100);
    assert_eq!(ask(&mut jtag, Kind::Next, 0), VALID | MORE | 102);
    assert_eq!(ask(&mut jtag, Kind::Nothing, 0), VALID | 103);
    let answer = ask(&mut jtag, Kind::Nothing, 0);
    assert_eq!(answer, 0, "all answers were fetched");

    begin(&mut jtag, Op::Write, bus::STATUS, 0b1111);
    ask(&mut jtag, Kind::Beat, 0);
    let refused = ask(&mut jtag, Kind::Nothing, 0);
    assert_eq!(
        refused,
        VALID | 0b10 << answer::STATUS.offset,
        "not allowed"
    );
}

/// Lets OpenOCD run a script on the chip; what it has printed.
fn openocd(network: &mut Network, script: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ports = network.params().ports();
    let commands = [
        "adapter driver remote_bitbang".into(),
        format!("remote_bitbang port {port}"),
        "remote_bitbang host 127.0.0.1".into(),
        format!("jtag newtap fantree chip -irlen 4 -expected-id {IDCODE_VALUE:#x}"),
        "gdb_port disabled; telnet_port disabled; tcl_port disabled".into(),
        format!("init; set fantree_ports {ports}"),
    ];
    let mut command = Command::new("openocd");
    for line in &commands {
        command.args(["-c", line]);
    }
    for file in ["../scripts/openocd.tcl", script] {
        command.arg("-f").arg(folder.join(file));
    }
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("openocd starts");
    let (client, _) = listener.accept().expect("OpenOCD connects");
    serve(client, &mut network.jtag(0)).expect("it speaks the protocol");
    let output = child.wait_with_output().expect("OpenOCD ends");
    let log = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{log}");
    assert!(log.contains("tap/device found: 0x15f7e001"), "{log}");
    log
}

/// Sends a packet to a GUID from a port; the port that it leaves at.
fn leads_to(network: &mut Network, from: usize, guid: u32) -> Option<usize> {
    let header = Header {
        dst_guid: guid,
        hops_left: 15,
        ..Header::default()
    };
    let at = |port| Place { chip: 0, port };
    network.host(at(from)).send(sealed_packet(&header, &[]));
    (0..40).find_map(|_| {
        network.step().expect("it runs");
        (0..network.params().ports()).find(|&port| network.host(at(port)).take(|_| true).is_some())
    })
}

/// OpenOCD finds the chip, reads back what it has written, and loads the tables that then lead a packet.
#[test]
#[ignore = "needs OpenOCD: scripts/setup-openocd.sh"]
fn openocd_brings_the_chip_up() {
    let mut network = network(&CHIP);
    let log = openocd(&mut network, "tests/jtag/bring_up.tcl");
    assert!(
        log.contains("error limits: 0x00001234 0x00000000 0x00001234 0x00000000"),
        "{log}"
    );
    assert_eq!(leads_to(&mut network, 1, 7 << 8 | 2), Some(2));

    let host = Place { chip: 0, port: 3 };
    let in_band = InBand::new(&mut network, host, Way::here(), 0x600d_f00d);
    let mut manager = Manager::new(in_band, &CHIP);
    manager
        .write(0b1111, bus::RATE_LIMIT, &[5])
        .expect("it has the key");
}

/// All tables of all ports of the 40-port chip: a scan for each word of one table.
#[test]
#[ignore = "needs OpenOCD: scripts/setup-openocd.sh"]
fn openocd_initialises_a_whole_chip_of_forty_ports() {
    let mut network = network(&RouterParams {
        managed: true,
        ..fantree_gen::config::Router::default().params()
    });
    let start = network.cycle();
    openocd(&mut network, "tests/jtag/whole_chip.tcl");
    println!(
        "{} cycles for the whole chip by OpenOCD",
        network.cycle() - start
    );
    // Number n of the own supernode is behind port n mod 40, another supernode s behind port s + 1 mod 40.
    for (from, guid, to) in [
        (0, 7 << 8 | 255, 15),
        (39, 7 << 8, 0),
        (13, 1023 << 8, 24),
        (22, 4, 1),
    ] {
        assert_eq!(leads_to(&mut network, from, guid), Some(to), "{guid:#x}");
    }
}
