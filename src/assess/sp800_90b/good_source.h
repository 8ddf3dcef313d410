// What the estimators say of a source without fault, whose bits are all independent and fair. They
// are made to say too little rather than too much, so it is less than all bits.
#pragma once

#include <cstddef>

namespace incore::assess::sp800_90b {

// The initial entropy estimate, bits a symbol, below which a good source of |width| bits a symbol
// comes with at most |probability| in a sample of |num| symbols.
double least_of_good_source(unsigned width, size_t num, double probability);

}  // namespace incore::assess::sp800_90b
