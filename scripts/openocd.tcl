# Management of a fantree chip by OpenOCD. Set fantree_ports to the number of ports, then source this file after `init`.
# A set of ports is a number with a bit for each; an address is a register's, see docs/registers.md.

# Begins a stream: what each of its accesses does, from which address on.
proc fantree_setup {op combine address ports} {
    global fantree_ports
    irscan fantree.chip 2
    drscan fantree.chip 2 $op 2 $combine 16 $address 32 0xffffffff 1 1 1 0 $fantree_ports $ports
    irscan fantree.chip 3
}

# Asks, and gives the answer to what was asked before: value, status, whether there are more values, whether it is one.
proc fantree_scan {data kind} {
    return [drscan fantree.chip 32 $data 4 $kind 1 0 1 0]
}

# Waits for the answer; anything wrong is an error.
proc fantree_answer {} {
    for {set tries 0} {$tries < 100} {incr tries} {
        lassign [fantree_scan 0 0] value status more valid
        if {"0x$valid"} {
            if {"0x$status"} { error "the chip refuses: status 0x$status" }
            return [list "0x$value" "0x$more"]
        }
    }
    error "the chip does not answer"
}

# Writes words to consecutive addresses of all these ports at once.
proc fantree_write {address ports words} {
    fantree_setup 0 0 $address $ports
    foreach word $words {
        fantree_scan $word 1
        fantree_answer
    }
}

# Reads a register of these ports, in their order.
proc fantree_read {address ports} {
    fantree_setup 1 0 $address $ports
    fantree_scan 0 1
    set values {}
    lassign [fantree_answer] value more
    lappend values $value
    while {$more} {
        fantree_scan 0 2
        lassign [fantree_answer] value more
        lappend values $value
    }
    return $values
}
