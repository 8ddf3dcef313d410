// Why the scalar core stopped.
`ifndef VEMICRY_TRAPS_VH
`define VEMICRY_TRAPS_VH
`define TRAP_NONE 4'd0
`define TRAP_RESERVED 4'd1
`define TRAP_ADDRESS 4'd2
`define TRAP_OVERFLOW 4'd3
`define TRAP_SYSCALL 4'd4
`define TRAP_BREAK 4'd5
`define TRAP_COPROCESSOR 4'd6
`endif
