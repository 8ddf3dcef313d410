// A scalar operand in ID: its newest value, which may be on its way to the register still. EX and DF
// have the instruction issued a cycle ago, DC and EXM two, WB and EXC three, and WB of the vector
// unit four. A register number of 0 means none.
module vemicry_bypass (
    input [4:0] number,
    input ex_load,
    input [4:0] ex,
    input [4:0] dc,
    input [4:0] wb,
    input [4:0] df,
    input [4:0] exm,
    input [4:0] exc,
    input [4:0] unit,
    input [31:0] ex_value,
    input [31:0] dc_value,
    input [31:0] wb_value,
    input [31:0] exc_value,
    input [31:0] unit_value,
    input [31:0] stored,
    output reg [31:0] value,
    output loading,    // a load has it at the end of the next cycle
    output [1:0] late  // the vector unit has it at WB, so many cycles from now; 0: it is there
);
  wire none = number == 0;
  wire ex_has = !none && ex == number;
  wire df_has = !none && df == number;
  wire younger = ex_has || df_has;
  wire dc_has = !none && dc == number;
  assign loading = ex_has && ex_load;
  assign late = df_has ? 2'd3 : !younger && !dc_has && !none && exm == number ? 2'd2 : 2'd0;
  always @*
    if (none) value = 32'b0;
    else if (ex_has) value = ex_value;
    else if (dc == number) value = dc_value;
    else if (wb == number) value = wb_value;
    else if (exc == number) value = exc_value;
    else if (unit == number) value = unit_value;
    else value = stored;
endmodule
