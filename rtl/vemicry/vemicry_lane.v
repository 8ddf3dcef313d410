// A processing unit (VPU) from EXM to WB (VeMICry paper, section 4.3). An operand that an older
// instruction has at WB is taken from there, at EXM and at EXC: that is all forwarding. So is a
// scalar from the unit itself.
`include "vemicry_ops.vh"

module vemicry_lane (
    input clk,
    // DF
    input [31:0] df_a,
    input [31:0] df_b,
    // EXM
    input exm_take_a,  // the operand is at WB
    input exm_take_b,
    input exm_take_scalar,
    input exm_multiplies,
    input exm_polynomial,
    // EXC
    input [5:0] exc_op,
    input [4:0] exc_n,
    input exc_take_a,
    input exc_take_b,
    input exc_take_scalar,
    input exc_loaded,         // VLOAD: the word comes from memory
    input condition,          // VBCROTR: the word's bit of VCR
    input [7:0] polynomial,   // VMPMUL: low byte of VCR
    input [31:0] high_below,  // products: what the word below carries into this one
    input carry_below,
    input [31:0] crossed,  // from the crossbar
    input [31:0] memory_word,
    output [31:0] exc_a,      // first operand: to memory, to the scalar core
    output [31:0] exc_high,   // products: to the word above
    output carry,             // to the word above
    // WB
    input [31:0] wb_result,  // for a scalar register
    output reg [31:0] wb_word
);
  reg [31:0] exm_a, exm_b, exc_x, exc_y;

  // EXM: products. The multiplier rests where there is none.
  wire [31:0] factor_a = exm_take_a ? wb_word : exm_a;
  wire [31:0] factor_b = exm_take_scalar ? wb_result : exm_take_b ? wb_word : exm_b;
  wire [63:0] product;
  vemicry_multiplier multiplier (
      .a(factor_a),
      .b(factor_b & {32{exm_multiplies}}),
      .polynomial(exm_polynomial),
      .product(product)
  );
  always @(posedge clk) begin
    exm_a <= df_a;
    exm_b <= df_b;
    exc_x <= exm_multiplies ? product[31:0] : factor_a;
    exc_y <= exm_multiplies ? product[63:32] : factor_b;
  end

  // EXC: both sums, of which the carry from below selects one; all else.
  wire multiplied = exc_op == `OP_VSPMULT || exc_op == `OP_VSAMULT;
  assign exc_a = exc_take_a ? wb_word : exc_x;
  assign exc_high = exc_take_scalar ? wb_result : exc_take_b ? wb_word : exc_y;
  wire [31:0] addend = multiplied ? high_below : exc_high;
  wire [32:0] sum0 = {1'b0, exc_a} + {1'b0, addend};
  wire [32:0] sum1 = {1'b0, exc_a} + {1'b0, addend} + 33'b1;
  wire select = carry_below && exc_op != `OP_VSADDU;
  wire [32:0] sum = select ? sum1 : sum0;
  assign carry = sum[32];

  wire [4:0] amount = condition ? exc_n : 5'b0;
  wire [31:0] rotated, unused_rotated;
  assign {unused_rotated, rotated} = {exc_a, exc_a} >> amount;
  wire [31:0] times_x;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : byte_times_x
      assign times_x[8*i+:8] = {exc_a[8*i+:7], 1'b0} ^ (exc_a[8*i+7] ? polynomial : 8'b0);
    end
  endgenerate

  reg [31:0] result;
  always @*
    case (exc_op)
      `OP_VADDU, `OP_VSADDU, `OP_VSAMULT: result = sum[31:0];
      `OP_VXOR, `OP_VSPMULT: result = exc_a ^ addend;
      `OP_VBCROTR: result = rotated;
      `OP_VMPMUL: result = times_x;
      `OP_VTRANSP, `OP_VWSHL, `OP_VWSHR: result = crossed;
      `OP_VLOAD: result = exc_loaded ? memory_word : 32'b0;
      `OP_VBYTELD: result = memory_word;
      `OP_VSMOVE: result = exc_high;
      default: result = exc_a;
    endcase
  always @(posedge clk) wb_word <= result;
endmodule
