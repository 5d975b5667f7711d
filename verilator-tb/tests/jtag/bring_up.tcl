# Brings up the chip of the test: supernode 7, and number n leads to port n, at all four ports at once. Then it may be
# written in band.

fantree_write 0x9002 0b0101 {0x1234}
echo "error limits: [fantree_read 0x9002 0b1111]"
fantree_write 0x9001 0xf 1
fantree_key 0x600df00d
fantree_write 0x9000 0xf 7
for {set number 0} {$number < 4} {incr number} {
    fantree_write [expr {16 * $number}] 0xf [list [expr {0x40 | $number}] 0]
}
shutdown
