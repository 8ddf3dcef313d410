// Bench of rtl/vemicry as a whole: a VeMICry executes programs of a file. Which instruction leaves ID
// in which cycle, and what is left in registers and memory, are compared with what the file says.
// rtl_program.h writes the file and draws its records; all numbers are hexadecimal words.
module rtl_program_bench;
  parameter Q = 8;
  parameter P = 8;
  parameter R = 8;
  parameter L = P;
  localparam G = (P + R - 1) / R;
  localparam kMemoryWords = 1 << 19;
  localparam kDrain = P + 50;     // ticks, in which all ends that was begun
  localparam kPatience = P + 100;  // ticks until the next instruction leaves ID

  reg clk = 0, reset = 1;
  reg [31:0] reset_address, fetch_word, data_in;
  reg [32*R-1:0] vector_in;
  wire [31:0] fetch_address, data_address, data_out, vector_address, leaves_address, trap_address;
  wire data_load, vector_load, vector_lookup, leaves;
  wire [3:0] data_store, trap;
  wire [R-1:0] vector_store;
  wire [32*R-1:0] vector_out;
  vemicry_processor #(.Q(Q), .P(P), .R(R), .L(L)) processor (
      .clk(clk), .reset(reset), .reset_address(reset_address), .fetch_address(fetch_address),
      .fetch_word(fetch_word), .data_load(data_load), .data_store(data_store),
      .data_address(data_address), .data_out(data_out), .data_in(data_in),
      .vector_load(vector_load), .vector_lookup(vector_lookup), .vector_store(vector_store),
      .vector_address(vector_address), .vector_out(vector_out), .vector_in(vector_in),
      .leaves(leaves), .leaves_address(leaves_address), .trap(trap), .trap_address(trap_address),
      .retired()
  );

  // Word i of register q at q P + i.
  wire [31:0] vectors[0:Q*P-1];
  genvar q, i;
  generate
    for (q = 0; q < Q; q = q + 1) begin : view
      for (i = 0; i < P; i = i + 1) begin : of_word
        assign vectors[q*P+i] = processor.unit.lanes[i%R].slice.stored[32*(q*G+i/R)+:32];
      end
    end
  endgenerate

  // Code, data and stack lie far from each other, and have a quarter each.
  reg [31:0] memory[0:kMemoryWords-1];
  function [18:0] index(input [31:0] address);
    index = {address[31:28] == 0 ? 2'd0 : address[31:28] == 1 ? 2'd1 : address[31:28] == 7 ? 2'd2 :
             2'd3, address[20], address[17:2]};
  endfunction

  integer file, num_read, lane, k;
  reg [31:0] at;
  // What memory answers to what the registers ask for.
  task answer;
    begin
      fetch_word = instruction == num_instructions ? 32'b0 : memory[index(fetch_address)];
      data_in = memory[index(data_address)];
      vector_in = 0;
      for (lane = 0; lane < R; lane = lane + 1)
        if (vector_lookup)
          for (k = 0; k < 4; k = k + 1) begin
            at = vector_address + {24'b0, vector_out[32*lane+8*k+:8]};
            vector_in[32*lane+8*k+:8] = memory[index(at)] >> {~at[1:0], 3'b0};
          end
        else if (vector_load) vector_in[32*lane+:32] = memory[index(vector_address+4*lane)];
    end
  endtask

  // A tick of the clock, and the cycles that it takes with slow memory.
  reg [31:0] latency, cycle, ticks = 0;
  reg accesses;
  task begin_tick;
    begin
      #1 answer;
      #1 accesses = data_load || data_store != 0 || vector_load || vector_lookup || vector_store != 0;
      cycle = cycle + 1 + (accesses ? latency : 0);
      ticks = ticks + 1;
    end
  endtask
  task end_tick;
    begin
      for (k = 0; k < 4; k = k + 1)
        if (data_store[k]) memory[index(data_address)][8*k+:8] = data_out[8*k+:8];
      for (lane = 0; lane < R; lane = lane + 1)
        if (vector_store[lane]) memory[index(vector_address+4*lane)] = vector_out[32*lane+:32];
      clk = 1;
      #1 clk = 0;
    end
  endtask

  function [31:0] next(input integer from);
    reg [31:0] word;
    begin
      num_read = $fscanf(from, "%h", word);
      next = word;
    end
  endfunction

  integer number, num_programs, instruction, num_instructions, num_words, waited, word, first;
  integer total_instructions = 0, total_cycles = 0;
  reg ended = 0;
  task compare(input [8*16-1:0] what, input [31:0] of, input [31:0] got, input [31:0] expected);
    if (!ended && got !== expected) begin
      $display("MISMATCH %0d %0d %0s %0h %h %h", number, instruction, what, of, got, expected);
      ended = 1;
    end
  endtask

  reg [8*1024-1:0] name;
  initial begin
    num_read = $value$plusargs("programs=%s", name);
    file = $fopen(name, "r");
    for (word = 0; word < kMemoryWords; word = word + 1) memory[word] = 0;
    num_programs = next(file);
    for (number = 0; number < num_programs && !ended; number = number + 1) begin
      instruction = 0;
      latency = next(file);
      reset_address = next(file);
      reset = 1;
      {fetch_word, data_in, vector_in} = 0;
      cycle = 0;
      begin_tick;
      end_tick;
      processor.core.registers[0] = 0;
      for (word = 1; word < 32; word = word + 1) processor.core.registers[word] = next(file);
      num_words = next(file);
      for (word = 0; word < num_words; word = word + 1) begin
        at = next(file);
        memory[index(at)] = next(file);
      end
      num_instructions = next(file);
      reset = 0;
      waited = 0;
      while (instruction < num_instructions && !ended) begin
        begin_tick;
        waited = waited + 1;
        if (trap != 0) compare("trap", trap_address, trap, 0);
        if (waited > kPatience) compare("waits", leaves_address, waited, 0);
        if (leaves) begin
          if (instruction == 0) first = cycle;
          compare("address", 0, leaves_address, next(file));
          compare("cycle", leaves_address, cycle - first, next(file));
          instruction = instruction + 1;
          waited = 0;
        end
        end_tick;
      end
      total_instructions = total_instructions + num_instructions;
      total_cycles = total_cycles + cycle - first + 1;
      for (waited = 0; waited < kDrain && !ended; waited = waited + 1) begin
        begin_tick;
        end_tick;
      end
      begin_tick;
      for (word = 1; word < 32 && !ended; word = word + 1)
        compare("register", word, processor.core.registers[word], next(file));
      compare("hi", 0, processor.core.hi, next(file));
      compare("lo", 0, processor.core.lo, next(file));
      compare("vcr", 0, processor.unit.vcr, next(file));
      compare("car", 0, processor.unit.car, next(file));
      compare("length", 0, processor.unit.control.length, next(file));
      for (word = 0; word < Q * P && !ended; word = word + 1)
        compare("v", word, vectors[word], next(file));
      num_words = next(file);
      for (word = 0; word < num_words && !ended; word = word + 1) begin
        at = next(file);
        compare("memory", at, memory[index(at)], next(file));
      end
      end_tick;
    end
    if (!ended) $display("AGREE %0d %0d %0d %0d", num_programs, total_instructions, total_cycles, ticks);
    $finish;
  end
endmodule
