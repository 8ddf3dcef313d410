// Bench of rtl/vemicry as a whole: a VeMICry executes programs of a file. Which instruction leaves ID
// in which cycle, and what is left in registers and memory, are compared with what the file says.
// rtl_program.h writes the file and draws its records; all numbers are hexadecimal words.
module rtl_program_bench;
  parameter Q = 8;
  parameter P = 8;
  parameter R = 8;
  parameter L = P;
  // The memories of the lanes, and their ports; 0: memory that answers all at once.
  parameter BANKS = 0;
  parameter PORTS = 2;
  parameter WORDS = 0;
  localparam G = (P + R - 1) / R;
  localparam kMemoryWords = 1 << 19;
  localparam kDrain = P + 50;     // ticks, in which all ends that was begun
  localparam kPatience = P + 100;  // ticks until the next instruction leaves ID

  reg clk = 0, reset = 1;
  reg [31:0] reset_address, fetch_word, flat_data_in;
  reg [32*R-1:0] flat_vector_in;
  wire [31:0] data_in;
  wire [32*R-1:0] vector_in;
  wire [31:0] fetch_address, data_address, data_out, vector_address, leaves_address, trap_address;
  wire data_load, vector_load, vector_lookup, vector_store, leaves;
  wire [3:0] data_store, trap;
  wire [R-1:0] vector_lanes;
  wire [32*R-1:0] vector_out;
  vemicry_processor #(.Q(Q), .P(P), .R(R), .L(L)) processor (
      .clk(clk), .reset(reset), .reset_address(reset_address), .fetch_address(fetch_address),
      .fetch_word(fetch_word), .data_load(data_load), .data_store(data_store),
      .data_address(data_address), .data_out(data_out), .data_in(data_in),
      .vector_load(vector_load), .vector_lookup(vector_lookup), .vector_store(vector_store),
      .vector_lanes(vector_lanes), .vector_address(vector_address), .vector_out(vector_out), .vector_in(vector_in),
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

  // The memories of the lanes. What is put there and looked at goes by the scalar core's port.
  reg lanes_clk = 1, pokes = 0, peeks = 0;
  reg [31:0] host_address, host_word;
  wire ready;
  wire host = pokes || peeks;
  genvar b, a;
  generate
    if (BANKS == 0) begin : flat
      assign {ready, data_in, vector_in} = {1'b1, flat_data_in, flat_vector_in};
    end else begin : of_lanes
      vemicry_memory #(.R(R), .BANKS(BANKS), .PORTS(PORTS), .WORDS(WORDS), .TABLES(4)) memory (
          .clk(lanes_clk), .reset(reset && !host), .load(host ? peeks : data_load),
          .store(host ? {4{pokes}} : data_store), .address(host ? host_address : data_address),
          .in(host ? host_word : data_out), .out(data_in), .vector_load(vector_load && !host),
          .vector_lookup(vector_lookup && !host), .vector_store(vector_store && !host),
          .lanes(vector_lanes), .vector_address(vector_address), .vector_in(vector_out),
          .vector_out(vector_in), .ready(ready), .no_room()
      );
      for (b = 0; b < BANKS; b = b + 1) begin : of_bank
        for (a = 0; a < 4; a = a + 1) begin : of_array
          integer entry;
          initial
            for (entry = 0; entry < WORDS; entry = entry + 1)
              memory.banks[b].arrays[a].bytes.stored[entry] = 0;
        end
      end
    end
  endgenerate
  task access;
    begin
      lanes_clk = 1;
      #1 lanes_clk = 0;
      #1 lanes_clk = 1;
      #1 {pokes, peeks} = 0;
    end
  endtask
  function is_code(input [31:0] address);
    is_code = address[31:24] == 0;
  endfunction
  task poke(input [31:0] address, input [31:0] word);
    if (BANKS == 0 || is_code(address)) memory[index(address)] = word;
    else begin
      {pokes, host_address, host_word} = {1'b1, address, word};
      access;
    end
  endtask
  task peek(input [31:0] address, output [31:0] word);
    if (BANKS == 0 || is_code(address)) word = memory[index(address)];
    else begin
      {peeks, host_address} = {1'b1, address};
      access;
      word = data_in;
    end
  endtask

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
      flat_data_in = memory[index(data_address)];
      flat_vector_in = 0;
      for (lane = 0; lane < R; lane = lane + 1)
        if (vector_lookup)
          for (k = 0; k < 4; k = k + 1) begin
            at = vector_address + {24'b0, vector_out[32*lane+8*k+:8]};
            flat_vector_in[32*lane+8*k+:8] = memory[index(at)] >> {~at[1:0], 3'b0};
          end
        else if (vector_load) flat_vector_in[32*lane+:32] = memory[index(vector_address+4*lane)];
    end
  endtask

  // A tick of the clock, and the cycles that it takes: a slow memory makes each turn longer.
  reg [31:0] latency, cycle, ticks = 0;
  reg accesses;
  task begin_tick;
    begin
      #1 answer;
      lanes_clk = 0;
      #1 accesses = data_load || data_store != 0 || vector_load || vector_lookup || vector_store;
      cycle = cycle + 1 + (accesses ? latency : 0);
      for (k = 0; !ready && k < kPatience * 16; k = k + 1) begin
        #1 lanes_clk = 1;
        #1 lanes_clk = 0;
        #1 cycle = cycle + 1 + latency;
      end
      ticks = ticks + 1;
    end
  endtask
  task end_tick;
    begin
      for (k = 0; k < 4; k = k + 1)
        if (data_store[k]) memory[index(data_address)][8*k+:8] = data_out[8*k+:8];
      for (lane = 0; lane < R; lane = lane + 1)
        if (vector_store && vector_lanes[lane]) memory[index(vector_address+4*lane)] = vector_out[32*lane+:32];
      {clk, lanes_clk} = 2'b11;
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
  reg [31:0] found;
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
      {fetch_word, flat_data_in, flat_vector_in} = 0;
      cycle = 0;
      begin_tick;
      end_tick;
      processor.core.registers[0] = 0;
      for (word = 1; word < 32; word = word + 1) processor.core.registers[word] = next(file);
      num_words = next(file);
      for (word = 0; word < num_words; word = word + 1) begin
        at = next(file);
        poke(at, next(file));
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
        peek(at, found);
        compare("memory", at, found, next(file));
      end
      end_tick;
    end
    if (!ended) $display("AGREE %0d %0d %0d %0d", num_programs, total_instructions, total_cycles, ticks);
    $finish;
  end
endmodule
