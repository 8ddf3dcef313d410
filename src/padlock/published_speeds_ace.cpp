// Printed figures of REP XCRYPT: PadLock guide 1.66, sections 3.3, 6.2 and 6.6, and the Linux
// Journal article's Table 1 with its disk benchmark.
#include <initializer_list>

#include "padlock/published_speeds.h"
#include "padlock/timing_core.h"

namespace incore::padlock {
namespace {

// Clocks that OpenSSL spends around a call, fitted to the rows from 64 bytes up.
constexpr uint64_t kLibraryClocks = 170, kLibraryVectorClocks = 55;
// Clocks that the kernel spends around a sector of 512 bytes, fitted to the PadLock figure.
constexpr double kSectorClocks = 1500, kSectorBytes = 512;

constexpr FigureRow kNehemiahAligned[] = {
    {16, {3.28, 3.37, 2.98, 1.86}},     {32, {5.79, 5.29, 4.83, 2.38}},
    {64, {10.67, 5.82, 5.82, 2.65}},    {128, {12.05, 6.04, 6.02, 2.82}},
    {256, {12.88, 6.19, 6.10, 2.91}},   {512, {13.52, 6.36, 6.22, 3.03}},
    {1024, {13.88, 6.40, 6.33, 3.06}},  {2048, {13.94, 6.38, 6.34, 3.06}},
    {4096, {14.00, 6.43, 6.28, 3.08}},  {8192, {13.94, 6.43, 6.39, 3.09}},
    {16384, {14.01, 6.43, 6.24, 3.10}}, {32768, {10.66, 6.24, 6.11, 2.89}},
    {65536, {9.45, 6.02, 5.90, 2.82}},  {1048576, {1.05, 1.05, 1.05, 0.89}},
};

constexpr FigureRow kEstherAligned[] = {
    {16, {4.13, 3.88, 3.66, 2.11}},     {32, {6.83, 6.03, 5.75, 2.96}},
    {64, {12.19, 7.53, 7.31, 3.71}},    {128, {14.11, 8.36, 8.19, 4.27}},
    {256, {15.21, 8.71, 8.71, 4.60}},   {512, {16.07, 8.80, 8.80, 4.82}},
    {1024, {16.72, 8.90, 8.90, 4.93}},  {2048, {16.83, 8.98, 8.96, 4.96}},
    {4096, {17.03, 8.93, 8.93, 5.00}},  {8192, {17.03, 8.93, 8.93, 5.00}},
    {16384, {17.03, 8.98, 8.93, 5.02}}, {32768, {17.20, 8.97, 8.89, 5.04}},
    {65536, {14.56, 8.67, 8.67, 4.72}}, {1048576, {3.09, 2.69, 2.69, 2.56}},
};

constexpr FigureRow kEstherMisaligned[] = {
    {16, {1.52, 1.56, 1.49, 1.42}},    {32, {2.37, 1.78, 1.78, 1.70}},
    {64, {3.27, 2.31, 2.28, 2.18}},    {128, {4.06, 2.69, 2.66, 2.54}},
    {256, {4.10, 2.95, 2.93, 2.77}},   {512, {4.90, 3.08, 3.08, 2.90}},
    {1024, {5.09, 3.17, 3.15, 2.98}},  {2048, {5.20, 3.20, 3.20, 3.01}},
    {4096, {5.24, 3.23, 3.22, 3.02}},  {8192, {5.26, 3.23, 3.23, 3.03}},
    {16384, {5.28, 3.24, 3.24, 3.04}}, {32768, {5.28, 3.25, 3.25, 3.04}},
    {65536, {5.14, 3.20, 3.20, 3.01}}, {1048576, {1.68, 2.17, 2.17, 2.09}},
};

constexpr FigureRow kListingAligned[] = {
    {8192, {12.85, 6.76, 6.76, 3.77, 3.52}, "encrypt"},
    {8192, {12.85, 6.76, 6.76, 3.79, 0}, "decrypt"},
};

constexpr FigureRow kListingMisaligned[] = {
    {8192, {2.45, 2.45, 2.29}, "encrypt"},
    {8192, {2.44, 2.44, 2.29}, "decrypt"},
};

// 256 x 16 bytes, a million times.
constexpr FigureRow kCtrListing[] = {
    {16, {1.23}, "256 calls"},
    {4096, {5.06}, "1 call"},
    {4096, {5.02}, "1 call, checked"},
};

constexpr FigureRow kArticle[] = {
    {16, {66892.82, 11274.53, 48542.30, 8276.27}},
    {64, {346583.52, 14327.79, 241898.79, 12915.75}},
    {256, {910704.21, 14608.64, 523706.28, 13264.13}},
    {1024, {1489932.59, 14672.55, 745157.61, 13313.02}},
    {8192, {1832151.72, 14693.72, 846402.90, 13322.92}},
};

constexpr double kDiskAlone = 61543;  // kB/s without encryption
constexpr FigureRow kDisk[] = {
    {512, {49961, 10005}},
};

double megahertz(const FigureTable& table) {
  return table.clock_mhz;
}

// The mode that a column's name begins with.
AceMode mode_of(const char* column) {
  switch (column[1]) {
    case 'C':
      return AceMode::ecb;
    case 'B':
      return AceMode::cbc;
    case 'T':
      return AceMode::ctr;
    default:
      return column[0] == 'C' ? AceMode::cfb : AceMode::ofb;
  }
}

XcryptWork work_of(const FigureTable& table, const FigureRow& row, unsigned column) {
  const char* const name = table.columns[column];
  const bool is_mac = name[3] == '-';
  return {.mode = mode_of(name), .blocks = row.size / 16, .path = table.path, .digest = is_mac};
}

// One turn of a sample program's loop around an instruction that takes |ticks|.
uint64_t sample_loop_ticks(TimingCore core, uint64_t ticks) {
  const LoopTiming& loop = sample_loop(core);
  const uint64_t turn = ticks + loop.added_ticks;
  return turn > loop.least_ticks ? turn : loop.least_ticks;
}

// Gb/s of the guide's sample programs, which work in place on one buffer.
double sample_program(const FigureTable& table, const FigureRow& row, unsigned column) {
  const uint64_t call = xcrypt_ticks(table.core, Engine::measured, work_of(table, row, column)) +
                        memory_ticks(table.core, row.size, true);
  const double clocks = clocks_of(sample_loop_ticks(table.core, call));
  return static_cast<double>(row.size) * 8 * megahertz(table) / clocks / 1000;
}

// kB/s of OpenSSL.
double article(const FigureTable& table, const FigureRow& row, unsigned column) {
  if (column % 2 != 0) return 0;  // software
  const XcryptWork work = work_of(table, row, column);
  const uint64_t library = kLibraryClocks + (work.mode == AceMode::ecb ? 0 : kLibraryVectorClocks);
  const double clocks =
      clocks_of(xcrypt_ticks(table.core, Engine::ideal, work)) + static_cast<double>(library);
  return static_cast<double>(row.size) * megahertz(table) * 1000 / clocks;
}

// kB/s of a disk whose sectors are encrypted after they are read. AES in software runs as in
// Table 1 at 1024 bytes.
double disk(const FigureTable& table, const FigureRow&, unsigned column) {
  constexpr double kSoftware = 13313.02;
  const XcryptWork sector = {.mode = AceMode::cbc, .blocks = 32};
  const double kb_seconds_of_clocks = 1 / (kSectorBytes * megahertz(table) * 1000);
  const double overhead = kSectorClocks * kb_seconds_of_clocks;
  const double padlock =
      clocks_of(xcrypt_ticks(table.core, Engine::ideal, sector)) * kb_seconds_of_clocks;
  return 1 / (1 / kDiskAlone + overhead + (column == 0 ? padlock : 1 / kSoftware));
}

#define ROWS(name) name, sizeof name / sizeof name[0]

constexpr char kLoopTerms[] =
    "the sample program's loop; beyond 16 KB (Nehemiah) or 32 KB (Esther) the caches";

constexpr FigureTable kTables[] = {
    {"guide-nehemiah",
     "Nehemiah, aligned buffers",
     "PadLock guide 3.3, Measured Performance",
     kLoopTerms,
     TimingCore::nehemiah,
     1200,
     DataPath::plain,
     "B",
     "Gb/s",
     true,
     {"ECB", "CBC", "CFB", "OFB"},
     ROWS(kNehemiahAligned),
     sample_program},
    {"guide-esther",
     "Esther, aligned buffers",
     "PadLock guide 3.3, Measured Performance",
     kLoopTerms,
     TimingCore::esther,
     1600,
     DataPath::plain,
     "B",
     "Gb/s",
     true,
     {"ECB", "CBC", "CFB", "OFB"},
     ROWS(kEstherAligned),
     sample_program},
    {"guide-esther-misaligned",
     "Esther, non-aligned buffers",
     "PadLock guide 3.3, Measured Performance",
     kLoopTerms,
     TimingCore::esther,
     1600,
     DataPath::misaligned,
     "B",
     "Gb/s",
     true,
     {"CTR", "CBC", "CFB", "OFB"},
     ROWS(kEstherMisaligned),
     sample_program},
    {"guide-listing",
     "Listing of baes, aligned (clock not printed: 1.2 GHz)",
     "PadLock guide 6.2",
     "the sample program's loop",
     TimingCore::esther,
     1200,
     DataPath::plain,
     "B",
     "Gb/s",
     true,
     {"ECB", "CBC", "CFB", "OFB", "CBC-MAC"},
     ROWS(kListingAligned),
     sample_program},
    {"guide-listing-misaligned",
     "Listing of baes, unaligned (at 1.2 GHz)",
     "PadLock guide 6.2",
     "the sample program's loop",
     TimingCore::esther,
     1200,
     DataPath::misaligned,
     "B",
     "Gb/s",
     true,
     {"CBC", "CFB", "OFB"},
     ROWS(kListingMisaligned),
     sample_program},
    {"guide-ctr-listing",
     "Listing of ctr_errata (at 1.2 GHz)",
     "PadLock guide 6.6",
     "the sample program's loop, not its check",
     TimingCore::esther,
     1200,
     DataPath::plain,
     "B",
     "Gb/s",
     true,
     {"CTR"},
     ROWS(kCtrListing),
     sample_program},
    {"linux-journal",
     "OpenSSL speed on a Nehemiah, aes-128",
     "Linux Journal 133 (May 2005), Table 1",
     "OpenSSL: 170 clocks a call, 55 more with a vector; the ideal engine",
     TimingCore::nehemiah,
     1200,
     DataPath::plain,
     "B",
     "kB/s",
     true,
     {"ECB", "ECB software", "CBC", "CBC software"},
     ROWS(kArticle),
     article},
    {"linux-journal-disk",
     "Encrypted disk on a Nehemiah (61543 kB/s without encryption)",
     "Linux Journal 133 (May 2005)",
     "the kernel: 1500 clocks a sector; software AES as in Table 1",
     TimingCore::nehemiah,
     1200,
     DataPath::plain,
     "B",
     "kB/s",
     false,
     {"CBC", "CBC software"},
     ROWS(kDisk),
     disk},
};

#undef ROWS

}  // namespace

const FigureTable* figure_table(size_t index) {
  for (const auto list : {ace_figure_table, gladman_figure_table, other_figure_table}) {
    size_t num = 0;
    while (list(num) != nullptr) ++num;
    if (index < num) return list(index);
    index -= num;
  }
  return nullptr;
}

bool counts_in_summary(const FigureTable& table, const FigureRow& row) {
  return table.throughput && row.size >= 64 && row.size <= 16 << 10;
}

const FigureTable* ace_figure_table(size_t index) {
  return index < sizeof kTables / sizeof kTables[0] ? &kTables[index] : nullptr;
}

}  // namespace incore::padlock
