// Where a falling function crosses a value.
#pragma once

namespace incore::assess::sp800_90b {

// The greatest p from |low| to |high| with f(p) > |target|, to the last bit; f falls, f(low) >
// target.
template <class Function>
double last_above(double low, double high, double target, const Function& f) {
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return high;
    (f(middle) > target ? low : high) = middle;
  }
}

}  // namespace incore::assess::sp800_90b
