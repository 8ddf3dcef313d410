// How many clocks each instruction takes, by size and key: the rows of the guide's tables.
#pragma once

void write_timings(void);  // the member "timings" of the document
