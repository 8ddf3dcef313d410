// A VeMICry: the scalar core and the vector unit, with their memories outside. Memories answer within
// the cycle; a slower one stops the clock until it has answered all that is asked of it, so that
// core and unit see each other as ever.
module vemicry_processor #(
    parameter Q = 8,
    parameter P = 8,
    parameter R = 8,
    parameter L = P  // the vector length at reset
) (
    input clk,
    input reset,
    input [31:0] reset_address,
    output [31:0] fetch_address,
    input [31:0] fetch_word,
    output data_load,
    output [3:0] data_store,
    output [31:0] data_address,
    output [31:0] data_out,
    input [31:0] data_in,
    output vector_load,
    output vector_lookup,
    output vector_store,
    output [R-1:0] vector_lanes,
    output [31:0] vector_address,
    output [32*R-1:0] vector_out,
    input [32*R-1:0] vector_in,
    output leaves,
    output [31:0] leaves_address,
    output retired,  // a vector instruction
    output [3:0] trap,
    output [31:0] trap_address
);
  wire issue_valid, issue_ready, issue_reserved, issue_misaligned;
  wire issue_operand_at_exm, issue_operand_at_exc, holds_load, holds_store, result_valid;
  wire [31:0] issue_insn, issue_scalar, result_next, result;
  wire [1:0] issue_late;
  wire [4:0] issue_operand, issue_result, result_register;
  vemicry_core core (
      .clk(clk), .reset(reset), .reset_address(reset_address), .fetch_address(fetch_address),
      .fetch_word(fetch_word), .memory_load(data_load), .memory_store(data_store),
      .memory_address(data_address), .memory_out(data_out), .memory_in(data_in),
      .issue_valid(issue_valid), .issue_insn(issue_insn), .issue_scalar(issue_scalar),
      .issue_late(issue_late), .issue_ready(issue_ready), .issue_reserved(issue_reserved),
      .issue_misaligned(issue_misaligned), .issue_operand(issue_operand),
      .issue_operand_at_exm(issue_operand_at_exm), .issue_operand_at_exc(issue_operand_at_exc),
      .issue_result(issue_result), .holds_load(holds_load), .holds_store(holds_store),
      .result_next(result_next), .result_register(result_register), .result_valid(result_valid),
      .result(result), .leaves(leaves), .leaves_address(leaves_address), .trap(trap),
      .trap_address(trap_address)
  );
  vemicry_unit #(.Q(Q), .P(P), .R(R), .L(L)) unit (
      .clk(clk), .reset(reset), .issue_valid(issue_valid), .issue_insn(issue_insn),
      .issue_scalar(issue_scalar), .issue_late(issue_late), .issue_ready(issue_ready),
      .issue_reserved(issue_reserved), .issue_misaligned(issue_misaligned),
      .issue_operand(issue_operand), .issue_operand_at_exm(issue_operand_at_exm),
      .issue_operand_at_exc(issue_operand_at_exc), .issue_result(issue_result),
      .holds_load(holds_load), .holds_store(holds_store), .memory_load(vector_load),
      .memory_lookup(vector_lookup), .memory_store(vector_store),
      .memory_lanes(vector_lanes), .memory_address(vector_address), .memory_out(vector_out), .memory_in(vector_in),
      .result_next(result_next), .result_valid(result_valid), .result_register(result_register),
      .result(result), .retired(retired)
  );
endmodule
