// HI and LO of the scalar core: four bits of a product or one of a quotient in a cycle, of absolute
// values, and the signs in a last one. MFLO leaves ID 10 cycles after MULT, and 34 after DIV. A
// division by zero leaves the dividend in HI and in LO what comes of itself.
module vemicry_hilo (
    input clk,
    input reset,
    input begins,       // EX has MULT 0, MULTU 1, DIV 2, DIVU 3
    input moves,        // EX has MFHI 0, MTHI 1, MFLO 2, MTLO 3
    input [1:0] funct,
    input [31:0] a,
    input [31:0] b,
    output reg [31:0] hi,
    output reg [31:0] lo,
    output busy
);
  reg [31:0] factor;
  reg [5:0] steps;
  reg divides, ends, negates_hi, negates_lo;
  wire is_signed = !funct[0];
  wire [31:0] absolute_a = is_signed && a[31] ? -a : a, absolute_b = is_signed && b[31] ? -b : b;
  wire [35:0] partial = {4'b0, hi} + ({4'b0, factor} & {36{lo[0]}}) +
      ({3'b0, factor, 1'b0} & {36{lo[1]}}) + ({2'b0, factor, 2'b0} & {36{lo[2]}}) +
      ({1'b0, factor, 3'b0} & {36{lo[3]}});
  wire [32:0] remainder = {hi, lo[31]};
  wire [32:0] difference = remainder - {1'b0, factor};
  wire fits = !difference[32];
  assign busy = begins || steps != 0;
  always @(posedge clk)
    if (reset) begin
      {steps, ends} <= 0;
      {hi, lo} <= 0;
    end else if (begins) begin
      steps <= funct[1] ? 6'd32 : 6'd8;
      divides <= funct[1];
      ends <= 1;
      negates_hi <= is_signed && a[31] ^ (b[31] & !funct[1]);
      negates_lo <= is_signed && a[31] ^ b[31];
      factor <= funct[1] ? absolute_b : absolute_a;
      {hi, lo} <= {32'b0, funct[1] ? absolute_a : absolute_b};
    end else if (steps != 0) begin
      steps <= steps - 6'd1;
      if (divides) {hi, lo} <= {fits ? difference[31:0] : remainder[31:0], lo[30:0], fits};
      else {hi, lo} <= {partial, lo[31:4]};
    end else if (ends) begin
      ends <= 0;
      if (negates_lo) lo <= -lo;
      if (negates_hi) hi <= ~hi + {31'b0, divides || lo == 0};
    end else if (moves && funct[0]) begin
      if (funct[1]) lo <= a;
      else hi <= a;
    end
endmodule
