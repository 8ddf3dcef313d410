// Issue and the control of the stages (VeMICry paper, section 4.3 and table 2). An instruction
// passes DF once for every R words, so that the next one follows after that many cycles. A PIVI that
// needs the result of one of a single iteration waits a cycle behind it (table 2). A scalar operand
// may come from the unit itself, up to EXC: then it is late.
`include "vemicry_ops.vh"

module vemicry_control #(
    parameter Q  = 8,
    parameter P  = 8,
    parameter R  = 8,
    parameter GW = 1,
    parameter LW = 4,
    parameter L  = 8
) (
    input clk,
    input reset,
    // ID, of the scalar core
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
    output [4:0] issue_result,  // 0: none
    output holds_load,
    output holds_store,
    // DF
    output [3:0] df_a,
    output [3:0] df_b,
    output reg [GW-1:0] df_group,
    output reg df_takes_scalar,
    output [31:0] df_scalar,
    output df_crosses,
    // EXM
    output exm_crosses_first,
    output [3:0] exm_a,
    output exm_take_a,
    output exm_take_b,
    output exm_take_scalar,
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
    output exc_crosses_first,
    output [3:0] exc_a,
    output exc_take_a,
    output exc_take_b,
    output exc_take_scalar,
    output [31:0] exc_scalar,  // an address is that of lane 0's word
    output [4:0] exc_result,   // number of the scalar register
    output [LW-1:0] exc_length,
    // WB
    output reg wb_retires,
    output reg [R-1:0] wb_write,
    output reg [3:0] wb_register,
    output reg [GW-1:0] wb_group,
    input [31:0] wb_result
);
  localparam EW = LW + 1;
  wire [5:0] op, n;
  wire [3:0] vd, a, b;
  wire [4:0] scalar;
  wire writes, reads_a, reads_b, takes_scalar, pivi, crosses;
  wire [LW-1:0] bound;
  reg [LW-1:0] length;
  vemicry_decode #(.Q(Q), .P(P), .LW(LW)) decode (
      .insn(issue_insn), .length(length), .reserved(issue_reserved), .op(op), .vd(vd), .a(a), .b(b),
      .n(n), .scalar(scalar), .writes(writes), .reads_a(reads_a), .reads_b(reads_b),
      .takes_scalar(takes_scalar), .pivi(pivi), .crosses(crosses), .bound(bound)
  );
  wire strided = op == `OP_VLOAD || op == `OP_VSTORE;
  assign issue_misaligned = !issue_reserved && strided && issue_scalar[1:0] != 0;
  wire sets_length = op == `OP_WRITE_CONTROL && n == 2;
  wire has_result = op == `OP_VEXTRACT || op == `OP_READ_CONTROL;
  assign issue_operand = has_result || !(takes_scalar || op == `OP_WRITE_CONTROL) ? 5'd0 : scalar;
  assign issue_operand_at_exm = op == `OP_VSPMULT || op == `OP_VSAMULT;
  assign issue_operand_at_exc = op == `OP_VSADDU || op == `OP_VSMOVE || (op == `OP_WRITE_CONTROL && n == 0);
  assign issue_result = has_result ? scalar : 5'd0;

  // VEXTRACT has one iteration: that of its word. All others begin with word 0.
  localparam kFewLanes = R < 63 ? R : 63;  // more lanes have word n - 1 in group 0 anyway
  localparam [EW-1:0] kLanes = R[EW-1:0];
  localparam [LW-1:0] kWords = P[LW-1:0];
  wire [5:0] last_word = n - 6'd1;
  wire starts_within = op == `OP_VEXTRACT && n != 0;
  wire [5:0] start_group = starts_within ? last_word / kFewLanes[5:0] : 6'd0;
  wire [EW-1:0] start_word;
  wire [GW-1:0] start_at;
  wire [31:0] unused_word, unused_group;
  assign {unused_word, start_word} = {{EW{1'b0}}, {26'b0, start_group} * R};
  assign {unused_group, start_at} = {{GW{1'b0}}, {26'b0, start_group}};

  // What accompanies an instruction from DF to EXC, and what an iteration.
  localparam CW = 6 + 3 * 4 + 4 + 6 + 5 + 2 * LW;
  reg [CW-1:0] df_insn, exm_insn, exc_insn;
  reg df_valid, df_first, exm_valid, exm_first, exm_last;
  reg [EW-1:0] df_word, exm_word;
  reg [GW-1:0] exm_group, exc_group;
  reg [31:0] sbi, exm_scalar, exc_kept;
  // A late scalar is at WB in this cycle (1), in the next one (2), or in that behind it (3).
  reg [1:0] df_late, exm_late, exc_late;
  wire [1:0] df_late_next = df_late == 0 ? 2'd0 : df_late - 2'd1;

  localparam kLength = 0, kBound = LW, kResult = 2 * LW, kN = kResult + 5, kCrosses = kN + 6;
  localparam kReadsB = kCrosses + 1, kReadsA = kReadsB + 1, kWrites = kReadsA + 1;
  localparam kB = kWrites + 1, kA = kB + 4, kVd = kA + 4, kOp = kVd + 4;
  wire [5:0] df_op = df_insn[kOp+:6], exm_op = exm_insn[kOp+:6];
  wire [3:0] df_vd = df_insn[kVd+:4], exc_vd = exc_insn[kVd+:4];
  wire [3:0] exm_b = exm_insn[kB+:4], exc_b = exc_insn[kB+:4];
  wire exm_reads_a = exm_insn[kReadsA], exc_reads_a = exc_insn[kReadsA];
  wire exm_reads_b = exm_insn[kReadsB], exc_reads_b = exc_insn[kReadsB];
  wire df_writes = df_insn[kWrites], exc_writes = exc_insn[kWrites];
  wire exm_crosses = exm_insn[kCrosses], exc_crosses = exc_insn[kCrosses];
  wire [LW-1:0] df_bound = df_insn[kBound+:LW], exc_bound = exc_insn[kBound+:LW];
  assign {df_a, df_b, df_crosses} = {df_insn[kA+:4], df_insn[kB+:4], df_insn[kCrosses]};
  assign exm_a = exm_insn[kA+:4];
  assign {exc_a, exc_op, exc_n} = {exc_insn[kA+:4], exc_insn[kOp+:6], exc_insn[kN+:6]};
  assign {exc_result, exc_length} = {exc_insn[kResult+:5], exc_insn[kLength+:LW]};

  // ID
  wire df_last = df_word + kLanes >= {1'b0, df_bound};
  wire needs_df = df_writes && ((reads_a && a == df_vd) || (reads_b && b == df_vd));
  wire waits = df_valid && pivi && df_first && needs_df;
  assign issue_ready = (!df_valid || df_last) && !waits && !issue_reserved && !issue_misaligned;
  wire accepted = issue_valid && issue_ready;
  wire length_right = issue_scalar != 0 && issue_scalar <= P;
  always @(posedge clk)
    if (reset) length <= L[LW-1:0];
    else if (accepted && sets_length) length <= length_right ? issue_scalar[LW-1:0] : kWords;

  // DF
  always @(posedge clk) begin
    df_valid <= !reset && (accepted || (df_valid && !df_last));
    df_first <= accepted;
    if (accepted) begin
      df_word <= start_word;
      df_group <= start_at;
    end else if (!df_last) begin
      df_word <= df_word + kLanes;
      df_group <= df_group + 1'b1;
    end
    if (accepted) begin
      df_insn <= {op, vd, a, b, writes, reads_a, reads_b, crosses, n, scalar, bound, length};
      df_takes_scalar <= takes_scalar;
    end
    if (accepted) sbi <= issue_scalar;
    else if (df_late == 1) sbi <= wb_result;
    df_late <= accepted ? issue_late : df_late_next;
  end
  assign df_scalar = df_late == 1 ? wb_result : sbi;
  assign holds_store = df_valid && df_op == `OP_VSTORE;
  assign holds_load = df_valid && (df_op == `OP_VLOAD || df_op == `OP_VBYTELD);
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
    exm_late <= df_late_next;
  end
  assign exm_crosses_first = exm_valid && exm_first && exm_crosses;
  assign exm_take_scalar = exm_late == 1;
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
    exc_kept <= exm_take_scalar ? wb_result : exm_scalar;
    exc_late <= exm_late == 0 ? 2'd0 : exm_late - 2'd1;
  end
  assign exc_crosses_first = exc_valid && exc_first && exc_crosses;
  assign exc_take_scalar = exc_late == 1;
  assign exc_scalar = exc_take_scalar ? wb_result : exc_kept;
  wire exc_product = exc_op == `OP_VSPMULT || exc_op == `OP_VSAMULT;
  wire at_exc = wb_group == exc_group && !exc_product;  // what was an operand is a product there
  assign exc_take_a = at_exc && exc_reads_a && wb_register == exc_a;
  assign exc_take_b = at_exc && exc_reads_b && wb_register == exc_b;
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
