// Random bytes of XSTORE, as the generator is set up.
#pragma once

void write_noise(void);  // the member "noise" of the document
