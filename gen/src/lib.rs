//! Configuration and Verilog back end of fantree.
