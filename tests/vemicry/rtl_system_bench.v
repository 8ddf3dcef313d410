// Bench of vemicry_system: a host writes a program and its data, starts it, and reads data when an
// exception has ended it. All numbers of the file are hexadecimal words:
//   address of the first instruction
//   number of program words; address and word of each; the same of data
//   address of the instruction that ends it, and its exception
//   number of words to be read; address and word of each
module rtl_system_bench;
  parameter Q = 8;
  parameter P = 8;
  parameter R = 8;
  parameter BANKS = 8;
  parameter PORTS = 2;
  localparam kPatience = 100000;  // cycles

  reg clk = 1, reset = 1, host_program = 0;
  reg [3:0] host_store = 0;
  reg [31:0] reset_address, host_address, host_word;
  wire [31:0] host_data, trap_address;
  wire [3:0] trap;
  vemicry_system #(.Q(Q), .P(P), .R(R), .BANKS(BANKS), .PORTS(PORTS)) system (
      .clk(clk), .reset(reset), .reset_address(reset_address), .host_program(host_program),
      .host_store(host_store), .host_address(host_address), .host_word(host_word),
      .host_data(host_data), .leaves(), .leaves_address(), .retired(), .trap(trap),
      .trap_address(trap_address), .no_room()
  );

  task cycle;
    begin
      #1 clk = 0;
      #1 clk = 1;
      #1;  // inputs change behind the edge
    end
  endtask
  integer file, num_read, count;
  function [31:0] next(input integer from);
    reg [31:0] word;
    begin
      num_read = $fscanf(from, "%h", word);
      next = word;
    end
  endfunction
  task write_words(input of_program);
    begin
      {host_program, host_store} = {of_program, 4'hf};
      for (count = next(file); count > 0; count = count - 1) begin
        host_address = next(file);
        host_word = next(file);
        cycle;
      end
      host_store = 0;
    end
  endtask
  task compare(input [8*8-1:0] what, input [31:0] of, input [31:0] got, input [31:0] expected);
    if (got !== expected) begin
      $display("MISMATCH %0s %h %h %h", what, of, got, expected);
      $finish;
    end
  endtask

  reg [8*1024-1:0] name;
  integer cycles = 0;
  initial begin
    num_read = $value$plusargs("program=%s", name);
    file = $fopen(name, "r");
    reset_address = next(file);
    write_words(1);
    write_words(0);
    cycle;
    reset = 0;
    for (cycles = 0; trap == 0 && cycles < kPatience; cycles = cycles + 1) cycle;
    compare("address", 0, trap_address, next(file));
    compare("trap", trap_address, trap, next(file));
    repeat (P + 10) cycle;  // what came before it ends
    reset = 1;
    for (count = next(file); count > 0; count = count - 1) begin
      host_address = next(file);
      cycle;
      compare("memory", host_address, host_data, next(file));
    end
    $display("AGREE %0d", cycles);
    $finish;
  end
endmodule
