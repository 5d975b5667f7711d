# Initialises all ports of a 40-port chip at once: supernode 7, all entries of both tables, eight candidates each.

# The words of an entry whose candidates are a port and the seven behind it.
proc entry {port} {
    set words {}
    foreach first {0 4} {
        set word 0
        for {set i 3} {$i >= 0} {incr i -1} {
            set word [expr {$word << 7 | 0x40 | ($port + $first + $i) % 40}]
        }
        lappend words $word
    }
    return $words
}

proc entries {count shift} {
    set words {}
    for {set number 0} {$number < $count} {incr number} {
        lappend words {*}[entry [expr {($number + $shift) % 40}]]
    }
    return $words
}

set all 0xffffffffff
fantree_write 0x9000 $all 7
fantree_write 0x0000 $all [entries 256 0] 2
fantree_write 0x4000 $all [entries 1024 1] 2
shutdown
