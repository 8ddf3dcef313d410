// What vemicry_decode.v knows of each function code: does the instruction have vk, R, vd, vj, n;
// does n count or number words; does it read vd; is it PIVI (section 4.3)?
// Made from the instruction records of src/vemicry by `make vemicry-tables`.
`OP_VXOR: fields = 9'b1_10110_000;
`OP_VBCROTR: fields = 9'b1_00111_000;
`OP_VMPMUL: fields = 9'b1_00110_000;
`OP_VSADDU: fields = 9'b1_01110_000;
`OP_VADDU: fields = 9'b1_10110_001;
`OP_VSPMULT: fields = 9'b1_01110_001;
`OP_VSAMULT: fields = 9'b1_01110_001;
`OP_VTRANSP: fields = 9'b1_00111_001;
`OP_VWSHL: fields = 9'b1_00111_001;
`OP_VWSHR: fields = 9'b1_00111_001;
`OP_VLOAD: fields = 9'b1_01101_100;
`OP_VSTORE: fields = 9'b1_01011_100;
`OP_VBYTELD: fields = 9'b1_01101_110;
`OP_VSMOVE: fields = 9'b1_01101_100;
`OP_VEXTRACT: fields = 9'b1_01011_100;
