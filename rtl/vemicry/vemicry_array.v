// A byte array of a bank: a memory block with one or two ports, each of which reads or writes in a
// cycle. It is clocked by the falling edge, so that what an address asks for in the first half of a
// cycle is there in the second.
module vemicry_array #(
    parameter ENTRIES = 1024,
    parameter AW = 10,  // bits of an entry's number
    parameter PORTS = 2
) (
    input clk,
    input a_write,
    input [AW-1:0] a,
    input [7:0] a_in,
    output reg [7:0] a_out,
    input b_write,
    input [AW-1:0] b,
    input [7:0] b_in,
    output reg [7:0] b_out
);
  reg [7:0] stored[0:ENTRIES-1];
  // A port that writes does not read.
  always @(negedge clk)
    if (a_write) stored[a] <= a_in;
    else a_out <= stored[a];
  generate
    if (PORTS == 2) begin : two_ports
      always @(negedge clk)
        if (b_write) stored[b] <= b_in;
        else b_out <= stored[b];
    end else begin : one_port
      wire [AW+8:0] unused = {b_write, b, b_in};
      always @(negedge clk) b_out <= 8'b0;
    end
  endgenerate
endmodule
