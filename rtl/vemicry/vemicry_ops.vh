// Operations inside the vector unit: the function codes of the encoding (VeMICry paper, appendix A),
// and behind them what has no code of its own.
// Made from the instruction records of src/vemicry by `make vemicry-tables`.
`ifndef VEMICRY_OPS_VH
`define VEMICRY_OPS_VH
`define OP_VXOR 6'h00
`define OP_VBCROTR 6'h01
`define OP_VMPMUL 6'h02
`define OP_VSADDU 6'h03
`define OP_VADDU 6'h10
`define OP_VSPMULT 6'h11
`define OP_VSAMULT 6'h12
`define OP_VTRANSP 6'h13
`define OP_VWSHL 6'h14
`define OP_VWSHR 6'h15
`define OP_VLOAD 6'h20
`define OP_VSTORE 6'h21
`define OP_VBYTELD 6'h22
`define OP_VSMOVE 6'h30
`define OP_VEXTRACT 6'h31
`define OP_COPY 6'h38           // VTRANSP with n = 0
`define OP_READ_CONTROL 6'h39   // CFC2, MFVCR among them; n is the control register
`define OP_WRITE_CONTROL 6'h3a  // CTC2, MTVCR among them
`endif
