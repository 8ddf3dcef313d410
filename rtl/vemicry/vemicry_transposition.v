// One word of a register that is transposed as a matrix of bytes (VTRANSP; VeMICry paper, appendix
// A), 4 rows and a column for each word: word k of row i, where w = length / 4 words make a row and
// element = i mod n + n * (w * (i div n) + k). The row's bytes lie in words 4k to 4k + 3.
module vemicry_transposition #(
    parameter P = 8,
    parameter EW = 5,  // bits of a word's number
    parameter KW = 1   // bits of that of a group of four words
) (
    input [32*P-1:0] words,
    input [EW-1:0] element,
    input [EW-1:0] length,
    input [2:0] n,
    output [31:0] word
);
  localparam kGroups = (P + 3) / 4;
  wire [EW-1:0] w = length >> 2;
  // How often w goes into element / n: there are 4 / n rows of that many words beside each other.
  wire [EW-1:0] line = n[2] ? element >> 2 : n[1] ? element >> 1 : element;
  wire [EW+1:0] long_line = {2'b0, line}, w1 = {2'b0, w}, w2 = {1'b0, w, 1'b0}, w3 = w1 + w2;
  reg [1:0] row;
  reg [EW+1:0] column;
  // verilator lint_off UNSIGNED
  always @* begin  // with P below 4, w is 0
    {row, column} = {2'd0, long_line};
    if (n[2]) row = element[1:0];
    else if (n[0] && long_line >= w3) {row, column} = {2'd3, long_line - w3};
    else if (n[0] && long_line >= w2) {row, column} = {2'd2, long_line - w2};
    else if (long_line >= w1) {row, column} = {2'd1, long_line - w1};
    if (n[1]) row = {row[0], element[0]};
  end
  // verilator lint_on UNSIGNED

  // Of every four words the row's bytes; byte 0, the row 0, is the most significant one.
  wire [32*kGroups-1:0] rows;
  wire [128*kGroups-1:0] padded;
  assign padded[32*P-1:0] = words;
  genvar k, c;
  generate
    if (P % 4 != 0) begin : pad
      assign padded[128*kGroups-1:32*P] = 0;
    end
    for (k = 0; k < kGroups; k = k + 1) begin : group
      for (c = 0; c < 4; c = c + 1) begin : of_word
        wire [31:0] x = padded[32*(4*k+c)+:32];
        assign rows[32*k+8*(3-c)+:8] = row[1] ? (row[0] ? x[7:0] : x[15:8]) : (row[0] ? x[23:16] : x[31:24]);
      end
    end
  endgenerate
  wire [KW-1:0] index;
  wire [EW+1:0] unused_column;
  assign {unused_column, index} = {{KW{1'b0}}, column};
  assign word = rows[32*index+:32];
endmodule
