// SP 800-90B's non-IID track held to NIST's tool: published results of its own sample files, and
// recorded ones of ours.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "assess/sp800_90b/estimator.h"
#include "assess/sp800_90b_samples.h"
#include "support/vector_file.h"

#if INCORE_HAVE_GMP
#include <gmpxx.h>
#endif

namespace {

using namespace incore::assess::sp800_90b;

// NIST's tool and we round differently in the last digits; where P_local is searched, its long
// doubles leave some 1e-12.
constexpr double kTolerance = 1e-10;

// "Lag Prediction", as in the data files, from "Lag Prediction Estimate".
std::string short_name(const char* test) {
  const std::string name = test;
  return name.substr(0, name.rfind(" Estimate"));
}

double figure(const Estimate& estimate, const std::string& name) {
  for (const incore::assess::Figure& each : estimate.figures)
    if (each.name == name) return each.value;
  ADD_FAILURE() << estimate.test << " has no figure " << name;
  return 0;
}

// All estimates of one sequence, by short name.
std::map<std::string, Estimate> estimates_of(const Symbols& symbols) {
  std::map<std::string, Estimate> all;
  const Stop stop = false;
  for (const Estimator* estimator : estimators()) {
    if (estimator->binary_only && symbols.k != 2) continue;
    for (Estimate& estimate : estimator->run(symbols, stop))
      all.emplace(short_name(estimate.test), std::move(estimate));
  }
  return all;
}

// Checks the fields `literal NAME = ENTROPY COUNT=VALUE...` and `bitstring NAME = ...`, that there
// is one for each estimate, and what follows from all.
void check_case(incore::test::VectorCase& c, const Sample& sample) {
  const bool binary = sample.literal().k == 2;
  EXPECT_EQ(std::stoul(c.text("n")), sample.width());
  double h = sample.width();
  for (const bool literal : {true, false}) {
    if (!literal && binary) continue;
    const std::string sequence = literal ? "literal " : "bitstring ";
    double least = literal ? sample.width() : 1;
    for (const auto& [name, estimate] :
         estimates_of(literal ? sample.literal() : sample.bitstring())) {
      if (!estimate.skipped.empty()) continue;
      std::istringstream fields(c.text(sequence + name));
      double entropy;
      fields >> entropy;
      EXPECT_NEAR(estimate.min_entropy, entropy, kTolerance) << sequence << name;
      for (std::string count; fields >> count;) {
        const size_t equals = count.find('=');
        EXPECT_EQ(figure(estimate, count.substr(0, equals)), std::stod(count.substr(equals + 1)))
            << sequence << name << ' ' << count;
      }
      least = std::min(least, estimate.min_entropy);
    }
    EXPECT_NEAR(least, std::stod(c.text(literal ? "H_original" : "H_bitstring")), kTolerance);
    h = std::min(h, literal ? least : sample.width() * least);
  }
  EXPECT_NEAR(h, std::stod(c.text("H")), kTolerance);
}

TEST(sp800_90b, agrees_with_nist_s_tool_on_samples_of_all_kinds) {
  std::map<std::string, std::vector<uint8_t> (*)()> samples;
  for (const incore::test::NamedSample& sample : incore::test::sp800_90b_samples())
    samples[sample.name] = sample.make;
  const size_t num =
      incore::test::for_each_case("assess/sp800_90b.txt", [&](incore::test::VectorCase& c) {
        const auto make = samples.find(c.text("Id"));
        ASSERT_NE(make, samples.end());
        check_case(c, Sample(make->second(), 0));
      });
  EXPECT_EQ(num, samples.size());
}

TEST(sp800_90b, finds_all_that_is_published_of_the_bits_of_pi) {
#if INCORE_HAVE_GMP
  // Gauss and Legendre's iteration doubles the digits each time.
  constexpr unsigned kBits = 1'004'882;
  const mp_bitcnt_t precision = kBits + 64;
  mpf_class a(1, precision), b(0.5, precision), t(0.25, precision), p(1, precision);
  mpf_sqrt(b.get_mpf_t(), b.get_mpf_t());
  for (int i = 0; i < 20; ++i) {
    const mpf_class mean = (a + b) / 2, difference = a - mean;
    b *= a;
    mpf_sqrt(b.get_mpf_t(), b.get_mpf_t());
    t -= p * difference * difference;
    p *= 2;
    a = mean;
  }
  mpf_class pi = (a + b) * (a + b) / (4 * t);
  mpf_mul_2exp(pi.get_mpf_t(), pi.get_mpf_t(), kBits - 2);
  const std::string digits = mpz_class(pi).get_str(2);
  ASSERT_EQ(digits.size(), kBits);

  const Sample sample(incore::test::pi_sample(digits), 0);
  ASSERT_EQ(sample.size(), 1'165'666u);
  const size_t num =
      incore::test::for_each_case("assess/nist_90b/data.pi.txt", [&](incore::test::VectorCase& c) {
        EXPECT_EQ(c.text("Id"), "data.pi");
        for (const auto& [name, estimate] : estimates_of(sample.literal())) {
          EXPECT_NEAR(estimate.min_entropy, std::stod(c.text(name + ": min entropy")), kTolerance);
          for (const incore::assess::Figure& each : estimate.figures) {
            if (name == "Compression" && each.name == "v")
              continue;  // NIST's tool does not print it
            const double published = std::stod(c.text(name + ": " + each.name));
            EXPECT_NEAR(each.value, published, kTolerance * std::fmin(1, published))
                << name << ' ' << each.name;
          }
        }
      });
  EXPECT_EQ(num, 1u);
#else
  GTEST_SKIP() << "needs GMP, to compute pi";
#endif
}

TEST(sp800_90b, finds_what_is_published_of_nist_s_sample_files) {
  const char* const folder = std::getenv("INCORE_NIST_SAMPLES");
  if (folder == nullptr)
    GTEST_SKIP()
        << "INCORE_NIST_SAMPLES names no folder with the sample files of NIST's tool (bin/)";
  for (const char* const name :
       {"rand1_short", "rand4_short", "rand8_short", "truerand_1bit", "truerand_4bit",
        "truerand_8bit", "biased-random-bits", "biased-random-bytes", "normal", "ringOsc-nist"}) {
    std::ifstream in(std::string(folder) + "/" + name + ".bin", std::ios::binary);
    if (!in) {
      ADD_FAILURE() << "cannot read " << name << ".bin in " << folder;
      continue;
    }
    std::vector<uint8_t> raw{std::istreambuf_iterator<char>(in), {}};
    const Sample sample(std::move(raw), 0);
    const size_t num = incore::test::for_each_case(std::string("assess/nist_90b/") + name + ".txt",
                                                   [&](incore::test::VectorCase& c) {
                                                     EXPECT_EQ(c.text("Id"), name);
                                                     check_case(c, sample);
                                                   });
    EXPECT_EQ(num, 1u);
  }
}

}  // namespace
