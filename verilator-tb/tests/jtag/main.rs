//! A managed chip, scanned pin by pin and by OpenOCD.

mod chip;

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use chip::ManagedChip;
use fantree_hdl::manage::command::setup_bits;
use fantree_hdl::manage::jtag::{
    answer, request, Instruction, Kind, IDCODE_VALUE, INSTRUCTION_BITS,
};
use fantree_hdl::manage::{Op, Setup};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, RouterParams};
use fantree_tb::jtag::{serve, Pins};

const CHIP: RouterParams = RouterParams {
    rows: 2,
    columns: 2,
    virtual_channels: 2,
    phases: 1,
    max_packet_flits: 8,
    block_flits: 2,
    input_buffer_blocks: 12,
    private_blocks: 4,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 4,
    out_supernode_entries: 5,
    candidates: 5,
    managed: true,
};

fn reset_chip() -> ManagedChip {
    let mut chip = ManagedChip::new(&CHIP);
    chip.reset().expect("it runs");
    chip
}

/// A cycle of the test clock; what TDO shows before its rising edge.
fn clock(chip: &mut ManagedChip, tms: bool, tdi: bool) -> bool {
    chip.drive(false, tms, tdi).expect("it runs");
    let tdo = chip.tdo();
    chip.drive(true, tms, tdi).expect("it runs");
    tdo
}

/// From Run-Test/Idle through a scan and back.
fn scan(chip: &mut ManagedChip, instruction: bool, bits: usize, value: u128) -> u128 {
    let select = std::iter::repeat_n(true, 1 + usize::from(instruction));
    for tms in select.chain([false, false]) {
        clock(chip, tms, false);
    }
    let shift = |bit: usize| {
        let tdo = clock(chip, bit + 1 == bits, value >> bit & 1 == 1);
        u128::from(tdo) << bit
    };
    let out = (0..bits).map(shift).fold(0, |out, bit| out | bit);
    clock(chip, true, false);
    clock(chip, false, false);
    out
}

fn instruct(chip: &mut ManagedChip, instruction: Instruction) -> u128 {
    scan(chip, true, INSTRUCTION_BITS, instruction as u128)
}

fn idle(chip: &mut ManagedChip) {
    for tms in [true, true, true, true, true, false] {
        clock(chip, tms, false);
    }
}

/// Cycles of the test clock after which any answer of this chip is there.
const PATIENCE: usize = 8;

/// Asks, and gives the answer to what was asked before.
fn ask(chip: &mut ManagedChip, kind: Kind, data: u32) -> u128 {
    let asked = u128::from(data) | (kind as u128) << request::KIND.offset;
    let answer = scan(chip, false, answer::SCAN_BITS, asked);
    (0..PATIENCE).for_each(|_| {
        clock(chip, false, false);
    });
    answer
}

const VALID: u128 = 1 << answer::VALID.offset;
const MORE: u128 = 1 << answer::MORE.offset;

#[test]
fn idcode_comes_after_a_reset_and_bypass_is_one_bit() {
    let mut chip = reset_chip();
    idle(&mut chip);
    assert_eq!(scan(&mut chip, false, 32, 0), IDCODE_VALUE.into());
    assert_eq!(
        scan(&mut chip, true, INSTRUCTION_BITS, 0xf),
        1,
        "as the standard has it"
    );
    assert_eq!(scan(&mut chip, false, 16, 0xa5a5), 0xa5a5 << 1 & 0xffff);
    instruct(&mut chip, Instruction::Idcode);
    assert_eq!(scan(&mut chip, false, 32, 0), IDCODE_VALUE.into());
}

