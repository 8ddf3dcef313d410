// `incore rng bytes`: random bytes of a generator to a file or pipe, health-tested as they come.
// However it ends, a line on stderr says how many bytes were written, and whether all is well.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/options/source_options.h"
#include "tools/base/interrupt.h"
#include "tools/base/quote.h"
#include "tools/base/sizes.h"
#include "tools/random/random_stream.h"

namespace incore::cli {
namespace {

struct Options {
  SourceOptions source;
  std::optional<std::string> size;  // without it: endless
  std::string out;
  bool hex = false, quiet = false;
};

// Opens where the bytes go; what is wrong with it, or nothing.
std::string open_output(const Options& options, OutputFile* out) {
  if (options.out.empty()) {
    if (isatty(STDOUT_FILENO) != 0 && !options.hex)
      return "standard output is a terminal: redirect it, or use --hex or --out FILE";
    return out->open_stdout();
  }
  struct stat status = {};
  const bool regular = stat(options.out.c_str(), &status) != 0 || S_ISREG(status.st_mode);
  if (regular && !options.size) return "--out FILE needs --size N, as a file must end somewhere";
  return out->open(options.out, OutputFile::Kind::secret);
}

struct Ending {
  int code;
  std::string reason = {};
};

Ending ending_of(const RandomStream& stream, bool is_endless) {
  if (stream.is_complete()) return {kDone};
  if (interrupted()) return {interrupt_exit_code(), "interrupted"};
  if (stream.sent == RandomSink::Result::closed)  // how a reader says that it has enough
    return {is_endless ? kDone : kDiffers, "the reader closed the pipe"};
  return {stream.sent == RandomSink::Result::error ? kBadInput : kDiffers, stream.error};
}

int run(const Options& options) {
  const bool is_endless = !options.size;
  const uint64_t size = is_endless ? UINT64_MAX : parse_byte_count("--size", *options.size);
  OutputFile out;
  std::string error = open_output(options, &out);
  if (!error.empty()) return fail(kBadInput, error);

  const InterruptGuard guard;
  ByteSource source;
  error = source.open(options.source);
  if (!error.empty()) return fail(source.health() ? kDiffers : kBadInput, error);

  RandomSink sink(out, options.hex);
  const RandomStream stream = stream_random(source, sink, size);
  std::string kept;
  const std::string close_error = stream.is_complete() ? out.commit() : out.keep_partial(&kept);
  const Ending ending =
      close_error.empty() ? ending_of(stream, is_endless) : Ending{kBadInput, close_error};
  if (ending.code == kDone && options.quiet) return kDone;

  std::string line = fmt::format("wrote {} bytes", stream.bytes);
  if (!is_endless && !stream.is_complete()) line += fmt::format(" of {}", size);
  line += stream_account(source, stream);
  if (!kept.empty()) line += "; they are in " + in_quotes(kept);
  if (!ending.reason.empty()) line += "; " + ending.reason;
  return fail(ending.code, line);
}

// The first generator that this machine has; empty if it has none.
std::string best_source() {
  size_t best = 0;
  incore_rng_source about = {};
  const bool any = incore_rng_find_source(nullptr, &best) == INCORE_OK &&
                   incore_rng_get_source(best, &about) == INCORE_OK;
  return any ? about.name : "";
}

}  // namespace

Command rng_bytes_command() {
  auto o = std::make_shared<Options>();
  o->source.name = best_source();
  const std::vector<Option> own = {
      text("SOURCE", "", &o->source.name, "the generator")
          .one_of(source_names())
          .usually("the first of these that there is"),
      text("-n,--size", "BYTES", &o->size, "how many bytes, such as 32, 64k, 10M, 2G")
          .usually("endless"),
      text("-o,--out", "FILE", &o->out,
           "the file to write, complete or, if stopped midway, as FILE.partial; a new one is "
           "readable by its owner only"),
      flag("--hex", &o->hex, "in hexadecimal, 32 bytes a line"),
      flag("-q,--quiet", &o->quiet, "no line on stderr if all went well")};
  return {.name = "bytes",
          .summary = "random bytes of a generator, health-tested, to a file or pipe",
          .options = joined({own, source_options(&o->source, false)}),
          .examples = {"incore rng bytes --hex --size 32",
                       "incore rng bytes rdseed --size 10M --out capture.bin",
                       "incore rng bytes xstore --quality 3 --condition | head -c 1M > seed"},
          .exit_codes = {{"0", "written"},
                         {"1", "a health test failed, the source died or the reader left"},
                         {"2", "bad usage, or the output failed"},
                         {"128 + signal", "interrupted"}},
          .run = [o] { return run(*o); }};
}

}  // namespace incore::cli
