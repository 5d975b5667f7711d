# Management of a fantree chip by OpenOCD. Set fantree_ports to the number of ports, then source this file after `init`.
# A set of ports is a number with a bit for each; an address is a register's, see docs/registers.md.

# Begins a stream: what each of its accesses does, from which address on; of entries of a table, how many words each has.
proc fantree_setup {op combine address ports {entry 0}} {
    global fantree_ports
    irscan fantree.chip 2
    # OpenOCD reads a number that begins with 0 and is not hexadecimal as octal: it gets decimal ones.
    drscan fantree.chip 2 $op 2 $combine 16 [expr {$address + 0}] 32 0xffffffff 1 1 1 0 4 $entry $fantree_ports [expr {$ports + 0}]
    irscan fantree.chip 3
}

# Sets the key that writes in band need; 0: nobody has it.
proc fantree_key {key} {
    irscan fantree.chip 4
    drscan fantree.chip 32 [expr {$key + 0}]
}

# Asks, and gives the answer to what was asked before: value, status, whether there are more values, whether it is one. The
# cycles afterwards are those that an access takes; if they are too few, the next scan brings no answer, and is repeated.
proc fantree_scan {data kind} {
    set answer [drscan fantree.chip 32 [expr {$data + 0}] 5 $kind 1 0 1 0]
    runtest 8
    return $answer
}

# Waits for the answer, and asks for what comes next with the same scan; anything wrong is an error.
proc fantree_answer {{data 0} {kind 0}} {
    for {set tries 0} {$tries < 100} {incr tries} {
        lassign [fantree_scan $data $kind] value status more valid
        if {"0x$valid"} {
            if {"0x$status"} { error "the chip refuses: status 0x$status" }
            return [list "0x$value" "0x$more"]
        }
    }
    error "the chip does not answer"
}

# Writes words to consecutive addresses of all these ports at once, or to consecutive entries of so many words: one scan a
# word.
proc fantree_write {address ports words {entry 0}} {
    fantree_setup 0 0 $address $ports $entry
    fantree_scan [lindex $words 0] 1
    foreach word [lrange $words 1 end] {
        fantree_answer $word 1
    }
    fantree_answer
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
