// Bytes and half-words in a big-endian word of memory, and the parts of words of LWL, LWR, SWL, SWR.
module vemicry_align (
    input [2:0] size,  // of the opcode: 0 byte, 1 half, 2 left part, 3 word, 4 to 6 unsigned, right part
    input [1:0] at,
    input [31:0] keep,  // register rt
    input [31:0] memory_word,
    output reg [31:0] loaded,
    output reg [31:0] stored,
    output reg [3:0] stored_bytes
);
  wire [4:0] left = {at, 3'b0}, right = {~at, 3'b0};
  wire [7:0] one_byte = at[1] ? (at[0] ? memory_word[7:0] : memory_word[15:8]) :
      (at[0] ? memory_word[23:16] : memory_word[31:24]);
  wire [15:0] half = at[1] ? memory_word[15:0] : memory_word[31:16];
  always @* begin
    case (size)
      3'd0: loaded = {{24{one_byte[7]}}, one_byte};
      3'd1: loaded = {{16{half[15]}}, half};
      3'd2: loaded = (memory_word << left) | (keep & ~(32'hffffffff << left));
      3'd4: loaded = {24'b0, one_byte};
      3'd5: loaded = {16'b0, half};
      3'd6: loaded = (memory_word >> right) | (keep & ~(32'hffffffff >> right));
      default: loaded = memory_word;
    endcase
    case (size)
      3'd0: {stored, stored_bytes} = {{4{keep[7:0]}}, 4'b1000 >> at};
      3'd1: {stored, stored_bytes} = {{2{keep[15:0]}}, at[1] ? 4'b0011 : 4'b1100};
      3'd2: {stored, stored_bytes} = {keep >> left, 4'b1111 >> at};
      3'd6: {stored, stored_bytes} = {keep << right, 4'b1111 << ~at};
      default: {stored, stored_bytes} = {keep, 4'b1111};
    endcase
  end
endmodule
