// The product of two words, of numbers or of polynomials over GF(2), whose additions are those of
// numbers without carries: one tree of carry-save adders serves both. Work of the stage EXM
// (VeMICry paper, section 4.3).
module vemicry_multiplier (
    input [31:0] a,
    input [31:0] b,
    input polynomial,
    output [63:0] product
);
  // The rows of a level: 32 22 15 10 7 5 4 3 2. Of every three two remain.
  localparam kLevels = 8;
  function integer num_rows(input integer level);
    integer k;
    begin
      num_rows = 32;
      for (k = 0; k < level; k = k + 1) num_rows = num_rows - num_rows / 3;
    end
  endfunction

  genvar level, i;
  generate
    for (level = 0; level <= kLevels; level = level + 1) begin : tree
      localparam kRows = num_rows(level);
      wire [64*kRows-1:0] rows;
      if (level == 0) begin : first
        for (i = 0; i < 32; i = i + 1) begin : partial
          assign rows[64*i+:64] = {32'b0, a & {32{b[i]}}} << i;
        end
      end else begin : reduce
        localparam kAbove = num_rows(level - 1);
        for (i = 0; i < kAbove / 3; i = i + 1) begin : add
          wire [63:0] x, y, z;
          assign {z, y, x} = tree[level-1].rows[64*3*i+:64*3];
          wire [62:0] carries = ((x[62:0] & y[62:0]) | (z[62:0] & (x[62:0] ^ y[62:0]))) &
              {63{!polynomial}};
          assign rows[64*2*i+:64*2] = {carries, 1'b0, x ^ y ^ z};
        end
        if (kAbove % 3 != 0) begin : pass
          assign rows[64*kRows-1:64*(kAbove/3*2)] =
              tree[level-1].rows[64*kAbove-1:64*(kAbove/3*3)];
        end
      end
    end
  endgenerate
  assign product = tree[kLevels].rows[63:0] + tree[kLevels].rows[127:64];
endmodule
