// Words that cross lanes: VTRANSP, VWSHL, VWSHR. The source register is kept whole, so that the
// first words of a result can be written while the last ones are still to be made from it, also in
// place. It is read at DF and passes EXM to EXC, where it stays for all iterations; what older
// instructions still write to it until then is taken from WB.
`include "vemicry_ops.vh"

module vemicry_crossbar #(
    parameter P  = 8,
    parameter R  = 8,
    parameter G  = 1,
    parameter GW = 1,
    parameter LW = 4
) (
    input clk,
    // DF
    input load,
    // verilator lint_off UNUSEDSIGNAL
    input [32*G*R-1:0] register_a,  // by lane, then by group; there may be more than P
    // verilator lint_on UNUSEDSIGNAL
    // While the instruction's first words are at EXM and EXC: older ones write.
    input exm_first,
    input [3:0] exm_a,
    input exc_first,
    input [3:0] exc_a,
    // EXC
    input [5:0] exc_op,
    input [5:0] exc_n,
    input [LW:0] exc_word,  // number of lane 0's word
    input [LW-1:0] length,
    input [31:0] car,
    output [32*R-1:0] crossed,
    output [31:0] word_p,  // word P of what VWSHL makes
    // WB
    input [R-1:0] wb_write,
    input [3:0] wb_register,
    input [GW-1:0] wb_group,
    input [32*R-1:0] wb_words
);
  localparam EW = LW + 1;
  localparam PW = P > 1 ? $clog2(P) : 1;
  localparam KW = P > 4 ? $clog2((P + 3) / 4) : 1;

  wire [32*P-1:0] words;
  wire exm_written = wb_register == exm_a;
  wire exc_written = exc_first && wb_register == exc_a;
  genvar i;
  generate
    for (i = 0; i < P; i = i + 1) begin : keep
      localparam kOwnGroup = i / R;
      reg [31:0] at_exm, at_exc;
      wire own = wb_write[i%R] && wb_group == kOwnGroup[GW-1:0];
      wire [31:0] wb_word = wb_words[32*(i%R)+:32];
      assign words[32*i+:32] = exc_written && own ? wb_word : at_exc;
      always @(posedge clk) begin
        if (load) at_exm <= register_a[32*(i%R*G+i/R)+:32];
        if (exm_first) at_exc <= exm_written && own ? wb_word : at_exm;
        else at_exc <= words[32*i+:32];
      end
    end
  endgenerate

  wire [EW-1:0] wide_length = {1'b0, length};
  generate
    for (i = 0; i < R; i = i + 1) begin : ports
      localparam [EW-1:0] kLane = i;
      wire [31:0] shifted, transposed;
      vemicry_shift #(.P(P), .EW(EW), .PW(PW)) shift (
          .words(words), .element(exc_word + kLane), .length(wide_length), .n(exc_n),
          .right(exc_op == `OP_VWSHR), .car(car), .word(shifted)
      );
      vemicry_transposition #(.P(P), .EW(EW), .KW(KW)) transposition (
          .words(words), .element(exc_word + kLane), .length(wide_length), .n(exc_n[2:0]),
          .word(transposed)
      );
      assign crossed[32*i+:32] = exc_op == `OP_VTRANSP ? transposed : shifted;
    end
  endgenerate
  vemicry_shift #(.P(P), .EW(EW), .PW(PW)) shift_out (
      .words(words), .element(wide_length), .length(wide_length), .n(exc_n), .right(1'b0),
      .car(32'b0), .word(word_p)
  );
endmodule
