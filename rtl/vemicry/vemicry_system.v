// A VeMICry on one chip: the processor, the memory of its program, and the memories of the lanes,
// which hold all data. While |reset| holds the processor, a host writes program and data, and reads
// them; it takes no other part. Memories are clocked by the falling edge (vemicry_array.v).
module vemicry_system #(
    parameter Q = 8,
    parameter P = 8,
    parameter R = 8,
    parameter L = P,
    parameter BANKS = 8,
    parameter PORTS = 2,
    parameter WORDS = 512,    // of data in a bank
    parameter TABLES = 2,
    parameter PROGRAM = 2048  // words, a power of two
) (
    input clk,
    input reset,
    input [31:0] reset_address,
    // the host
    input host_program,  // the address is one of the program's memory
    input [3:0] host_store,
    input [31:0] host_address,
    input [31:0] host_word,
    output [31:0] host_data,
    // what happens, to be watched
    output leaves,
    output [31:0] leaves_address,
    output retired,
    output [3:0] trap,
    output [31:0] trap_address,
    output no_room
);
  // The processor's clock goes on behind a cycle in which memory is ready.
  wire ready;
  reg goes;
  /* verilator lint_off LATCH */
  always @* if (!clk) goes = ready || reset;
  /* verilator lint_on LATCH */
  wire processor_clk = clk && goes;

  wire data_load, vector_load, vector_lookup, vector_store;
  wire [3:0] data_store;
  wire [R-1:0] vector_lanes;
  wire [31:0] fetch_address, data_address, data_out, data_in, vector_address;
  wire [32*R-1:0] vector_out, vector_in;
  reg [31:0] fetch_word;
  vemicry_processor #(.Q(Q), .P(P), .R(R), .L(L)) processor (
      .clk(processor_clk), .reset(reset), .reset_address(reset_address),
      .fetch_address(fetch_address), .fetch_word(fetch_word), .data_load(data_load),
      .data_store(data_store), .data_address(data_address), .data_out(data_out), .data_in(data_in),
      .vector_load(vector_load), .vector_lookup(vector_lookup), .vector_store(vector_store),
      .vector_lanes(vector_lanes), .vector_address(vector_address), .vector_out(vector_out),
      .vector_in(vector_in), .leaves(leaves), .leaves_address(leaves_address), .retired(retired),
      .trap(trap), .trap_address(trap_address)
  );

  localparam AW = $clog2(PROGRAM);
  reg [31:0] words[0:PROGRAM-1];
  wire [31:0] program_address = reset ? host_address : fetch_address;
  wire [29-AW:0] unused_high;
  wire [1:0] unused_low;
  wire [AW-1:0] entry;
  assign {unused_high, entry, unused_low} = program_address;
  always @(negedge clk) begin
    if (reset && host_program && host_store != 0) words[entry] <= host_word;
    fetch_word <= words[entry];
  end

  vemicry_memory #(.R(R), .BANKS(BANKS), .PORTS(PORTS), .WORDS(WORDS), .TABLES(TABLES)) memory (
      .clk(clk), .reset(reset), .load(reset || data_load),
      .store(reset ? host_store & {4{!host_program}} : data_store),
      .address(reset ? host_address : data_address), .in(reset ? host_word : data_out),
      .out(data_in), .vector_load(vector_load && !reset),
      .vector_lookup(vector_lookup && !reset), .vector_store(vector_store && !reset),
      .lanes(vector_lanes), .vector_address(vector_address), .vector_in(vector_out),
      .vector_out(vector_in), .ready(ready), .no_room(no_room)
  );
  assign host_data = data_in;
endmodule
