//! A model with a defect: the bench finds it, and says what it is.

use fantree_hdl::router::{bus, DropCause};
use fantree_tb::router::{Fate, Fault, Options, Results, Stalls, VcPolicy, Violation};
use fantree_tb::traffic::{Lengths, Load, Pattern};

use super::model::Defect;
use super::{options, run, text, try_run};

/// A run with a defect, in which this fault is found.
#[track_caller]
fn catches(options: &Options, defect: Defect, is_it: fn(&Fault) -> bool) -> Results {
    let results = run(options, Some(defect));
    let violations = &results.violations;
    let found = violations.iter().any(|violation| is_it(&violation.fault));
    assert!(
        found && !results.passed(),
        "{defect:?}:{}",
        text(violations)
    );
    results
}

#[test]
fn packets_that_vanish_or_multiply_are_found() {
    let lost = catches(&options(), Defect::LosesPacket, |f| {
        matches!(f, Fault::Lost { .. })
    });
    assert!(lost.packets.lost > 5);
    assert_eq!(
        lost.packets.sent,
        lost.packets.delivered + lost.packets.lost
    );
    let doubled = catches(&options(), Defect::DoublesPacket, |f| {
        *f == Fault::Duplicated
    });
    assert!(doubled.packets.duplicated > 5);
    assert_eq!(doubled.packets.sent, doubled.packets.delivered);
    catches(&options(), Defect::LosesFlit, |f| {
        matches!(f, Fault::EarlyTail { .. })
    });
    let cut = catches(&options(), Defect::LosesFlit, |f| {
        matches!(f, Fault::WrongLength { .. })
    });
    assert!(cut.packets.corrupted > 5);
}

#[test]
fn packets_in_the_wrong_place_or_order_are_found() {
    let results = catches(&options(), Defect::Misroutes, |f| {
        matches!(f, Fault::Misrouted { fate: Fate::Any(_) })
    });
    assert!(results.packets.misrouted > 5 && results.packets.lost == 0);
    let one_flow = Options {
        pattern: Pattern::Neighbour,
        vc_policy: VcPolicy::Fixed(0),
        ..options()
    };
    let results = catches(&one_flow, Defect::SwapsPackets, |f| {
        matches!(f, Fault::Reordered { .. })
    });
    assert!(results.packets.reordered > 5 && results.packets.lost <= 4);
}

#[test]
fn changed_bits_are_found() {
    let corrupted = |f: &Fault| matches!(f, Fault::Corrupted { .. });
    for defect in [
        Defect::FlipsPayloadBit,
        Defect::RewritesHeader,
        Defect::MarksBad,
    ] {
        let results = catches(&options(), defect, corrupted);
        assert!(
            results.packets.corrupted > 5 && results.packets.lost == 0,
            "{defect:?}"
        );
    }
    let results = catches(&options(), Defect::FlipsHeaderBit, |f| {
        matches!(f, Fault::UnknownHeader { .. })
    });
    assert!(results.packets.corrupted > 5);
    assert_eq!(results.packets.corrupted, results.packets.lost);
}

#[test]
fn wrong_heads_and_tails_are_found() {
    catches(&options(), Defect::ClearsHead, |f| *f == Fault::NoHead);
    catches(&options(), Defect::ClearsTail, |f| {
        matches!(f, Fault::LateTail { .. })
    });
    catches(&options(), Defect::TailTooEarly, |f| {
        matches!(f, Fault::EarlyTail { .. })
    });
    catches(&options(), Defect::InterleavesPackets, |f| {
        matches!(f, Fault::HeadInPacket { .. })
    });
}

#[test]
fn broken_credits_are_found() {
    // Stalls long enough to use up a channel's credits.
    let (share, mean_cycles) = (0.5, 100.0);
    let slow = Options {
        stalls: Stalls { share, mean_cycles },
        lengths: Lengths::fixed(40),
        load: Load::FULL,
        patience: 5000,
        ..options()
    };
    catches(&slow, Defect::IgnoresCredits, |f| {
        matches!(f, Fault::CutThrough { .. })
    });
    catches(&slow, Defect::StartsWithTooFewCredits, |f| {
        matches!(f, Fault::CutThrough { .. })
    });
    catches(&options(), Defect::ReturnsExtraCredit, |f| {
        matches!(f, Fault::ExtraCredit)
    });
    let results = catches(&options(), Defect::KeepsCredit, |f| {
        matches!(f, Fault::CreditsMissing { .. })
    });
    assert_eq!(results.packets.lost, 0);
    catches(&options(), Defect::MissesCredit, |f| {
        matches!(f, Fault::CreditsMissing { .. })
    });
}

#[test]
fn wrong_virtual_channels_are_found() {
    catches(&options(), Defect::ChangesVc, |f| {
        matches!(f, Fault::WrongVc { .. })
    });
    catches(&options(), Defect::InventsVc, |f| {
        matches!(f, Fault::InvalidVc { .. })
    });
}

#[test]
fn a_flit_that_does_not_wait_is_found() {
    let slow = Options {
        stalls: Stalls::share(0.3),
        ..options()
    };
    for defect in [Defect::ChangesWaitingFlit, Defect::WithdrawsWaitingFlit] {
        catches(&slow, defect, |f| matches!(f, Fault::Unsteady { .. }));
    }
}

/// Found with a fault seeded in Verilog: flits that move for ever are no progress.
#[test]
fn a_router_that_gets_nowhere_is_given_up() {
    for defect in [Defect::Hangs, Defect::RepeatsFlitForEver] {
        let results = catches(&options(), defect, |f| matches!(f, Fault::Stuck { .. }));
        assert!(results.packets.lost > 0, "{defect:?}");
        let cycles = results.simulated_cycles;
        assert!(cycles < 10_000, "{defect:?}: {cycles}");
    }
}

#[test]
fn drops_and_their_counts_are_reconciled() {
    let some = Options {
        no_route: 0.05,
        ..options()
    };
    let miscounted = |f: &Fault| matches!(f, Fault::DropCount { .. });
    let results = catches(&options(), Defect::DropsRoutedPacket, miscounted);
    assert!(results.packets.dropped.of(DropCause::NoRoute) > 5 && results.packets.lost == 0);
    let results = catches(&some, Defect::CountsDropTooMany, miscounted);
    assert_eq!(results.packets.lost, 0);
    let results = catches(&some, Defect::ForgetsToCountDrop, miscounted);
    assert!(results.packets.lost > 5 && results.packets.dropped.of(DropCause::NoRoute) == 0);
    let results = catches(&some, Defect::DeliversUnrouted, |f| {
        matches!(
            f,
            Fault::Misrouted {
                fate: Fate::Dropped(_)
            }
        )
    });
    assert!(results.packets.misrouted > 5);
}

#[test]
fn a_silent_register_bus_is_an_error() {
    let error = try_run(&options(), Some(Defect::SilentBus)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the chip does not answer a read of register 0xa010 of port 0"
    );
}

#[test]
fn registers_that_are_wrong_are_found() {
    for (defect, address) in [
        (Defect::ForgetsSetting, bus::BACKLOG_LIMIT),
        (Defect::HoldsBlocks, bus::OCCUPANCY),
    ] {
        let results = run(&options(), Some(defect));
        let is_it = |it: &Violation| matches!(it.fault, Fault::Register { address: at, .. } if at == address);
        assert!(!results.violations.is_empty(), "{defect:?}");
        assert!(
            results.violations.iter().all(is_it),
            "{defect:?}:{}",
            text(&results.violations)
        );
    }
}