#[test]
fn registers_are_written_and_read_in_order() {
    let mut chip = reset_chip();
    idle(&mut chip);
    let begin = |chip: &mut ManagedChip, op, address, ports| {
        instruct(chip, Instruction::Setup);
        let setup = Setup::new(op, address, ports);
        scan(chip, false, setup_bits(&CHIP), setup.to_bits());
        instruct(chip, Instruction::Access);
    };
    for port in 0..4 {
        begin(&mut chip, Op::Write, bus::SUPERNODE, 1 << port);
        assert_eq!(
            ask(&mut chip, Kind::Beat, 100 + port),
            0,
            "nothing was asked yet"
        );
        assert_eq!(ask(&mut chip, Kind::Nothing, 0), VALID);
    }
    begin(&mut chip, Op::Read, bus::SUPERNODE, 0b1111);
    ask(&mut chip, Kind::Beat, 0);
    for next in [
        (VALID | MORE | 100),
        VALID | MORE | 101,
        VALID | MORE | 102,
        VALID | 103,
    ] {
        assert_eq!(ask(&mut chip, Kind::Nothing, 0), next);
        assert_eq!(ask(&mut chip, Kind::Next, 0), 0, "nothing is asked");
    }
    begin(&mut chip, Op::Read, bus::SUPERNODE, 0b1101);
    ask(&mut chip, Kind::Beat, 0);
    assert_eq!(ask(&mut chip, Kind::Next, 0), VALID | MORE | 100);
    assert_eq!(ask(&mut chip, Kind::Next, 0), VALID | MORE | 102);
    assert_eq!(ask(&mut chip, Kind::Nothing, 0), VALID | 103);
    assert_eq!(
        ask(&mut chip, Kind::Nothing, 0),
        0,
        "all answers were fetched"
    );

    begin(&mut chip, Op::Write, bus::STATUS, 0b1111);
    ask(&mut chip, Kind::Beat, 0);
    let refused = ask(&mut chip, Kind::Nothing, 0);
    assert_eq!(
        refused,
        VALID | 0b10 << answer::STATUS.offset,
        "not allowed"
    );
}

/// OpenOCD finds the chip, reads back what it has written, and loads the tables that then lead a packet.
#[test]
#[ignore = "needs OpenOCD: scripts/setup-openocd.sh"]
fn openocd_brings_the_chip_up() {
    let mut chip = reset_chip();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let commands = [
        "adapter driver remote_bitbang".into(),
        format!("remote_bitbang port {port}"),
        "remote_bitbang host 127.0.0.1".into(),
        format!("jtag newtap fantree chip -irlen 4 -expected-id {IDCODE_VALUE:#x}"),
        "gdb_port disabled; telnet_port disabled; tcl_port disabled".into(),
        "init; set fantree_ports 4".into(),
    ];
    let mut openocd = Command::new("openocd");
    for command in &commands {
        openocd.args(["-c", command]);
    }
    openocd.arg("-f").arg(folder.join("../scripts/openocd.tcl"));
    openocd
        .arg("-f")
        .arg(folder.join("tests/jtag/bring_up.tcl"));
    let child = openocd
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("openocd starts");
    let (client, _) = listener.accept().expect("OpenOCD connects");
    serve(client, &mut chip).expect("it speaks the protocol");
    let output = child.wait_with_output().expect("OpenOCD ends");
    let log = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{log}");
    assert!(log.contains("tap/device found: 0x15f7e001"), "{log}");
    assert!(
        log.contains("error limits: 0x00001234 0x00000000 0x00001234 0x00000000"),
        "{log}"
    );

    // A packet from port 1 to number 2 of supernode 7 leaves at port 2.
    let header = Header {
        dst_guid: 7 << 8 | 2,
        hops_left: 15,
        ..Header::default()
    };
    chip.write("rx_data_1", sealed_packet(&header, &[])[0]);
    for (pin, value) in [
        ("valid", 1),
        ("head", 1),
        ("tail", 1),
        ("bad", 0),
        ("vc", 0),
    ] {
        chip.write(&format!("rx_{pin}_1"), value);
    }
    chip.cycle().expect("it runs");
    chip.write("rx_valid_1", 0);
    let mut left = Vec::new();
    for _ in 0..20 {
        chip.cycle().expect("it runs");
        left.extend((0..4).filter(|port| chip.read(&format!("tx_valid_{port}")) == 1));
    }
    assert_eq!(left, [2]);
}
