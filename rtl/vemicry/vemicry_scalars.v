// The registers of the unit that hold one word: VCR, CAR (VeMICry paper, section 4.2), and between
// iterations the carries from the last lane to the first one; and what goes to a scalar register.
// All are read and written at EXC, so that instructions meet them in order.
`include "vemicry_ops.vh"

module vemicry_scalars #(
    parameter Q  = 8,
    parameter P  = 8,
    parameter R  = 8,
    parameter LW = 4
) (
    input clk,
    input reset,
    input exc_valid,
    input [5:0] exc_op,
    input [5:0] exc_n,
    input [LW:0] exc_word,
    input exc_first,
    input exc_last,
    input [R-1:0] exc_active,
    input [31:0] exc_scalar,
    input [LW-1:0] exc_length,
    input [32*R-1:0] exc_a,
    input [31:0] high_last,  // of lane R - 1
    input [31:0] high_top,   // of word P - 1
    input [R-1:0] carry,
    input [31:0] word_p,  // of VWSHL
    output reg [31:0] vcr,
    output reg [31:0] car,
    output [31:0] high_before,  // what the words below lane 0's carry into it
    output carry_before,
    output [31:0] exc_out,  // for a scalar register
    output reg [31:0] wb_result
);
  localparam kTop = (P - 1) % R;  // the lane of word P - 1
  localparam [LW-1:0] kWords = P[LW-1:0];

  reg [31:0] kept_high;
  reg kept_carry;
  always @(posedge clk) begin
    kept_high <= high_last;
    kept_carry <= carry[R-1];
  end
  assign high_before = exc_first ? 32'b0 : kept_high;
  assign carry_before = !exc_first && kept_carry;

  // CAR belongs to the whole register: with a shorter length it is not written.
  wire writes_car = exc_valid && exc_length == kWords;
  wire adds = exc_op == `OP_VADDU;
  wire polynomial = exc_op == `OP_VSPMULT;
  wire product = exc_op == `OP_VSAMULT || polynomial;
  wire [31:0] top_carry = {31'b0, carry[kTop] && !polynomial};
  wire [31:0] carries;
  wire [R-1:0] unused_carries;
  assign {unused_carries, carries} = {32'b0, carry & exc_active} << exc_word;
  always @(posedge clk)
    if (reset) car <= 0;
    else if (writes_car) begin
      if (exc_op == `OP_VSADDU) car <= (exc_first ? 32'b0 : car) | carries;
      else if (exc_last && (adds || product))
        car <= (adds ? car : high_top) + top_carry;
      else if (exc_last && exc_op == `OP_VWSHL && exc_n != 0) car <= word_p;
    end

  always @(posedge clk)
    if (reset) vcr <= 0;
    else if (exc_valid && exc_op == `OP_WRITE_CONTROL && exc_n == 0) vcr <= exc_scalar;

  // VEXTRACT: its word is in one of the lanes.
  wire [31:0] wide_word = {{(31 - LW){1'b0}}, exc_word};
  localparam RW = R > 1 ? $clog2(R) : 1;
  wire [RW-1:0] lane;
  wire [31:0] unused_lane;
  assign {unused_lane, lane} = {{RW{1'b0}}, {26'b0, exc_n} - 32'd1 - wide_word};
  wire [31:0] extracted = exc_a[32*lane+:32];
  reg [31:0] control;
  always @*
    case (exc_n)
      6'd0: control = vcr;
      6'd1: control = car;
      6'd2: control = {{(32 - LW){1'b0}}, exc_length};
      6'd3: control = P;
      6'd4: control = Q;
      default: control = R;
    endcase
  assign exc_out = exc_op != `OP_VEXTRACT ? control : exc_n == 0 ? car : extracted;
  always @(posedge clk) wb_result <= exc_out;
endmodule
