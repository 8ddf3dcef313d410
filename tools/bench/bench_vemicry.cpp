// `incore bench vemicry`: how many instructions a second the simulator executes, alone and with the
// pipeline model. A published result of the vector unit is checked before any speed is measured.
#include <fmt/format.h>

#include "incore/vemicry.h"
#include "tools/base/json.h"
#include "tools/bench/bench.h"
#include "tools/bench/measure.h"
#include "tools/vemicry/vemicry_machine.h"

namespace incore::tools {
namespace {

// Endless loops with what the kinds of programs execute.
struct Loop {
  const char *name, *summary, *source;
};
constexpr Loop kLoops[] = {
    {"scalar", "sums, shifts, loads, stores and branches", R"(
        .data
words:  .space  256
        .text
        la      $8, words
loop:   addiu   $9, $9, 1
        andi    $10, $9, 0xFC
        addu    $10, $8, $10
        lw      $11, 0($10)
        sll     $12, $11, 5
        xor     $11, $11, $12
        addu    $11, $11, $9
        bne     $11, $0, loop
        sw      $11, 0($10)
        b       loop
        nop
)"},
    {"aes", "an AES round: substitution, transpositions, rotations, doubling, key", R"(
        .data
table:  .space  256
keys:   .space  64
        .text
        la      $8, table
        la      $9, keys
        li      $10, 0x11B
        li      $11, -1
loop:   vbyteld v0, ($8), 0
        vbcrotr v1, v0, 24
        vtransp v1, v1, 4
        vbcrotr v1, v1, 8
        vtransp v1, v1, 4
        vxor    v2, v0, v1
        mtvcr   $10
        vmpmul  v3, v2
        mtvcr   $11
        vbcrotr v2, v2, 16
        vxor    v3, v3, v1
        vxor    v3, v3, v2
        vload   v4, ($9), 0
        b       loop
        vxor    v0, v3, v4
)"},
    {"product", "a pass of Montgomery's multiplication in GF(2^m)", R"(
        .data
a:      .word   0x12345678, 0x9ABCDEF0, 0x0F1E2D3C, 0x4B5A6978
        .text
        la      $8, a
        vload   v0, ($8), 4
        vload   v1, ($8), 3
        li      $9, 0x08040201
loop:   lw      $10, 0($8)
        addiu   $11, $11, 1
        vspmult v2, v0, $10
        vxor    v3, v3, v2
        vspmult v4, v3, $9
        vextract $12, v4, 1
        vspmult v2, v1, $12
        vxor    v3, v3, v2
        bne     $11, $0, loop
        vwshr   v3, v3, 1
        b       loop
        nop
)"},
};

constexpr uint64_t kInstructions = 1'000'000;  // of one call

ProgramHandle assemble(const Loop& loop) {
  char reason[512] = "";
  incore_vemicry_program* program = nullptr;
  if (incore_vemicry_assemble(loop.name, loop.source, std::char_traits<char>::length(loop.source),
                              nullptr, &program, reason, sizeof reason) != INCORE_OK)
    fail(kDiffers, reason);
  return {program, incore_vemicry_program_free};
}

// Millions of instructions a second, of |run|(machine); 0: it did not go on.
template <class Run>
double rate(const incore_vemicry_program& program, std::chrono::milliseconds time, Run run) {
  const MachineHandle machine = make_machine({}, program);
  if (machine == nullptr) return 0;
  bool goes_on = true;
  const Measurement measured = measure(
      [&](size_t calls) {
        for (size_t i = 0; i < calls; ++i) goes_on = goes_on && run(machine.get());
      },
      time);
  return goes_on ? 1e3 * static_cast<double>(kInstructions) / measured.median_ns : 0;
}

int run(const BenchOptions& options, Json* out_json, std::string* out_text) {
  // FIPS 197, and a product against its definition.
  for (const char* workload : {"aes128-encrypt-16", "gf2-191-product"}) {
    incore_vemicry_figures figures;
    char reason[512] = "";
    if (incore_vemicry_measure(workload, nullptr, 1, &figures, reason, sizeof reason) != INCORE_OK)
      return fail(kDiffers, fmt::format("{}: {}", workload, reason));
  }
  const auto goes_on = [](incore_status status, const incore_vemicry_outcome& outcome) {
    return status == INCORE_OK && outcome.stop == INCORE_VEMICRY_LIMIT;
  };
  *out_text = fmt::format(
      "Millions of simulated instructions a second, q = p = r = 8\n"
      "  {:<10} {:>12} {:>14}\n",
      "code", "functional", "with pipeline");
  Json list = Json::array();
  for (const Loop& loop : kLoops) {
    const ProgramHandle program = assemble(loop);
    if (program == nullptr) return kDiffers;
    const double functional = rate(*program, options.time, [&](incore_vemicry_machine* machine) {
      incore_vemicry_outcome outcome;
      return goes_on(incore_vemicry_machine_run(machine, kInstructions, &outcome), outcome);
    });
    const double timed = rate(*program, options.time, [&](incore_vemicry_machine* machine) {
      incore_vemicry_outcome outcome;
      uint64_t cycles = 0;
      return goes_on(incore_vemicry_machine_run_timed(machine, kInstructions, &outcome, &cycles),
                     outcome) &&
             cycles >= kInstructions;
    });
    if (functional == 0 || timed == 0)
      return fail(kDiffers, fmt::format("the loop '{}' came to an end", loop.name));
    *out_text += fmt::format("  {:<10} {:>12.0f} {:>14.0f}   {}\n", loop.name, functional, timed,
                             loop.summary);
    list.push_back({{"code", loop.name},
                    {"functional_per_second", 1e6 * functional},
                    {"with_pipeline_per_second", 1e6 * timed}});
  }
  (*out_json)["loops"] = list;
  return kDone;
}

}  // namespace

extern const Bench bench_vemicry = {
    "vemicry", "instructions a second of the VeMICry simulator", run, nullptr, {"--time"}};

}  // namespace incore::tools
