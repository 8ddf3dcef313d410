// The memories of the lanes (VeMICry paper, section 4.2), which are all the data memory that there
// is: BANKS banks, a power of two, of four byte arrays each.
//
//   entry                     bank 0, arrays 3 2 1 0    bank 1     ...   bank BANKS - 1
//   0 to WORDS - 1            data word 0               word 1           word BANKS - 1
//                             word BANKS                ...
//   WORDS to WORDS + 255      first table: byte i in entry WORDS + i of all arrays of all banks
//   WORDS + 256 to ...        second table, and so on
//
// Words that follow each other lie in different banks, so that a group of a vector takes a turn for
// each BANKS words, wherever it begins: with a bank for each lane, one. The scalar core has a port
// of its own (PORTS = 2), or its turn comes last (1). What a table's address first asks for is
// copied to all arrays, byte by byte, in kCopyTurns turns; what is stored there later does not reach
// them. More than TABLES tables have no room.
//
// A turn takes a cycle. The clock of the processor goes on behind a cycle with |ready|, that of the
// memory always. Addresses are those modulo the size.
module vemicry_memory #(
    parameter R = 8,
    parameter BANKS = 8,
    parameter PORTS = 2,
    parameter WORDS = 512,
    parameter TABLES = 2
) (
    input clk,
    input reset,  // forgets the tables
    // the scalar core
    input load,
    input [3:0] store,
    input [31:0] address,
    input [31:0] in,
    output [31:0] out,
    // the lanes
    input vector_load,
    input vector_lookup,
    input vector_store,
    input [R-1:0] lanes,
    input [31:0] vector_address,
    input [32*R-1:0] vector_in,
    output [32*R-1:0] vector_out,
    output ready,
    output no_room
);
  localparam kEntries = WORDS + 256 * TABLES;
  localparam AW = $clog2(kEntries);
  localparam kTurns = (R + BANKS - 1) / BANKS;
  localparam kLanes = kTurns * BANKS;  // R, and what is lacking to whole turns
  localparam IW = kLanes > 1 ? $clog2(kLanes) : 1;
  localparam BW = BANKS > 1 ? $clog2(BANKS) : 1;
  localparam [9:0] kCopyTurns = 10'd512;

  // The bank and the entry of a data word.
  function [BW-1:0] bank_of(input [31:0] word);
    reg [31-BW:0] unused;
    {unused, bank_of} = word % BANKS;
  endfunction
  function [AW-1:0] entry_of(input [31:0] word);
    reg [31-AW:0] unused;
    {unused, entry_of} = word / BANKS % WORDS;
  endfunction

  // Where tables come from, and which of them is asked for.
  reg [32*TABLES-1:0] sources;
  reg [31:0] num_tables, table_entry;
  reg known;
  integer i, n;
  always @* begin
    known = 0;
    table_entry = WORDS;
    for (i = 0; i < TABLES; i = i + 1)
      if (i < num_tables && sources[32*i+:32] == vector_address) begin
        known = 1;
        table_entry = WORDS + 256 * i;
      end
  end
  assign no_room = vector_lookup && !known && num_tables == TABLES;

  // Turns: the copy of a table, the words, the scalar core.
  wire copies = vector_lookup && !known, asks = vector_load || vector_lookup || vector_store;
  reg [9:0] copied;  // two turns a byte: it is read, then written
  reg [31:0] base;   // the first lane of the turn
  reg served;        // the lanes were
  wire [kLanes-1:0] asked = {{(kLanes - R) {1'b0}}, lanes};
  wire [kLanes-1:0] unused_asked;
  wire goes_on;
  assign {unused_asked, goes_on} = {1'b0, asked} >> (base + BANKS);
  wire lanes_last = !copies && !goes_on;
  wire scalar_asks = load || store != 0;
  wire scalar_turn = PORTS == 2 || served || !asks;
  assign ready = (!asks || served || lanes_last) && (!scalar_asks || scalar_turn);
  always @(posedge clk) begin
    if (reset) num_tables <= 0;
    else if (copies && copied == kCopyTurns - 1 && !no_room) begin
      for (n = 0; n < TABLES; n = n + 1) if (n == num_tables) sources[32*n+:32] <= vector_address;
      num_tables <= num_tables + 1;
    end
    copied <= reset || !copies || copied == kCopyTurns - 1 ? 10'd0 : copied + 10'd1;
    base <= reset || ready || copies || served || lanes_last ? 32'd0 : base + BANKS;
    served <= !reset && !ready && (served || lanes_last) && asks;
  end

  // Each bank serves a lane in a turn.
  wire [31:0] first = vector_address >> 2, scalar_word = address >> 2;
  wire [31:0] source = vector_address + {23'b0, copied[9:1]}, source_word = source >> 2;
  wire [AW-1:0] copy_entry;
  wire [31-AW:0] unused_copy;
  assign {unused_copy, copy_entry} = WORDS + 256 * num_tables + {23'b0, copied[9:1]};
  wire copy_writes = copies && copied[0];
  wire scalar_goes = scalar_turn && !copies, scalar_by_a = PORTS == 1 && scalar_goes;
  wire [AW-1:0] scalar_entry = entry_of(scalar_word);
  reg [7:0] copied_byte;
  wire [32*kLanes-1:0] words_in = {{(32 * (kLanes - R)) {1'b0}}, vector_in};
  wire [32*BANKS-1:0] a_out, b_out;
  genvar b, k, j;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : banks
      // The lane that is served, and its word: tables do not care which bank has it.
      wire [31:0] lane = base + (vector_lookup ? b : (b + BANKS - first % BANKS) % BANKS);
      wire [31:0] word = first + lane;
      wire [IW-1:0] lane_bits = lane[IW-1:0];
      wire serves = asks && !served && !copies && asked[lane_bits];
      wire [31:0] word_in = words_in[32*lane_bits+:32];
      wire scalar_here = scalar_goes && bank_of(scalar_word) == b;
      for (k = 0; k < 4; k = k + 1) begin : arrays
        wire [AW-1:0] looked_up;
        wire [31-AW:0] unused_entry;
        assign {unused_entry, looked_up} = table_entry + {24'b0, word_in[8*k+:8]};
        wire writes_scalar = scalar_here && store[k];
        vemicry_array #(.ENTRIES(kEntries), .AW(AW), .PORTS(PORTS)) bytes (
            .clk(clk),
            .a_write(copy_writes || (serves && vector_store) || (scalar_by_a && writes_scalar)),
            .a(copies ? (copied[0] ? copy_entry : entry_of(source_word)) :
               scalar_by_a ? scalar_entry : vector_lookup ? looked_up : entry_of(word)),
            .a_in(copies ? copied_byte : scalar_by_a ? in[8*k+:8] : word_in[8*k+:8]),
            .a_out(a_out[32*b+8*k+:8]), .b_write(writes_scalar), .b(scalar_entry),
            .b_in(in[8*k+:8]), .b_out(b_out[32*b+8*k+:8])
        );
      end
    end
  endgenerate
  assign out = PORTS == 1 ? a_out[32*bank_of(scalar_word)+:32] : b_out[32*bank_of(scalar_word)+:32];
  wire [7:0] source_byte;
  wire [23:0] unused_source;
  assign {unused_source, source_byte} = a_out[32*bank_of(source_word)+:32] >> {~source[1:0], 3'b0};
  always @(posedge clk) copied_byte <= source_byte;

  // What earlier turns read is kept.
  generate
    for (j = 0; j < R; j = j + 1) begin : of_lane
      localparam [31:0] kBase = j / BANKS * BANKS;
      wire [31:0] read = vector_lookup ? a_out[32*(j%BANKS)+:32] : a_out[32*bank_of(first+j)+:32];
      reg [31:0] kept;
      always @(posedge clk) if (base == kBase && !served) kept <= read;
      assign vector_out[32*j+:32] = base == kBase && !served ? read : kept;
    end
  endgenerate
endmodule
