// incore-probe: what this processor does, clause by clause, as one JSON document. `incore probe`
// carries it; it is also a program of its own, for processors that cannot run Incore.
#include "tools/probe/program/cpuid.h"
#include "tools/probe/program/experiment.h"
#include "tools/probe/program/json.h"
#include "tools/probe/program/msr.h"
#include "tools/probe/program/noise.h"
#include "tools/probe/program/sys.h"
#include "tools/probe/program/timings.h"

static const char kUsage[] =
    "usage: incore-probe [OPTION...]\n"
    "Writes what this x86 processor's VIA PadLock does, as JSON, to standard output.\n"
    "  --out FILE       to FILE, which appears when all is done\n"
    "  --clause ID      do only the experiments of this clause, such as PLK-ACE-057, and no "
    "timings\n"
    "  --skip ID        leave out those of this clause; repeatable\n"
    "  --no-timings     leave out the timings\n"
    "  --no-noise       leave out the random bytes\n"
    "  --write-msrs     do also what writes model specific registers, and set them back\n"
    "  -v               name each experiment on standard error before it is done\n"
    "  --help\n"
    "example: incore-probe --out esther.json\n";

enum { kDone = 0, kBadInput = 2, kMaxSkipped = 32, kMaxPath = 4096 };

static void say(const char* text) {
  sys_write_all(2, text, text_len(text));
}

// Text that is not ours: cut, and without what a terminal would take for a command.
static void say_argument(const char* text) {
  char shown[100];
  size_t len = 0;
  for (; text[len] != 0 && len < sizeof shown; ++len)
    shown[len] = text[len] >= 0x20 && text[len] < 0x7F ? text[len] : '?';
  sys_write_all(2, "'", 1);
  sys_write_all(2, shown, len);
  say(text[len] != 0 ? "...'" : "'");
}

static int refuse(const char* what, const char* argument) {
  say("incore-probe: ");
  say(what);
  say_argument(argument);
  say(" (see --help)\n");
  return kBadInput;
}

static const char *out_path, *skipped[kMaxSkipped];
static struct ExperimentOptions options = {.skipped = skipped};
static int leaves_out_timings, leaves_out_noise;

// Returns -1 to go on.
static int read_arguments(char** argument) {
  for (; *argument != NULL; ++argument) {
    const char* const option = *argument;
    const char** value = NULL;
    if (text_equal(option, "--help")) {
      sys_write_all(1, kUsage, sizeof kUsage - 1);
      return kDone;
    } else if (text_equal(option, "-v")) {
      options.tells = 1;
    } else if (text_equal(option, "--write-msrs")) {
      options.writes_msrs = 1;
    } else if (text_equal(option, "--no-timings")) {
      leaves_out_timings = 1;
    } else if (text_equal(option, "--no-noise")) {
      leaves_out_noise = 1;
    } else if (text_equal(option, "--out")) {
      value = &out_path;
    } else if (text_equal(option, "--clause")) {
      value = &options.only;
    } else if (text_equal(option, "--skip")) {
      if (options.num_skipped == kMaxSkipped) return refuse("more than 32 of ", option);
      value = &skipped[options.num_skipped++];
    } else {
      return refuse("unknown option ", option);
    }
    if (value != NULL && (*value = *++argument) == NULL) return refuse("no value for ", option);
  }
  for (int i = 0; i < options.num_skipped; ++i)
    if (!has_experiments(skipped[i])) return refuse("no experiment is on ", skipped[i]);
  if (options.only != NULL && !has_experiments(options.only))
    return refuse("no experiment is on ", options.only);
  return -1;
}

// Whether `incore run` emulates PadLock.
static int is_emulated(char** environment) {
  for (; *environment != NULL; ++environment)
    if (text_after(*environment, "INCORE_RUN=") != NULL) return 1;
  return 0;
}

static void write_environment(int emulated) {
  struct SysNames names;
  json_name("environment");
  json_open_object();
  json_bool_member("incore_run", emulated);
  if (sys_uname(&names) == 0) {
    json_text_member("system", names.system);
    json_text_member("release", names.release);
    json_text_member("machine", names.machine);
  }
  json_close();
}

static int write_document(const char* path) {
  size_t len;
  const char* const text = json_all(&len);
  if (path == NULL) {
    if (sys_write_all(1, text, len) == 0) return kDone;
    say("incore-probe: standard output could not be written\n");
    return kBadInput;
  }
  static char part[kMaxPath];
  static const char kEnding[] = ".part";
  const size_t path_len = text_len(path);
  if (path_len + sizeof kEnding > sizeof part) return refuse("too long a name: ", path);
  memcpy(part, path, path_len);
  memcpy(part + path_len, kEnding, sizeof kEnding);
  const long fd = sys_open(part, kOpenCreate, 0644);
  if (fd >= 0) {
    const int written = sys_write_all((int)fd, text, len) == 0;
    const int closed = sys_close((int)fd) == 0;
    if (written && closed && sys_rename(part, path) == 0) return kDone;
    sys_unlink(part);
  }
  return refuse("cannot write ", path);
}

int probe_main(uint32_t* stack) {
  char** const arguments = (char**)(stack + 1);
  char** const environment = arguments + stack[0] + 1;
  const int code = read_arguments(arguments + (stack[0] != 0));
  if (code >= 0) return code;

  sys_stay_on_cpu_0();
  const int emulated = is_emulated(environment);
  msr_prepare(emulated, options.writes_msrs);
  const long error = run_prepare() | areas_map();

  json_open_object();
  json_text_member("format", "incore-probe");
  json_number_member("version", 1);
  json_text_member("program", INCORE_PROBE_VERSION);
  write_environment(emulated);
  const struct JsonMark mark = json_mark();
  if (run_guarded(write_cpuid, 0) != 0) {  // a processor without CPUID
    json_rewind(mark);
    json_name("cpuid");
    json_open_array();
    json_close();
  }
  write_msrs();
  if (error != 0) {
    json_name("experiments");
    json_open_array();
    json_close();
    json_text_member("experiments_missing",
                     "Linux gave no memory at 0x20000000 that can be written and executed");
  } else {
    write_experiments(&options);
  }
  if (!leaves_out_timings && options.only == NULL) {
    if (options.tells) sys_tell("timings", "of each instruction");
    write_timings();
  }
  if (!leaves_out_noise && options.only == NULL) {
    if (options.tells) sys_tell("noise", "of the generator");
    write_noise();
  }
  json_close();
  return write_document(out_path);
}
