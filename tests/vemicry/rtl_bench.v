// Bench of rtl/vemicry: issues the instructions of a file as early as the unit takes them, and
// compares the whole state after each with what the file says. rtl_bench.h writes the file and
// draws its records; all numbers are hexadecimal words.
module rtl_bench;
  parameter Q = 8;
  parameter P = 8;
  parameter R = 8;
  localparam G = (P + R - 1) / R;
  localparam kMemoryWords = 16384;
  localparam kSlots = 8;  // more than instructions can be under way
  localparam kPatience = 1000;  // cycles

  reg clk = 0, reset = 1, issue_valid = 0;
  reg [31:0] issue_insn = 0, issue_scalar = 0;
  wire issue_ready, issue_reserved, issue_misaligned, memory_load, memory_lookup;
  wire memory_store, result_valid, retired;
  wire [R-1:0] memory_lanes;
  wire [31:0] memory_address, result;
  wire [4:0] result_register;
  wire [32*R-1:0] memory_out;
  reg [32*R-1:0] memory_in;
  vemicry_unit #(.Q(Q), .P(P), .R(R)) unit (
      .clk(clk), .reset(reset), .issue_valid(issue_valid), .issue_insn(issue_insn),
      .issue_scalar(issue_scalar), .issue_late(2'd0), .issue_ready(issue_ready),
      .issue_reserved(issue_reserved), .issue_misaligned(issue_misaligned), .issue_operand(),
      .issue_operand_at_exm(), .issue_operand_at_exc(), .issue_result(), .holds_load(),
      .holds_store(), .result_next(), .memory_load(memory_load),
      .memory_lookup(memory_lookup), .memory_store(memory_store),
      .memory_lanes(memory_lanes), .memory_address(memory_address), .memory_out(memory_out), .memory_in(memory_in),
      .result_valid(result_valid), .result_register(result_register), .result(result),
      .retired(retired)
  );
  always #5 clk = !clk;

  // Memory: big-endian, the same for every lane.
  reg [31:0] memory[0:kMemoryWords-1];
  reg [31:0] at;
  integer lane, lane_byte;
  always @(memory_load or memory_lookup or memory_address or memory_out) begin
    memory_in = 0;
    for (lane = 0; lane < R; lane = lane + 1) begin
      if (memory_lookup)
        for (lane_byte = 0; lane_byte < 4; lane_byte = lane_byte + 1) begin
          at = memory_address + {24'b0, memory_out[32*lane+8*lane_byte+:8]};
          memory_in[32*lane+8*lane_byte+:8] =
              memory[at/4%kMemoryWords] >> (8 * (3 - at % 4));
        end
      else if (memory_load)
        memory_in[32*lane+:32] = memory[(memory_address/4+lane)%kMemoryWords];
    end
  end
  integer store_lane;
  always @(posedge clk)
    for (store_lane = 0; store_lane < R; store_lane = store_lane + 1)
      if (memory_store && memory_lanes[store_lane])
        memory[(memory_address/4+store_lane)%kMemoryWords] <= memory_out[32*store_lane+:32];

  // All registers, word i of register q at q P + i.
  wire [31:0] registers[0:Q*P-1];
  genvar q, i;
  generate
    for (q = 0; q < Q; q = q + 1) begin : view
      for (i = 0; i < P; i = i + 1) begin : of_word
        assign registers[q*P+i] = unit.lanes[i%R].slice.stored[32*(q*G+i/R)+:32];
      end
    end
  endgenerate

  // Expected: what was read with an instruction, until it ends.
  reg [31:0] words[0:kSlots*Q*P-1];
  reg [31:0] stored[0:kSlots*(P+1)-1];
  reg [31:0] store_at[0:kSlots-1], results[0:kSlots-1], numbers[0:kSlots-1];
  reg [31:0] vcrs[0:kSlots-1], cars[0:kSlots-1], lengths[0:kSlots-1];
  reg [1:0] kinds[0:kSlots-1];  // 1: a result for a scalar register, 2: a store
  integer accepted = 0, ended = 0;

  task compare(input [8*16-1:0] what, input integer number, input integer of, input [31:0] got,
               input [31:0] expected, input [31:0] instruction);
    if (got !== expected) begin
      $display("MISMATCH %0d %0s %0d %0d %h %h", instruction, what, number, of, got, expected);
      $finish;
    end
  endtask

  integer slot, k;
  always @(posedge clk)
    if (retired) begin
      slot = ended % kSlots;
      if (ended >= accepted) compare("ended", 0, 0, ended, accepted, ended);
      compare("vcr", 0, 0, unit.vcr, vcrs[slot], numbers[slot]);
      compare("car", 0, 0, unit.car, cars[slot], numbers[slot]);
      compare("result?", 0, 0, {31'b0, result_valid}, {31'b0, kinds[slot][0]}, numbers[slot]);
      if (kinds[slot][0]) begin
        compare("result of", 0, 0, {27'b0, result_register}, store_at[slot], numbers[slot]);
        if (result_register != 0) compare("result", 0, 0, result, results[slot], numbers[slot]);
      end
      if (kinds[slot][1])
        for (k = 0; k <= P; k = k + 1)
          compare("memory", store_at[slot] + 4 * k, 0, memory[(store_at[slot]/4+k)%kMemoryWords],
                  stored[slot*(P+1)+k], numbers[slot]);
      #1;  // now the registers have it
      for (k = 0; k < Q * P; k = k + 1)
        compare("v", k / P, k % P, registers[k], words[slot*Q*P+k], numbers[slot]);
      ended = ended + 1;
    end

  function [31:0] next(input integer from);
    reg [31:0] word;
    integer num_read;
    begin
      num_read = $fscanf(from, "%h", word);
      next = num_read == 1 ? word : 32'bx;
    end
  endfunction

  integer file, read, instruction, num_instructions, num_pokes, gap, waited, first_cycle, last_cycle, cycle = 0;
  integer index, into;
  reg [31:0] trap;
  reg [8*1024-1:0] name;
  always @(posedge clk) cycle <= cycle + 1;
  initial begin
    read = $value$plusargs("stimulus=%s", name);
    file = $fopen(name, "r");
    for (index = 0; index < kMemoryWords; index = index + 1) memory[index] = 0;
    num_instructions = next(file);
    repeat (2) @(negedge clk);
    reset = 0;
    for (instruction = 0; instruction < num_instructions; instruction = instruction + 1) begin
      into = accepted % kSlots;
      issue_insn = next(file);
      issue_scalar = next(file);
      trap = next(file);
      gap = next(file);
      num_pokes = next(file);
      kinds[into] = next(file);
      store_at[into] = next(file);
      results[into] = next(file);
      vcrs[into] = next(file);
      cars[into] = next(file);
      lengths[into] = next(file);
      numbers[into] = instruction;
      if (num_pokes != 0) while (ended != accepted) @(negedge clk);
      repeat (num_pokes) begin
        index = next(file);
        memory[index/4%kMemoryWords] = next(file);
      end
      for (index = 0; index < Q * P; index = index + 1) words[into*Q*P+index] = next(file);
      if (kinds[into][1])
        for (index = 0; index <= P; index = index + 1) stored[into*(P+1)+index] = next(file);
      repeat (gap) @(negedge clk);
      issue_valid = 1;
      waited = 0;
      #1;
      compare("trap", 0, 0, {30'b0, issue_misaligned, issue_reserved}, trap, instruction);
      if (trap == 0) begin
        while (!issue_ready) begin
          waited = waited + 1;
          if (waited > kPatience) compare("waits", 0, 0, waited, 0, instruction);
          @(negedge clk) #1;
        end
        if (accepted == 0) first_cycle = cycle;
        last_cycle = cycle;
        accepted = accepted + 1;
      end
      @(negedge clk) issue_valid = 0;
      compare("length", 0, 0, unit.control.length, lengths[into], instruction);
    end
    waited = 0;
    while (ended != accepted) begin
      waited = waited + 1;
      if (waited > kPatience) compare("ends", 0, 0, ended, accepted, num_instructions - 1);
      @(negedge clk);
    end
    $display("AGREE %0d %0d %0d", num_instructions, ended, last_cycle - first_cycle);
    $finish;
  end
endmodule
