// Decoding of an instruction word (VeMICry paper, appendix A).
//
//            31    26 25 24   20 19  16 15  12 11    6 5     0
//   vector   | 010010 | 1 |  R   |  vd  |  vj  |   n   | funct |     vk = the low 4 bits of R
//   control  | 010010 | 00c10 | rt 20..16 | control register 15..11 | 0 |   c: written, not read
//
// A word is reserved if a field that its instruction does not have is not 0, if a vector register or
// a control register does not exist, or if a count is beyond P.
`include "vemicry_ops.vh"

module vemicry_decode #(
    parameter Q = 8,
    parameter P = 8,
    parameter LW = 4  // bits of a length
) (
    input [31:0] insn,
    input [LW-1:0] length,
    output reserved,
    output reg [5:0] op,
    output [3:0] vd,
    output [3:0] a,  // the register of the first operand
    output [3:0] b,
    output [5:0] n,
    output [4:0] scalar,  // the scalar register that gets a result
    output writes,        // to vd
    output reads_a,
    output reads_b,
    output takes_scalar,   // as second operand
    output pivi,           // needs its operands at EXM (section 4.3)
    output crosses,        // words go from lane to lane through the buffer
    output [LW-1:0] bound  // as many words are worked on; VEXTRACT: to the word before this
);
  wire is_vector = insn[31:25] == 7'b0100101;
  wire is_control = {insn[31:26], insn[25:24], insn[22:21]} == 10'b0100100010;
  wire [5:0] funct = insn[5:0];
  wire [4:0] control = insn[15:11];

  always @* begin
    if (is_control) op = insn[23] ? `OP_WRITE_CONTROL : `OP_READ_CONTROL;
    else if (funct == `OP_VTRANSP && insn[11:6] == 0) op = `OP_COPY;
    else op = funct;
  end

  // Which fields an instruction has, by its function code.
  reg [8:0] fields;
  wire known, has_vk, has_r, has_vd, has_vj, has_n, is_count, reads_vd, is_pivi;
  assign {known, has_vk, has_r, has_vd, has_vj, has_n, is_count, reads_vd, is_pivi} = fields;
  always @* begin
    case (funct)
      `include "vemicry_fields.vh"
      default: fields = 0;
    endcase
  end

  assign vd = insn[19:16];
  assign a = reads_vd ? vd : insn[15:12];
  assign b = insn[23:20];
  assign n = is_control ? {1'b0, control} : insn[11:6];
  assign scalar = is_control ? insn[20:16] : insn[24:20];

  localparam [4:0] kRegisters = Q[4:0];
  wire fields_wrong = !known || (insn[24] && !has_r) || (insn[23:20] != 0 && !has_r && !has_vk) ||
      (insn[19:16] != 0 && !has_vd) || (insn[15:12] != 0 && !has_vj) || (insn[11:6] != 0 && !has_n);
  wire registers_wrong = {1'b0, insn[19:16]} >= kRegisters || {1'b0, insn[15:12]} >= kRegisters ||
      (has_vk && {1'b0, insn[23:20]} >= kRegisters);
  wire [31:0] wide_n = {26'b0, n};
  wire count_wrong = is_count && wide_n > P;
  wire [31:0] wide_length = {{(32 - LW){1'b0}}, length};
  wire stride_wrong = op == `OP_VTRANSP && ((n != 1 && n != 2 && n != 4) || wide_length[1:0] != 0);
  wire control_wrong = insn[10:0] != 0 || control > 5 || (insn[23] && control != 0 && control != 2);
  assign reserved = is_vector ? fields_wrong || registers_wrong || count_wrong || stride_wrong :
                    !is_control || control_wrong;

  assign writes = is_vector && has_vd;
  assign reads_a = is_vector && (has_vj || reads_vd);
  assign reads_b = is_vector && has_vk;
  assign takes_scalar = has_r && !is_control;
  assign crosses = is_vector && (op == `OP_VTRANSP || op == `OP_VWSHL || op == `OP_VWSHR);
  assign pivi = is_vector && is_pivi && op != `OP_COPY;

  // Where counts are not reserved they fit into a length, but for n beyond 63.
  wire cut = is_count && op != `OP_VLOAD && n != 0 && wide_n < wide_length;  // VLOAD writes zeros behind
  assign bound = is_control ? {LW{1'b0}} :
                 cut || op == `OP_VEXTRACT ? wide_n[LW-1:0] : length;
endmodule
