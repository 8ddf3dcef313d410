// Issue and the control of the stages (VeMICry paper, section 4.3 and table 2). An instruction
// passes DF once for every R words, so that the next one follows after that many cycles. It waits
//   a cycle behind one of a single iteration if it is a PIVI and needs its result (table 2);
//   a cycle behind another one that crosses lanes: they share the buffer of the crossbar;
//   until all have ended, if it sets the vector length.
`include "vemicry_ops.vh"

module vemicry_control #(
    parameter Q  = 8,
    parameter P  = 8,
    parameter R  = 8,
    parameter GW = 1,
    parameter LW = 4
) (
    input clk,
    input reset,
    // ID, of the scalar core
    input issue_valid,
    input [31:0] issue_insn,
    input [31:0] issue_scalar,
    output issue_ready,
    output issue_reserved,
    output issue_misaligned,
    output reg [LW-1:0] length,
    // DF
    output [3:0] df_a,
    output [3:0] df_b,
    output reg [GW-1:0] df_group,
    output reg df_takes_scalar,
    output reg [31:0] df_scalar,  // SBI
    output df_loads_buffer,
    // EXM
    output exm_take_a,
    output exm_take_b,
    output exm_multiplies,
    output exm_polynomial,
    // EXC
    output reg exc_valid,
    output [5:0] exc_op,
    output [5:0] exc_n,
    output reg [LW:0] exc_word,
    output reg exc_first,
    output reg exc_last,
    output [R-1:0] exc_active,   // lanes whose word is worked on
    output [R-1:0] exc_counted,  // lanes whose word number is below n, or n = 0
    output exc_take_a,
    output exc_take_b,
    output reg [31:0] exc_scalar,  // an address is that of lane 0's word
    output [4:0] exc_result,       // number of the scalar register
    output follow,
    // WB
    output reg wb_retires,
    output reg [R-1:0] wb_write,
    output reg [3:0] wb_register,
    output reg [GW-1:0] wb_group
);
  localparam EW = LW + 1;
  wire [5:0] op, n;
  wire [3:0] vd, a, b;
  wire [4:0] result;
  wire writes, reads_a, reads_b, takes_scalar, pivi, crosses;
  wire [LW-1:0] bound;
  vemicry_decode #(.Q(Q), .P(P), .LW(LW)) decode (
      .insn(issue_insn), .length(length), .reserved(issue_reserved), .op(op), .vd(vd), .a(a), .b(b),
      .n(n), .scalar(result), .writes(writes), .reads_a(reads_a), .reads_b(reads_b),
      .takes_scalar(takes_scalar), .pivi(pivi), .crosses(crosses), .bound(bound)
  );
  wire strided = op == `OP_VLOAD || op == `OP_VSTORE;
  assign issue_misaligned = !issue_reserved && strided && issue_scalar[1:0] != 0;

  // VEXTRACT has one iteration: that of its word. All others begin with word 0.
  localparam kFewLanes = R < 63 ? R : 63;  // more lanes have word n - 1 in group 0 anyway
  localparam [EW-1:0] kLanes = R[EW-1:0];
  localparam [LW-1:0] kWords = P[LW-1:0];
  wire [5:0] last_word = n - 6'd1;
  wire starts_within = op == `OP_VEXTRACT && n != 0;
  wire [5:0] start_group = starts_within ? last_word / kFewLanes[5:0] : 6'd0;
  wire [31:0] start_word = {26'b0, start_group} * R;
  wire [31:0] wide_start_group = {26'b0, start_group};

  // What accompanies an instruction from DF to EXC, and what an iteration.
  localparam CW = 6 + 3 * 4 + 4 + 6 + 5 + LW;
  reg [CW-1:0] df_insn, exm_insn, exc_insn;
  reg df_valid, df_first, exm_valid, exm_first, exm_last;
  reg [EW-1:0] df_word, exm_word;
  reg [GW-1:0] exm_group, exc_group;
  reg [31:0] exm_scalar;

  wire [5:0] df_op, exm_op, df_n, exm_n;
  wire [3:0] df_vd, exm_vd, exm_a, exm_b, exc_vd, exc_a, exc_b;
  wire df_writes, df_reads_a, df_reads_b, df_crosses;
  wire exm_writes, exm_reads_a, exm_reads_b, exm_crosses;
  wire exc_writes, exc_reads_a, exc_reads_b, exc_crosses;
  wire [4:0] df_result, exm_result;
  wire [LW-1:0] df_bound, exm_bound, exc_bound;
  assign {df_op, df_vd, df_a, df_b, df_writes, df_reads_a, df_reads_b, df_crosses, df_n, df_result,
          df_bound} = df_insn;
  assign {exm_op, exm_vd, exm_a, exm_b, exm_writes, exm_reads_a, exm_reads_b, exm_crosses, exm_n,
          exm_result, exm_bound} = exm_insn;
  assign {exc_op, exc_vd, exc_a, exc_b, exc_writes, exc_reads_a, exc_reads_b, exc_crosses, exc_n,
          exc_result, exc_bound} = exc_insn;

  // ID
  wire df_last = df_word + kLanes >= {1'b0, df_bound};
  wire needs_df = df_writes && ((reads_a && a == df_vd) || (reads_b && b == df_vd));
  wire sets_length = op == `OP_WRITE_CONTROL && n == 2;
  wire waits = (df_valid && pivi && df_first && needs_df) || (df_valid && crosses && df_crosses) ||
      (sets_length && (df_valid || exm_valid || exc_valid || wb_retires));
  assign issue_ready = (!df_valid || df_last) && !waits && !issue_reserved && !issue_misaligned;
  wire accepted = issue_valid && issue_ready;
  wire length_right = issue_scalar != 0 && issue_scalar <= P;
  always @(posedge clk)
    if (reset) length <= kWords;
    else if (accepted && sets_length) length <= length_right ? issue_scalar[LW-1:0] : kWords;

  // DF
  always @(posedge clk) begin
    df_valid <= !reset && (accepted || (df_valid && !df_last));
    df_first <= accepted;
    df_word <= accepted ? start_word[EW-1:0] : df_word + kLanes;
    df_group <= accepted ? wide_start_group[GW-1:0] : df_group + 1'b1;
    if (accepted) begin
      df_insn <= {op, vd, a, b, writes, reads_a, reads_b, crosses, n, result, bound};
      df_takes_scalar <= takes_scalar;
      df_scalar <= issue_scalar;
    end
  end
  assign df_loads_buffer = df_valid && df_first && df_crosses;
  wire df_strided = df_op == `OP_VLOAD || df_op == `OP_VSTORE;
  wire [31:0] df_offset = {{(30 - EW){1'b0}}, df_word, 2'b0};

  // EXM
  always @(posedge clk) begin
    exm_valid <= !reset && df_valid;
    exm_insn <= df_insn;
    {exm_first, exm_last} <= {df_first, df_last};
    exm_word <= df_word;
    exm_group <= df_group;
    exm_scalar <= df_scalar + (df_strided ? df_offset : 32'b0);
  end
  wire at_exm = wb_group == exm_group;
  assign exm_take_a = at_exm && exm_reads_a && wb_register == exm_a;
  assign exm_take_b = at_exm && exm_reads_b && wb_register == exm_b;
  assign exm_polynomial = exm_op == `OP_VSPMULT;
  assign exm_multiplies = exm_polynomial || exm_op == `OP_VSAMULT;

  // EXC
  always @(posedge clk) begin
    exc_valid <= !reset && exm_valid;
    exc_insn <= exm_insn;
    {exc_first, exc_last} <= {exm_first, exm_last};
    exc_word <= exm_word;
    exc_group <= exm_group;
    exc_scalar <= exm_scalar;
  end
  wire exc_product = exc_op == `OP_VSPMULT || exc_op == `OP_VSAMULT;
  wire at_exc = wb_group == exc_group && !exc_product;  // what was an operand is a product there
  assign exc_take_a = at_exc && exc_reads_a && wb_register == exc_a;
  assign exc_take_b = at_exc && exc_reads_b && wb_register == exc_b;
  assign follow = (exm_valid && exm_first && exm_crosses) || (exc_valid && exc_first && exc_crosses);
  genvar lane;
  generate
    for (lane = 0; lane < R; lane = lane + 1) begin : lanes
      localparam [EW-1:0] kLane = lane;
      wire [EW-1:0] word = exc_word + kLane;
      assign exc_active[lane] = word < {1'b0, exc_bound};
      assign exc_counted[lane] = exc_n == 0 || {6'b0, word} < {{EW{1'b0}}, exc_n};
    end
  endgenerate

  // WB
  always @(posedge clk) begin
    wb_retires <= !reset && exc_valid && exc_last;
    wb_write <= exc_active & {R{!reset && exc_valid && exc_writes}};
    wb_register <= exc_vd;
    wb_group <= exc_group;
  end
endmodule
