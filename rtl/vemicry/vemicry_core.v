// The scalar core: MIPS-I, big-endian, with the five stages of the paper (section 4.3). It decodes
// for the vector unit too, in order, and one instruction leaves ID in a cycle at most.
//
//   IF    fetch_address; memory answers within the cycle
//   ID    operands, from where they are newest; branches, whose delay slot is in IF meanwhile.
//         Waits for: a load in EX; a scalar that the vector unit makes; products and quotients;
//         the vector unit; memory that the vector unit has still to access.
//   EX    the ALU
//   DC    data memory, which answers within the cycle; memory_lanes are the bytes stored
//   WB    the register is written. The vector unit has a write port of its own, where results
//         come a stage later: of two in a cycle the scalar one is the younger.
//
// An exception stops the core for good, with what came before it done and nothing behind it.
`include "vemicry_traps.vh"

module vemicry_core (
    input clk,
    input reset,
    input [31:0] reset_address,
    output [31:0] fetch_address,
    input [31:0] fetch_word,
    output memory_load,
    output [3:0] memory_store,  // bytes, the most significant one first
    output [31:0] memory_address,
    output [31:0] memory_out,
    input [31:0] memory_in,
    // the vector unit
    output issue_valid,
    output [31:0] issue_insn,
    output [31:0] issue_scalar,
    output [1:0] issue_late,
    input issue_ready,
    input issue_reserved,
    input issue_misaligned,
    input [4:0] issue_operand,
    input issue_operand_at_exm,
    input issue_operand_at_exc,
    input [4:0] issue_result,
    input holds_load,
    input holds_store,
    input [31:0] result_next,
    input [4:0] result_register,
    input result_valid,
    input [31:0] result,
    // what happens, to be watched
    output leaves,  // an instruction leaves ID
    output [31:0] leaves_address,
    output reg [3:0] trap,
    output reg [31:0] trap_address
);
  // ID
  reg id_valid;
  reg [31:0] id_address, id_insn;
  wire [5:0] opcode = id_insn[31:26], funct = id_insn[5:0];
  wire [4:0] rs = id_insn[25:21], rt = id_insn[20:16], rd = id_insn[15:11];
  wire [31:0] simm = {{16{id_insn[15]}}, id_insn[15:0]}, uimm = {16'b0, id_insn[15:0]};
  wire special = opcode == 6'h00, regimm = opcode == 6'h01, vector = opcode == 6'h12;
  wire jump = opcode == 6'h02 || opcode == 6'h03, branch = opcode[5:2] == 4'b0001;
  wire immediate = opcode[5:3] == 3'b001;
  wire load = opcode[5:3] == 3'b100, store = opcode[5:3] == 3'b101;
  wire shifts_by_amount = special && (funct == 6'h00 || funct == 6'h02 || funct == 6'h03);
  wire shifts = shifts_by_amount || (special && (funct == 6'h04 || funct == 6'h06 || funct == 6'h07));
  wire jump_register = special && funct[5:1] == 5'b00100;
  wire moves_hilo = special && funct[5:2] == 4'b0100;
  wire multiplies = special && funct[5:2] == 4'b0110;
  wire computes = special && funct[5:4] == 2'b10 && (!funct[3] || funct[2:1] == 2'b01);
  wire links = opcode == 6'h03 || (regimm && rt[4]) || (jump_register && funct[0]);
  wire stops = special && funct[5:1] == 5'b00110;  // SYSCALL, BREAK
  wire branch_regimm = regimm && rt[3:1] == 3'b000;

  reg known;  // fields that the instruction does not have are 0
  always @*
    if (special)
      known = shifts_by_amount ? rs == 0 :
          shifts || computes ? id_insn[10:6] == 0 :
          jump_register ? {rt, id_insn[10:6]} == 0 && (funct[0] || rd == 0) :
          moves_hilo ? {rt, id_insn[10:6]} == 0 && (funct[0] ? rd == 0 : rs == 0) :
          multiplies ? {rd, id_insn[10:6]} == 0 : stops;
    else if (regimm) known = branch_regimm;
    else if (branch) known = !opcode[1] || rt == 0;
    else if (immediate) known = opcode != 6'h0f || rs == 0;
    else if (load) known = opcode[2:0] != 3'd7;
    else if (store) known = opcode[2:0] < 3'd4 || opcode[2:0] == 3'd6;
    else known = jump;

  // What is on its way to a scalar register, youngest first: EX or DF, DC or EXM, WB or EXC, and WB
  // of the vector unit.
  reg ex_valid, ex_load;
  reg [4:0] ex_register, dc_register, wb_register;
  reg [4:0] df_result, exm_result, exc_result;
  wire [31:0] ex_value, dc_value;
  reg [31:0] wb_value;
  reg [31:0] registers[0:31];
  wire [4:0] a = vector ? issue_operand : rs, b = vector ? 5'd0 : rt;
  wire [31:0] a_value, b_value;
  wire a_loading, b_loading;
  wire [1:0] a_late, b_late;
  wire [4:0] unit_register = result_valid ? result_register : 5'd0;
  vemicry_bypass bypass_a (
      .number(a), .ex_load(ex_load), .ex(ex_register), .dc(dc_register), .wb(wb_register),
      .df(df_result), .exm(exm_result), .exc(exc_result), .unit(unit_register),
      .ex_value(ex_value), .dc_value(dc_value), .wb_value(wb_value), .exc_value(result_next),
      .unit_value(result), .stored(registers[a]), .value(a_value), .loading(a_loading),
      .late(a_late)
  );
  vemicry_bypass bypass_b (
      .number(b), .ex_load(ex_load), .ex(ex_register), .dc(dc_register), .wb(wb_register),
      .df(df_result), .exm(exm_result), .exc(exc_result), .unit(unit_register),
      .ex_value(ex_value), .dc_value(dc_value), .wb_value(wb_value), .exc_value(result_next),
      .unit_value(result), .stored(registers[b]), .value(b_value), .loading(b_loading),
      .late(b_late)
  );
  wire reads_a = vector || !(jump || shifts_by_amount || opcode == 6'h0f || stops ||
      (moves_hilo && !funct[0]));
  wire partial = load && (opcode[2:0] == 3'd2 || opcode[2:0] == 3'd6);  // LWL, LWR keep bytes of rt
  wire reads_b = (special && !jump_register && !moves_hilo && !stops) ||
      (branch && !opcode[1]) || store || partial;
  wire takes_late = vector && (a_late == 2'd3 ? issue_operand_at_exc :
      issue_operand_at_exc || issue_operand_at_exm);
  wire hilo_busy;
  wire waits = (reads_a && (a_loading || (a_late != 0 && !takes_late))) ||
      (reads_b && (b_loading || b_late != 0)) || ((moves_hilo || multiplies) && hilo_busy) ||
      (load && holds_store) || (store && (holds_load || holds_store));

  // An exception is raised in EX; until then nothing behind it leaves ID.
  reg [3:0] ex_trap;
  wire raises;
  wire [3:0] id_trap =
      vector ? (issue_reserved ? `TRAP_RESERVED : issue_misaligned ? `TRAP_ADDRESS : `TRAP_NONE) :
      opcode[5:2] == 4'b0100 || opcode[5:2] == 4'b1100 || opcode[5:2] == 4'b1110 ?
          (opcode[1:0] == 2'd2 ? `TRAP_RESERVED : `TRAP_COPROCESSOR) :
      !known ? `TRAP_RESERVED : stops ? (funct[0] ? `TRAP_BREAK : `TRAP_SYSCALL) : `TRAP_NONE;
  wire stopped = trap != `TRAP_NONE || raises;
  assign issue_valid = id_valid && vector && !waits && !stopped;
  assign issue_insn = id_insn;
  assign issue_scalar = a_value;
  assign issue_late = takes_late ? a_late : 2'd0;
  wire accepted = !vector || issue_ready || id_trap != `TRAP_NONE;
  assign leaves = id_valid && !waits && !stopped && accepted;
  assign leaves_address = id_address;

  // The next instruction's address; that of the delay slot is being fetched.
  wire equal = a_value == b_value, negative = a_value[31], zero = a_value == 0;
  wire taken = branch ? (opcode[1] ? (negative || zero) : equal) != opcode[0] :
      branch_regimm ? negative != rt[0] : jump || jump_register;
  wire [31:0] slot = fetch_address;
  wire [31:0] target = jump ? {slot[31:28], id_insn[25:0], 2'b0} :
      jump_register ? a_value : slot + {simm[29:0], 2'b0};
  reg [31:0] address;
  assign fetch_address = address;
  wire fetches = !id_valid || leaves;
  always @(posedge clk)
    if (reset) begin
      address <= reset_address;
      id_valid <= 0;
    end else if (fetches) begin
      address <= id_valid && taken ? target : address + 32'd4;
      id_valid <= 1;
      id_address <= address;
      id_insn <= fetch_word;
    end

  // EX
  reg [31:0] ex_address, ex_a, ex_b, ex_keep;
  reg [3:0] ex_operation;
  reg [2:0] ex_size;  // of a memory access, as in the opcode
  reg ex_store, ex_traps_overflow, ex_multiplies, ex_moves_hilo;
  reg [1:0] ex_funct;
  wire [4:0] target_register = links ? (jump_register ? rd : 5'd31) :
      special ? (shifts || computes || (moves_hilo && !funct[0]) ? rd : 5'd0) :
      immediate || load ? rt : 5'd0;
  // The ALU's operations are named as ADD to SLTU are coded, with shifts beside them.
  wire [3:0] operation = links ? 4'd1 : shifts ? {2'b11, funct[1:0]} :
      special ? funct[3:0] : !immediate ? 4'd1 : opcode[2:0] == 3'd2 ? 4'd10 :
      opcode[2:0] == 3'd3 ? 4'd11 : opcode[2:0] == 3'd7 ? 4'd5 : {1'b0, opcode[2:0]};
  always @(posedge clk) begin
    ex_valid <= !reset && leaves;
    ex_register <= !reset && leaves && !vector ? target_register : 5'd0;
    ex_load <= load;
    ex_store <= !reset && leaves && store;
    ex_multiplies <= !reset && leaves && multiplies;
    ex_moves_hilo <= !reset && leaves && moves_hilo;
    ex_trap <= !reset && leaves ? id_trap : `TRAP_NONE;
    if (leaves) begin
      ex_address <= id_address;
      ex_a <= links ? slot : shifts_by_amount ? {27'b0, id_insn[10:6]} :
          opcode == 6'h0f ? 32'b0 : a_value;
      ex_b <= links ? 32'd4 : opcode == 6'h0f ? {id_insn[15:0], 16'b0} :
          immediate ? (opcode[2] ? uimm : simm) : load || store ? simm : b_value;
      ex_keep <= b_value;
      ex_operation <= operation;
      ex_size <= opcode[2:0];
      ex_traps_overflow <= (computes && {funct[3:2], funct[0]} == 3'b000) || opcode == 6'h08;
      ex_funct <= funct[1:0];
    end
    df_result <= !reset && leaves && vector && id_trap == `TRAP_NONE ? issue_result : 5'd0;
    {exm_result, exc_result} <= reset ? 10'd0 : {df_result, exm_result};
  end
  wire subtracts = ex_operation[1];
  wire [31:0] sum = ex_a + (subtracts ? ~ex_b : ex_b) + {31'b0, subtracts};
  wire overflow = (ex_a[31] ^ sum[31]) & (ex_a[31] ^ ex_b[31] ^ !subtracts);
  wire less = ex_operation[0] ? ex_a < ex_b : $signed(ex_a) < $signed(ex_b);
  wire [31:0] right = ex_b >> ex_a[4:0];
  wire [31:0] signs = ~(32'hffffffff >> ex_a[4:0]) & {32{ex_b[31]}};
  reg [31:0] computed;
  always @*
    case (ex_operation)
      4'd0, 4'd1, 4'd2, 4'd3: computed = sum;
      4'd4: computed = ex_a & ex_b;
      4'd5: computed = ex_a | ex_b;
      4'd6: computed = ex_a ^ ex_b;
      4'd7: computed = ~(ex_a | ex_b);
      4'd10, 4'd11: computed = {31'b0, less};
      4'd12: computed = ex_b << ex_a[4:0];
      4'd14: computed = right;
      default: computed = right | signs;
    endcase
  wire [31:0] hi, lo;
  vemicry_hilo hilo (
      .clk(clk), .reset(reset), .begins(ex_multiplies), .moves(ex_moves_hilo), .funct(ex_funct),
      .a(ex_a), .b(ex_keep), .hi(hi), .lo(lo), .busy(hilo_busy)
  );
  assign ex_value = ex_moves_hilo ? (ex_funct[1] ? lo : hi) : computed;
  wire ex_load_now = ex_valid && ex_load;
  wire misaligned = (ex_load_now || ex_store) && (ex_size[1:0] == 2'd1 ? sum[0] :
      ex_size[1:0] == 2'd3 && sum[1:0] != 0);
  wire [3:0] raised = ex_trap != `TRAP_NONE ? ex_trap : ex_valid && ex_traps_overflow && overflow ?
      `TRAP_OVERFLOW : misaligned ? `TRAP_ADDRESS : `TRAP_NONE;
  assign raises = raised != `TRAP_NONE;
  always @(posedge clk)
    if (reset) trap <= `TRAP_NONE;
    else if (raises && trap == `TRAP_NONE) begin
      trap <= raised;
      trap_address <= ex_address;
    end

  // DC
  reg dc_load, dc_store;
  reg [2:0] dc_size;
  reg [31:0] dc_result, dc_keep;
  always @(posedge clk) begin
    dc_register <= reset || raises ? 5'd0 : ex_register;
    dc_load <= !reset && !raises && ex_load_now;
    dc_store <= !reset && !raises && ex_store;
    dc_size <= ex_size;
    dc_result <= ex_value;
    dc_keep <= ex_keep;
  end
  assign memory_load = dc_load;
  assign memory_address = {dc_result[31:2], 2'b0};
  wire [31:0] dc_loaded;
  wire [3:0] stored_bytes;
  vemicry_align align (
      .size(dc_size), .at(dc_result[1:0]), .keep(dc_keep), .memory_word(memory_in),
      .loaded(dc_loaded), .stored(memory_out), .stored_bytes(stored_bytes)
  );
  assign memory_store = stored_bytes & {4{dc_store}};
  assign dc_value = dc_load ? dc_loaded : dc_result;

  // WB
  always @(posedge clk) begin
    wb_register <= reset ? 5'd0 : dc_register;
    wb_value <= dc_value;
    if (unit_register != 0) registers[unit_register] <= result;
    if (wb_register != 0) registers[wb_register] <= wb_value;
  end
endmodule
