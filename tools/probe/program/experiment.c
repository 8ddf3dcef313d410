#include "tools/probe/program/experiment.h"

#include "tools/probe/program/cpuid.h"
#include "tools/probe/program/json.h"
#include "tools/probe/program/msr.h"
#include "tools/probe/program/sys.h"

// An experiment is done this often, since an interrupt may come at the wrong moment; each outcome
// that differs is recorded. Random ones are done in pairs, over bytes and over their complement.
enum { kRepetitions = 3, kRandomRepetitions = 8, kMaxOutcomes = 4 };
enum { kRandomWaitUs = 2000 };  // the generator fills its buffers
enum { kMaxRuns = 4, kMaxWrites = 4 };

static uint8_t digit_of(char c) {
  return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static size_t from_hex(uint8_t* out, const char* hex) {
  size_t len = 0;
  for (; hex[0] != 0 && len < kMaxCode; hex += 2)
    out[len++] = (uint8_t)(digit_of(hex[0]) << 4 | digit_of(hex[1]));
  return len;
}

static void write_registers(const char* name, const struct Registers* registers) {
  json_name(name);
  json_open_object();
  json_hex_member("eax", registers->eax);
  json_hex_member("ebx", registers->ebx);
  json_hex_member("ecx", registers->ecx);
  json_hex_member("edx", registers->edx);
  json_hex_member("esi", registers->esi);
  json_hex_member("edi", registers->edi);
  json_close();
}

static void write_written(uint32_t at, size_t len, int with_bytes) {
  const uint32_t address = areas_address(at);
  json_open_object();
  json_hex_member("at", address);
  json_number_member("len", (uint32_t)len);
  if (with_bytes) {
    json_name("bytes");
    json_bytes((const void*)address, len);
  }
  json_close();
}

// What a run of an experiment of random bytes has written, in all repetitions.
static uint8_t touched[kMaxRuns][(kNumAreas - 1) * kAreaLen + 0x10000];

static void write_memory(int run, int random) {
  json_name("written");
  json_open_array();
  const uint32_t size = areas_size();
  uint32_t at = 0;
  if (!random) {
    for (size_t len; (len = areas_next_written(&at)) != 0; at += len) write_written(at, len, 1);
  } else {
    for (uint32_t i = 0; i < size; ++i)
      if (areas_is_written(i)) touched[run][i] = 1;
    while (at < size) {
      uint32_t end = at;
      while (end < size && touched[run][end]) ++end;
      if (end != at) write_written(at, end - at, 0);
      at = end + 1;
    }
  }
  json_close();
}

static uint32_t first_slot;  // for the code of this experiment

static void write_signal(const struct Outcome* outcome) {
  if (outcome->signal == 0) return;
  json_number_member("signal", (uint32_t)outcome->signal);
  json_number_member("signal_code", (uint32_t)outcome->signal_code);
  json_number_member("vector", outcome->vector);
  json_hex_member("error", outcome->error);
  json_hex_member("address", outcome->address);
  json_number_member("offset", outcome->offset);
}

static void do_run(const struct Step* step, int run, int random) {
  uint8_t code[kMaxCode + 8];
  const size_t len = from_hex(code, step->hex);
  areas_remember();
  if (random) sys_sleep_us(kRandomWaitUs);
  const struct Outcome outcome = run_bytes(first_slot + (uint32_t)run, code, len, step->in);
  write_signal(&outcome);
  if (step->kind == kTry) return;
  write_registers("after", &outcome.after);
  json_hex_member("eflags", outcome.eflags);
  write_memory(run, random);
}

static void do_steps(const struct Experiment* e) {
  struct Msr written[kMaxWrites];
  int num_written = 0, run = 0;
  json_open_array();
  for (const struct Step* step = e->steps; step->kind != kEnd; ++step) {
    uint8_t bytes[kMaxCode];
    struct Msr msr = {step->at, 0, 0};
    if (step->kind == kPut) {
      memcpy((void*)step->at, bytes, from_hex(bytes, step->hex));
      continue;
    }
    json_open_object();
    switch (step->kind) {
      case kRun:
      case kTry:
        do_run(step, run < kMaxRuns ? run++ : kMaxRuns - 1, (e->flags & kRandom) != 0);
        break;
      case kCpuid:
        write_cpuid_registers(
            ask_cpuid(step->at, 0),
            (struct CpuidRegisters){step->in.eax, step->in.ebx, step->in.ecx, step->in.edx});
        break;
      case kReadMsr:
        sys_sleep_us(kRandomWaitUs);
        msr_read(&msr);
        msr.value &= step->in.eax;
        write_msr_value(&msr);
        break;
      case kWriteMsr:
        msr_read(&msr);
        if (msr.error == 0 && num_written < kMaxWrites) {
          written[num_written++] = msr;
          msr.value = (msr.value & ~(uint64_t)step->clear) | step->set;
          msr_write(&msr);
        }
        if (msr.error != 0) write_msr_value(&msr);
        break;
      default:
        break;
    }
    json_close();
  }
  json_close();
  while (num_written > 0) msr_write(&written[--num_written]);
}

static void write_steps(const struct Step* step) {
  json_name("steps");
  json_open_array();
  for (; step->kind != kEnd; ++step) {
    json_open_object();
    switch (step->kind) {
      case kPut:
        json_hex_member("put", step->at);
        json_text_member("bytes", step->hex);
        break;
      case kRun:
      case kTry:
        json_text_member(step->kind == kRun ? "run" : "try", step->hex);
        write_registers("before", &step->in);
        break;
      case kCpuid:
        json_hex_member("cpuid", step->at);
        write_registers("bits", &step->in);
        break;
      case kReadMsr:
        json_hex_member("read_msr", step->at);
        json_hex_member("bits", step->in.eax);
        break;
      case kWriteMsr:
        json_hex_member("write_msr", step->at);
        json_hex_member("clear", step->clear);
        json_hex_member("set", step->set);
        break;
      case kEnd:
        break;
    }
    json_close();
  }
  json_close();
}

// Each outcome that differs from those before, and how often it came.
static void write_outcomes(const struct Experiment* e) {
  const int random = (e->flags & kRandom) != 0;
  const int repetitions = random ? kRandomRepetitions : kRepetitions;
  uint32_t times[kMaxOutcomes] = {0};
  struct JsonMark begins[kMaxOutcomes + 1];
  size_t lengths[kMaxOutcomes];
  int num_outcomes = 0;
  memset(touched, 0, sizeof touched);
  json_name("outcomes");
  json_open_array();
  for (int i = 0; i < repetitions; ++i) {
    const struct JsonMark mark = json_mark();
    areas_fill(i % 2 != 0 && random);
    do_steps(e);
    // What was random adds up, so that only the last tells where it was.
    if (random && i + 1 < repetitions) {
      json_rewind(mark);
      continue;
    }
    size_t len;
    const char* const text = json_since(mark, &len);
    int known = 0;
    while (known < num_outcomes) {
      size_t unused;
      const char* const other = json_since(begins[known], &unused);
      // Behind the comma that stands before all but the first.
      const size_t skip = known == 0 ? 0 : 1, own = num_outcomes == 0 ? 0 : 1;
      if (lengths[known] - skip == len - own && memcmp(other + skip, text + own, len - own) == 0)
        break;
      ++known;
    }
    if (known == num_outcomes && num_outcomes < kMaxOutcomes) {
      begins[known] = mark;
      lengths[known] = len;
      ++num_outcomes;
    } else {
      json_rewind(mark);
    }
    if (known < kMaxOutcomes) ++times[known];
  }
  json_close();
  json_name("times");
  json_open_array();
  for (int i = 0; i < num_outcomes; ++i) json_number(times[i]);
  json_close();
}

// Why it cannot be done here; null: it can.
static const char* missing_for(const struct Experiment* e,
                               const struct ExperimentOptions* options) {
  for (int i = 0; i < options->num_skipped; ++i)
    if (text_equal(options->skipped[i], e->clause)) return "skipped, as asked";
  int uses_msrs = 0;
  for (const struct Step* step = e->steps; step->kind != kEnd; ++step)
    uses_msrs |= step->kind == kReadMsr || step->kind == kWriteMsr;
  if (uses_msrs && msr_missing() != NULL) return msr_missing();
  if ((e->flags & kNeedsMsrWrites) != 0 && !options->writes_msrs)
    return "MSRs are written only with --write-msrs";
  return NULL;
}

static const struct Experiment* guarded_experiment;

static void work(void) {
  write_outcomes(guarded_experiment);
}

static void write_experiment(const struct Experiment* e, const struct ExperimentOptions* options) {
  if (options->tells) sys_tell(e->clause, e->name);
  json_open_object();
  json_text_member("clause", e->clause);
  json_text_member("name", e->name);
  if ((e->flags & kRandom) != 0) json_bool_member("random", 1);
  write_steps(e->steps);
  const char* missing = missing_for(e, options);
  if (missing == NULL && (e->flags & kNeedsLow) != 0 && areas_map_low() != 0)
    missing = "memory below 64 KiB, which 16-bit addresses reach, cannot be mapped; root may";
  const struct JsonMark mark = json_mark();
  if (missing == NULL) {
    guarded_experiment = e;
    const int signal = run_guarded(work, 0);
    if (signal != 0) {
      json_rewind(mark);
      missing = "a signal came outside of the instruction";
    }
    if (json_is_full()) {
      json_rewind(mark);
      missing = "the document has no room for it";
    }
  }
  areas_unmap_low();
  first_slot += kMaxRuns;
  if (missing != NULL) json_text_member("not_run", missing);
  json_close();
}

int has_experiments(const char* clause) {
  for (const struct Experiment* const* table = kExperimentTables; *table != NULL; ++table)
    for (const struct Experiment* e = *table; e->clause != NULL; ++e)
      if (text_equal(e->clause, clause)) return 1;
  return 0;
}

void write_experiments(const struct ExperimentOptions* options) {
  json_name("experiments");
  json_open_array();
  for (const struct Experiment* const* table = kExperimentTables; *table != NULL; ++table)
    for (const struct Experiment* e = *table; e->clause != NULL; ++e)
      if (options->only == NULL || text_equal(options->only, e->clause))
        write_experiment(e, options);
  json_close();
}
