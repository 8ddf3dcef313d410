// The part of the vector register file that belongs to a lane: of each register every R-th word
// (VeMICry paper, section 4.2). What is being written is read as written. Reset writes zeros
// everywhere at once, which needs no gate in each bit.
module vemicry_slice #(
    parameter Q = 8,
    parameter G = 1,  // words of a register
    parameter GW = 1  // bits of a word's number
) (
    input clk,
    input reset,
    input write,
    input [3:0] write_register,
    input [GW-1:0] write_group,
    input [31:0] write_word,
    input [3:0] a,
    input [3:0] b,
    input [GW-1:0] group,
    output [32*G-1:0] all_a,  // all words of register a
    output [31:0] word_a,
    output [31:0] word_b
);
  wire [31:0] written = reset ? 32'b0 : write_word;
  wire [32*Q*G-1:0] stored;
  genvar q, g;
  generate
    for (q = 0; q < Q; q = q + 1) begin : registers
      for (g = 0; g < G; g = g + 1) begin : words
        localparam [3:0] kRegister = q;
        localparam [GW-1:0] kGroup = g;
        reg [31:0] word;
        always @(posedge clk)
          if (reset || (write && write_register == kRegister && write_group == kGroup)) word <= written;
        assign stored[32*(q*G+g)+:32] = word;
      end
    end
  endgenerate

  wire [32*G-1:0] stored_a = stored[32*G*a+:32*G];
  wire [32*G-1:0] stored_b = stored[32*G*b+:32*G];
  wire hit_a = write && write_register == a;
  wire hit_b = write && write_register == b && write_group == group;
  generate
    for (g = 0; g < G; g = g + 1) begin : read
      localparam [GW-1:0] kGroup = g;
      assign all_a[32*g+:32] = hit_a && write_group == kGroup ? write_word : stored_a[32*g+:32];
    end
  endgenerate
  assign word_a = all_a[32*group+:32];
  assign word_b = hit_b ? write_word : stored_b[32*group+:32];
endmodule
