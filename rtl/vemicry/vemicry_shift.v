// One word of a register that is shifted by words (VWSHL, VWSHR; VeMICry paper, appendix A): word
// number |element| of the result, of which |length| words count.
module vemicry_shift #(
    parameter P = 8,
    parameter EW = 5,  // bits of a word's number
    parameter PW = 3   // bits of that of a word that exists
) (
    input [32*P-1:0] words,
    input [EW-1:0] element,
    input [EW-1:0] length,
    input [5:0] n,
    input right,
    input [31:0] car,
    output [31:0] word
);
  localparam SW = (EW > 6 ? EW : 6) + 1;
  wire [SW-1:0] at = {{(SW - EW){1'b0}}, element};
  wire [SW-1:0] end_at = {{(SW - EW){1'b0}}, length};
  wire [SW-1:0] distance = {{(SW - 6){1'b0}}, n};
  wire [SW-1:0] source = right ? at + distance : at - distance;
  wire exists = right ? source < end_at : distance <= at;
  wire [PW-1:0] index = source[PW-1:0];
  assign word = exists ? words[32*index+:32] : right && source == end_at ? car : 32'b0;
endmodule
