// Printed figures of the RNG, REP XCRYPTECB in clocks, the hash engine and the Montgomery
// multiplier: PadLock guide 1.66, sections 2.3, 3.3, 4.2, 5.2 and 6.4.
#include "padlock/published_speeds.h"

namespace incore::padlock {
namespace {

// Clocks per bit that modular exponentiation spends around a REP MONTMUL (final subtraction,
// copies), fitted to the four measured rows of section 5.2.
constexpr double kModexpClocksPerBit = 0.4;
// A squaring, and a multiplication for half the bits.
constexpr double kMultiplicationsPerBit = 1.5;

constexpr FigureRow kXstore[] = {{0, {30, 55}}, {1, {30, 310}}, {2, {30, 200}}, {3, {30, 120}}};

// 10 rounds; N as 512.
constexpr FigureRow kEcb[] = {{1, {29, 65, 96}}, {2, {31, 67, 98}}, {512, {5131, 5167, 5198}}};

constexpr FigureRow kHash[] = {{1 << 20, {2.66, 2.26}}};
constexpr FigureRow kHashHardware[] = {{64, {3.2, 2.66}}};
constexpr FigureRow kHashFile[] = {{100757706, {0.330, 1.719}, "user"},
                                   {100757706, {0.837, 2.010}, "real"}};

constexpr FigureRow kSignings[] = {{1024, {900}}, {2048, {130}}, {4096, {18}}};

constexpr FigureRow kModexp[] = {
    {512, {1233.3, 250.0}},
    {1024, {194.7, 50.0}},
    {1536, {62.7, 16.1}},
    {2048, {27.4, 7.1}},
};

constexpr FigureRow kModexpListing[] = {
    {256, {3700.0, 0}},   {384, {1850.0, 500.0}}, {512, {740.0, 250.0}}, {640, {462.5, 125.0}},
    {768, {308.3, 71.4}}, {896, {217.6, 50.0}},   {1024, {142.3, 31.2}}, {1152, {105.7, 23.8}},
    {1280, {75.5, 17.2}}, {1408, {59.7, 13.5}},   {1536, {46.2, 10.6}},  {1664, {37.0, 8.3}},
    {1792, {30.1, 6.8}},  {1920, {25.3, 5.7}},    {2048, {20.3, 4.7}},
};

double hertz(const FigureTable& table) {
  return table.clock_mhz * 1e6;
}

double xstore(const FigureTable&, const FigureRow& row, unsigned column) {
  return clocks_of(xstore_ticks(static_cast<unsigned>(row.size), column == 1));
}

double ecb(const FigureTable& table, const FigureRow& row, unsigned column) {
  const XcryptWork work = {.blocks = row.size, .keys = static_cast<KeyLoad>(column)};
  return clocks_of(xcrypt_ticks(table.core, Engine::ideal, work));
}

double hash(const FigureTable&, const FigureRow& row, unsigned column) {
  const uint64_t ticks = xsha_ticks(static_cast<XshaKind>(column), padded_blocks(row.size));
  return static_cast<double>(row.size) * 8 / clocks_of(ticks);
}

double hash_hardware(const FigureTable&, const FigureRow& row, unsigned column) {
  return static_cast<double>(row.size) * 8 / xsha_hardware_clocks(static_cast<XshaKind>(column));
}

double hash_file(const FigureTable& table, const FigureRow& row, unsigned column) {
  if (column == 1 || row.label[0] == 'r') return 0;  // software; time that includes the disk
  const uint64_t ticks = xsha_ticks(XshaKind::sha1, padded_blocks(row.size)) +
                         memory_ticks(table.core, row.size, false);
  return clocks_of(ticks) / hertz(table);
}

// Modular exponentiations per second; |clocks_per_bit| in each multiplication.
double modexp_rate(const FigureTable& table, uint64_t bits, double clocks_per_bit) {
  const double size = static_cast<double>(bits);
  const double multiplication = clocks_of(montmul_ticks(bits)) + clocks_per_bit * size;
  return hertz(table) / (kMultiplicationsPerBit * size * multiplication);
}

// RSA with the Chinese remainder theorem: two exponentiations of half the length.
double signings(const FigureTable& table, const FigureRow& row, unsigned) {
  return modexp_rate(table, row.size / 2, 0) / 2;
}

double modexp(const FigureTable& table, const FigureRow& row, unsigned column) {
  return column == 0 ? modexp_rate(table, row.size, kModexpClocksPerBit) : 0;  // GMP is software
}

#define ROWS(name) name, sizeof name / sizeof name[0]

constexpr char kPure[] = "none: clocks of the instruction";
constexpr char kModexpTerms[] = "the program: 0.4 clocks per bit in each multiplication";

constexpr FigureTable kTables[] = {
    {"guide-xstore",
     "XSTORE by quality factor EDX",
     "PadLock guide 2.3",
     kPure,
     TimingCore::esther,
     2000,
     DataPath::plain,
     "EDX",
     "clocks",
     false,
     {"no data", "data"},
     ROWS(kXstore),
     xstore},
    {"guide-ecb",
     "REP XCRYPTECB, 10 rounds, by where the keys come from",
     "PadLock guide 3.3",
     kPure,
     TimingCore::esther,
     1600,
     DataPath::plain,
     "blocks",
     "clocks",
     false,
     {"loaded", "hardware", "memory"},
     ROWS(kEcb),
     ecb},
    {"guide-hash",
     "REP XSHA, long messages",
     "PadLock guide 4.2",
     kPure,
     TimingCore::esther,
     1600,
     DataPath::plain,
     "B",
     "b/clock",
     false,
     {"SHA-1", "SHA-256"},
     ROWS(kHash),
     hash},
    {"guide-hash-hardware",
     "the hash hardware alone",
     "PadLock guide 4.2",
     kPure,
     TimingCore::esther,
     1600,
     DataPath::plain,
     "B",
     "b/clock",
     false,
     {"SHA-1", "SHA-256"},
     ROWS(kHashHardware),
     hash_hardware},
    {"guide-hash-file",
     "SHA-1 of a file",
     "PadLock guide 4.2",
     "the memory, read once",
     TimingCore::esther,
     1600,
     DataPath::plain,
     "B",
     "s",
     false,
     {"SHA-1", "SHA-1 software"},
     ROWS(kHashFile),
     hash_file},
    {"guide-rsa",
     "RSA signings, the guide's estimate",
     "PadLock guide 5.2",
     kPure,
     TimingCore::esther,
     2000,
     DataPath::plain,
     "bits",
     "1/s",
     false,
     {"MONTMUL"},
     ROWS(kSignings),
     signings},
    {"guide-modexp",
     "Modular exponentiations",
     "PadLock guide 5.2, Measured MODEXP",
     kModexpTerms,
     TimingCore::esther,
     1600,
     DataPath::plain,
     "bits",
     "1/s",
     false,
     {"MONTMUL", "GMP software"},
     ROWS(kModexp),
     modexp},
    {"guide-modexp-listing",
     "Listing of modexp (at 1.2 GHz; coarse for short numbers)",
     "PadLock guide 6.4",
     kModexpTerms,
     TimingCore::esther,
     1200,
     DataPath::plain,
     "bits",
     "1/s",
     false,
     {"MONTMUL", "GMP software"},
     ROWS(kModexpListing),
     modexp},
};

#undef ROWS

}  // namespace

const FigureTable* other_figure_table(size_t index) {
  return index < sizeof kTables / sizeof kTables[0] ? &kTables[index] : nullptr;
}

}  // namespace incore::padlock
