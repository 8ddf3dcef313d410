// The three tables of Gladman's note on VIA's engine, section D: cycles a byte of his
// multiple-block functions on a Nehemiah, with aligned buffers, and with others that C or assembler
// code copies. His key length is not said; 128 bits are assumed. Rows are messages of so many
// blocks.
#include "padlock/published_speeds.h"

namespace incore::padlock {
namespace {

constexpr FigureRow kAligned[] = {
    {1, {8.25, 11.56, 11.93, 13.31}, "encrypt"}, {1, {8.75, 12.37, 12.18, 13.31}, "decrypt"},
    {10, {1.36, 2.41, 2.46, 3.88}, "encrypt"},   {10, {1.41, 2.38, 2.36, 3.88}, "decrypt"},
    {100, {0.69, 1.47, 1.48, 2.92}, "encrypt"},  {100, {0.70, 1.47, 1.47, 2.92}, "decrypt"},
    {1000, {0.63, 1.38, 1.38, 2.82}, "encrypt"}, {1000, {0.64, 1.38, 1.38, 2.82}, "decrypt"},
};

constexpr FigureRow kUnaligned[] = {
    {1, {17.68, 20.68, 21.06, 22.43, 16.43}, "encrypt"},
    {1, {18.12, 21.87, 21.37, 22.43, 16.43}, "decrypt"},
    {10, {4.31, 5.70, 5.81, 7.23, 6.90}, "encrypt"},
    {10, {4.36, 5.75, 5.72, 7.34, 6.90}, "decrypt"},
    {100, {3.15, 4.39, 4.43, 5.85, 6.00}, "encrypt"},
    {100, {3.17, 4.34, 4.36, 5.86, 6.00}, "decrypt"},
    {1000, {3.05, 4.27, 4.31, 5.72, 5.89}, "encrypt"},
    {1000, {3.06, 4.21, 4.24, 5.73, 5.89}, "decrypt"},
};

constexpr FigureRow kAssembler[] = {
    {1, {11.87, 14.87, 14.75, 15.25, 13.31}, "encrypt"},
    {1, {12.18, 14.43, 14.12, 15.25, 13.31}, "decrypt"},
    {10, {2.89, 4.13, 4.12, 5.36, 4.79}, "encrypt"},
    {10, {2.83, 3.87, 4.10, 5.36, 4.79}, "decrypt"},
    {100, {1.91, 3.11, 3.10, 4.37, 4.01}, "encrypt"},
    {100, {1.97, 2.89, 2.88, 4.36, 4.01}, "decrypt"},
    {1000, {1.83, 3.01, 3.01, 4.27, 3.94}, "encrypt"},
    {1000, {1.87, 2.80, 2.79, 4.27, 3.94}, "decrypt"},
};

// What his code adds to the instruction, in clocks: to a call, and to a block for copying it in and
// out. In the order of the columns; fitted to the figures.
struct Added {
  double call[kMaxFigureColumns];
  double block[kMaxFigureColumns];
};
constexpr Added kAddedAligned = {{42, 91, 93, 73, 0}, {}};
constexpr Added kAddedUnaligned = {{142, 188, 190, 170, 83}, {38.8, 46, 46.5, 46.5, 84.2}};
constexpr Added kAddedAssembler = {{75, 112, 111, 82, 64}, {19.5, 24.5, 24.5, 23.2, 53}};

// Cycles a byte. The key is loaded from memory in each call. CTR, which this processor has not, is
// ECB of counters.
template <const Added& kAdded>
double clocks_per_byte(const FigureTable& table, const FigureRow& row, unsigned column) {
  constexpr AceMode kModes[] = {AceMode::ecb, AceMode::cbc, AceMode::cfb, AceMode::ofb,
                                AceMode::ecb};
  const XcryptWork work = {
      .mode = kModes[column], .blocks = row.size, .keys = KeyLoad::memory, .path = table.path};
  const double blocks = static_cast<double>(row.size);
  const double clocks = clocks_of(xcrypt_ticks(table.core, Engine::ideal, work)) +
                        kAdded.call[column] + kAdded.block[column] * blocks;
  return clocks / (16 * blocks);
}

constexpr char kSource[] = "Gladman, Support for the VIA Nehemiah ACE, section D";

template <size_t n>
constexpr FigureTable table(const char* key, const char* title, const char* terms,
                            const FigureRow (&rows)[n],
                            double (*model)(const FigureTable&, const FigureRow&, unsigned),
                            const char* ctr) {
  return {key,
          title,
          kSource,
          terms,
          TimingCore::nehemiah,
          1200,
          DataPath::plain,
          "blocks",
          "cycles/byte",
          false,
          {"ECB", "CBC", "CFB", "OFB", ctr},
          rows,
          n,
          model};
}

constexpr FigureTable kTables[] = {
    table("gladman-aligned", "Gladman's AES with the engine, aligned in C",
          "his C code: 42 to 93 clocks a call; the ideal engine", kAligned,
          clocks_per_byte<kAddedAligned>, nullptr),
    table("gladman-unaligned", "Gladman's AES with the engine, unaligned in C",
          "his C code: 83 to 190 clocks a call, 39 to 84 a block; the ideal engine", kUnaligned,
          clocks_per_byte<kAddedUnaligned>, "CTR"),
    table("gladman-assembler", "Gladman's AES with the engine, unaligned assembler",
          "his assembler code: 64 to 112 clocks a call, 20 to 53 a block; the ideal engine",
          kAssembler, clocks_per_byte<kAddedAssembler>, "CTR"),
};

}  // namespace

const FigureTable* gladman_figure_table(size_t index) {
  return index < sizeof kTables / sizeof kTables[0] ? &kTables[index] : nullptr;
}

}  // namespace incore::padlock
