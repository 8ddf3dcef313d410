// The vector unit of a VeMICry (VeMICry paper, section 4): R lanes, the registers of each, the
// crossbar between them and their control. Q, P, R are the paper's q, p, r; L is the length at reset.
//
//   ID    the scalar core offers an instruction word with the value of its scalar register; it is
//         accepted at the end of a cycle with issue_ready. issue_reserved and issue_misaligned say
//         why it never will be: exceptions of the scalar core. issue_operand is the register it
//         reads, issue_result the one that it writes (0: none). A value that the unit itself is
//         still making is late: it is at WB 2 or 3 cycles after ID (issue_late; 0: not late), where
//         products can take it by EXM (issue_operand_at_exm), and others by EXC.
//   DF    holds_load, holds_store: what is there accesses memory, at EXC.
//   EXC   memory answers within the cycle. A load, a store or a lookup concerns the words of
//         memory_lanes, the first lanes: the word at memory_address + 4 j belongs to lane j; a lookup
//         replaces each byte of lane j's word by the one at memory_address plus it, in its table. result_next is what WB has next.
//   WB    result_valid: result goes to scalar register number result_register (0: to none).
//         retired: the instruction has ended; the registers have its results from the next cycle on.
`include "vemicry_ops.vh"

module vemicry_unit #(
    parameter Q = 8,
    parameter P = 8,
    parameter R = 8,
    parameter L = P
) (
    input clk,
    input reset,
    input issue_valid,
    input [31:0] issue_insn,
    input [31:0] issue_scalar,
    input [1:0] issue_late,
    output issue_ready,
    output issue_reserved,
    output issue_misaligned,
    output [4:0] issue_operand,
    output issue_operand_at_exm,
    output issue_operand_at_exc,
    output [4:0] issue_result,
    output holds_load,
    output holds_store,
    output memory_load,
    output memory_lookup,
    output memory_store,
    output [R-1:0] memory_lanes,
    output [31:0] memory_address,
    output [32*R-1:0] memory_out,  // what is stored, or what indexes the tables
    input [32*R-1:0] memory_in,
    output [31:0] result_next,
    output reg result_valid,
    output reg [4:0] result_register,
    output [31:0] result,
    output retired
);
  localparam G = (P + R - 1) / R;         // words of a register in a lane
  localparam GW = G > 1 ? $clog2(G) : 1;  // bits of such a word's number
  localparam LW = $clog2(P + 1);          // bits of a length

  wire [3:0] df_a, df_b, exm_a, exc_register_a;
  wire [GW-1:0] df_group;
  wire df_takes_scalar, df_crosses;
  wire [31:0] df_scalar;
  wire exm_crosses_first, exm_take_a, exm_take_b, exm_take_scalar, exm_multiplies, exm_polynomial;
  wire exc_valid, exc_first, exc_last, exc_crosses_first, exc_take_a, exc_take_b, exc_take_scalar;
  wire [5:0] exc_op, exc_n;
  wire [LW:0] exc_word;
  wire [LW-1:0] exc_length;
  wire [R-1:0] exc_active, exc_counted;
  wire [31:0] exc_scalar;
  wire [4:0] exc_result;
  wire [R-1:0] wb_write;
  wire [3:0] wb_register;
  wire [GW-1:0] wb_group;
  vemicry_control #(.Q(Q), .P(P), .R(R), .GW(GW), .LW(LW), .L(L)) control (
      .clk(clk), .reset(reset), .issue_valid(issue_valid), .issue_insn(issue_insn),
      .issue_scalar(issue_scalar), .issue_late(issue_late), .issue_ready(issue_ready),
      .issue_reserved(issue_reserved), .issue_misaligned(issue_misaligned),
      .issue_operand(issue_operand), .issue_operand_at_exm(issue_operand_at_exm),
      .issue_operand_at_exc(issue_operand_at_exc), .issue_result(issue_result),
      .holds_load(holds_load), .holds_store(holds_store), .df_a(df_a), .df_b(df_b),
      .df_group(df_group), .df_takes_scalar(df_takes_scalar), .df_scalar(df_scalar), .df_crosses(df_crosses),
      .exm_crosses_first(exm_crosses_first), .exm_a(exm_a), .exm_take_a(exm_take_a),
      .exm_take_b(exm_take_b), .exm_take_scalar(exm_take_scalar),
      .exm_multiplies(exm_multiplies), .exm_polynomial(exm_polynomial), .exc_valid(exc_valid),
      .exc_op(exc_op), .exc_n(exc_n), .exc_word(exc_word), .exc_first(exc_first),
      .exc_last(exc_last), .exc_active(exc_active), .exc_counted(exc_counted),
      .exc_crosses_first(exc_crosses_first), .exc_a(exc_register_a), .exc_take_a(exc_take_a),
      .exc_take_b(exc_take_b), .exc_take_scalar(exc_take_scalar), .exc_scalar(exc_scalar),
      .exc_result(exc_result), .exc_length(exc_length), .wb_retires(retired),
      .wb_write(wb_write), .wb_register(wb_register), .wb_group(wb_group), .wb_result(result)
  );

  wire [32*R-1:0] exc_a, exc_high, crossed, wb_words;
  wire [R-1:0] carry;
  wire [31:0] vcr, car, high_before, word_p;
  wire carry_before;
  vemicry_scalars #(.Q(Q), .P(P), .R(R), .LW(LW)) scalars (
      .clk(clk), .reset(reset), .exc_valid(exc_valid), .exc_op(exc_op), .exc_n(exc_n),
      .exc_word(exc_word), .exc_first(exc_first), .exc_last(exc_last), .exc_active(exc_active),
      .exc_scalar(exc_scalar), .exc_length(exc_length), .exc_a(exc_a),
      .high_last(exc_high[32*(R-1)+:32]), .high_top(exc_high[32*((P-1)%R)+:32]), .carry(carry), .word_p(word_p), .vcr(vcr), .car(car), .high_before(high_before),
      .carry_before(carry_before), .exc_out(result_next), .wb_result(result)
  );

  wire [32*G*R-1:0] register_a;
  vemicry_crossbar #(.P(P), .R(R), .G(G), .GW(GW), .LW(LW)) crossbar (
      .clk(clk), .load(df_crosses), .register_a(register_a), .exm_first(exm_crosses_first), .exm_a(exm_a),
      .exc_first(exc_crosses_first), .exc_a(exc_register_a), .exc_op(exc_op), .exc_n(exc_n),
      .exc_word(exc_word), .length(exc_length), .car(car), .crossed(crossed), .word_p(word_p),
      .wb_write(wb_write), .wb_register(wb_register), .wb_group(wb_group), .wb_words(wb_words)
  );

  genvar j;
  generate
    for (j = 0; j < R; j = j + 1) begin : lanes
      localparam [LW:0] kLane = j;
      wire [31:0] word_a, word_b, high_below;
      wire carry_below;
      wire [4:0] number;
      wire [LW:0] unused_number;
      assign {unused_number, number} = {5'b0, exc_word + kLane};
      if (j == 0) begin : lowest
        assign high_below = high_before;
        assign carry_below = carry_before;
      end else begin : higher
        assign high_below = exc_high[32*(j-1)+:32];
        assign carry_below = carry[j-1];
      end
      vemicry_slice #(.Q(Q), .G(G), .GW(GW)) slice (
          .clk(clk), .reset(reset), .write(wb_write[j]), .write_register(wb_register),
          .write_group(wb_group), .write_word(wb_words[32*j+:32]), .a(df_a), .b(df_b),
          .group(df_group), .all_a(register_a[32*G*j+:32*G]), .word_a(word_a), .word_b(word_b)
      );
      vemicry_lane lane (
          .clk(clk), .df_a(word_a), .df_b(df_takes_scalar ? df_scalar : word_b),
          .exm_take_a(exm_take_a && wb_write[j]), .exm_take_b(exm_take_b && wb_write[j]),
          .exm_take_scalar(exm_take_scalar), .exm_multiplies(exm_multiplies),
          .exm_polynomial(exm_polynomial), .exc_op(exc_op), .exc_n(exc_n[4:0]),
          .exc_take_a(exc_take_a && wb_write[j]), .exc_take_b(exc_take_b && wb_write[j]),
          .exc_take_scalar(exc_take_scalar), .exc_loaded(exc_counted[j]),
          .condition(vcr[number]), .polynomial(vcr[7:0]), .high_below(high_below),
          .carry_below(carry_below), .crossed(crossed[32*j+:32]),
          .memory_word(memory_in[32*j+:32]), .exc_a(exc_a[32*j+:32]),
          .exc_high(exc_high[32*j+:32]), .carry(carry[j]), .wb_result(result),
          .wb_word(wb_words[32*j+:32])
      );
    end
  endgenerate

  assign memory_lanes = exc_active & exc_counted;
  wire asks = exc_valid && memory_lanes != 0;
  assign memory_load = asks && exc_op == `OP_VLOAD;
  assign memory_lookup = asks && exc_op == `OP_VBYTELD;
  assign memory_store = asks && exc_op == `OP_VSTORE;
  assign memory_address = exc_scalar;
  assign memory_out = exc_a;

  always @(posedge clk) begin
    result_valid <= !reset && exc_valid && (exc_op == `OP_VEXTRACT || exc_op == `OP_READ_CONTROL);
    result_register <= exc_result;
  end
endmodule
