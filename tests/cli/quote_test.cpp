// Text of the user in messages: whatever is in it, each command says one line that a terminal shows
// as it is; and names that are mistyped get the right one proposed.
#include "tools/base/quote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/every_command.h"
#include "cli/own_folder.h"
#include "tools/base/suggest.h"

namespace incore {
namespace {

using test::Args;
using test::joined;
using test::ProcessResult;
using tools::in_quotes;
using tools::one_line;
using tools::quoted_if_needed;

// "Some hundred characters", with what we say around the text of others.
constexpr size_t kMostOfLine = 1100;

TEST(cli_quote, is_what_a_shell_takes) {
  EXPECT_EQ(quoted_if_needed("plain-1.2_x/y"), "plain-1.2_x/y");
  EXPECT_EQ(quoted_if_needed("two words"), "'two words'");
  EXPECT_EQ(quoted_if_needed(""), "''");
  EXPECT_EQ(quoted_if_needed("it's"), "'it'\\''s'");
  EXPECT_EQ(quoted_if_needed("\x1b[31mx\n"), "''$'\\033''[31mx'$'\\n'");
  EXPECT_EQ(in_quotes("plain"), "'plain'");
  EXPECT_EQ(in_quotes("a\tb\rc\x7f"), "'a'$'\\t''b'$'\\r''c'$'\\177'");
  for (const std::string text : {"\x1b[31mx\n", "it's", "\xff\xfe", "a\x80", "\xe2\x80\xae"}) {
    const ProcessResult shell = test::run({"bash", "-c", "printf %s " + in_quotes(text)});
    EXPECT_EQ(shell.out, text);
  }
}

TEST(cli_quote, shows_characters_and_escapes_what_is_none) {
  EXPECT_EQ(one_line("Gr\xc3\xbc\xc3\x9f"
                     "e \xe2\x82\xac \xf0\x9f\x94\x91"),
            "Gr\xc3\xbc\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x94\x91");
  EXPECT_EQ(one_line("a\x1b[2Jb\nc"), "a\\033[2Jb\\nc");
  EXPECT_EQ(one_line(std::string("nul\0", 4)), "nul\\000");
  EXPECT_EQ(one_line("\xc2\x9b"
                     "31m"),
            "\\302\\23331m");  // C1's CSI
  EXPECT_EQ(one_line("\xe2\x80\xae"
                     "txt.exe"),
            "\\342\\200\\256txt.exe");  // right to left
  EXPECT_EQ(one_line("\xe2\x80\xa8|\xe2\x81\xa7"), "\\342\\200\\250|\\342\\201\\247");
  for (const char* const wrong :
       {"\x80", "\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xe2\x82"})
    EXPECT_EQ(one_line(wrong)[0], '\\') << wrong;
}

TEST(cli_quote, cuts_long_text_in_its_middle) {
  const std::string name = "/begin/" + std::string(100'000, 'x') + "/end";
  const std::string shown = one_line("cannot read '" + name + "': File name too long");
  EXPECT_LT(shown.size(), 400u);
  EXPECT_TRUE(shown.starts_with("cannot read '/begin/xxx")) << shown;
  EXPECT_TRUE(shown.ends_with("xxx/end': File name too long")) << shown;
  EXPECT_NE(shown.find("xxx...xxx"), std::string::npos) << shown;
  EXPECT_LT(quoted_if_needed(name).size(), 250u);
  EXPECT_LT(in_quotes(name).size(), 250u);
  std::string blanks, keys;
  while (blanks.size() < 10'000) blanks += "a word ";
  while (keys.size() < 10'000) keys += "\xf0\x9f\x94\x91";
  EXPECT_LT(one_line(blanks).size(), kMostOfLine);
  const std::string cut = one_line(keys);
  EXPECT_EQ(cut.find('\\'), std::string::npos);
  EXPECT_EQ((cut.size() - 3) % 4, 0u) << "a character is cut";
}

TEST(cli_suggest, finds_names_with_few_mistakes) {
  const std::vector<std::string> names = {"run", "scan", "cpu", "bench",   "modexp", "montmul",
                                          "aes", "hash", "rng", "padlock", "vemicry"};
  for (const auto& [wrong, right] :
       {std::pair("has", "hash"), std::pair("hsah", "hash"), std::pair("runn", "run"),
        std::pair("padlok", "padlock"), std::pair("vemcriy", "vemicry"), std::pair("Aes", "aes"),
        std::pair("montmull", "montmul")})
    EXPECT_EQ(tools::nearest_name(wrong, names), right) << wrong;
  for (const char* const wrong : {"", "nonsense", "x", "sha256sum", "vem"})
    EXPECT_EQ(tools::nearest_name(wrong, names), "") << wrong;
  EXPECT_EQ(tools::nearest_name(std::string(1'000'000, 'a'), names), "");
  EXPECT_EQ(tools::nearest_name("-x", {"-h", "--hex"}), "");
}

class cli_names : public test::OwnFolderTest {
 protected:
  static std::string error(const Args& args) {
    const ProcessResult result = test::run(joined({INCORE_PROGRAM}, args));
    EXPECT_EQ(result.exit_code, 2) << test::words(args);
    EXPECT_EQ(result.out, "") << test::words(args);
    return result.err;
  }
};

TEST_F(cli_names, that_are_unknown_are_told_with_the_nearest) {
  const std::pair<Args, const char*> cases[] = {
      {{"nonsense"}, "incore: unknown command 'nonsense' (see 'incore --help')\n"},
      {{"hsah"}, "incore: unknown command 'hsah'; did you mean 'hash'? (see 'incore --help')\n"},
      {{"--versoin"},
       "incore: unknown option '--versoin'; did you mean '--version'? (see 'incore --help')\n"},
      {{"rng", "byte"},
       "incore rng: unknown command 'byte'; did you mean 'bytes'? (see 'incore rng --help')\n"},
      {{"rng", "nonsense"}, "incore rng: unknown command 'nonsense' (see 'incore rng --help')\n"},
      {{"hash", "--chek", "f"},
       "incore hash: unknown option '--chek'; did you mean '--check'? (see 'incore hash "
       "--help')\n"},
      {{"rng", "bytes", "--sise=1"},
       "incore rng: unknown option '--sise'; did you mean '--size'? (see 'incore rng bytes "
       "--help')\n"},
      {{"scan", "--jsn"},  // before what is missing
       "incore scan: unknown option '--jsn'; did you mean '--json'? (see 'incore scan --help')\n"},
      {{"run", "--stat", "--", "true"},
       "incore run: unknown option '--stat'; did you mean '--stats'? (see 'incore run --help')\n"},
      {{"cpu", "more"}, "incore cpu: unexpected argument 'more' (see 'incore cpu --help')\n"},
      {{"aes", "--mode"}, "incore aes: --mode needs a value (see 'incore aes --help')\n"},
      {{"aes", "--mode", "ecb", "--mode", "cbc"},
       "incore aes: --mode is given more than once (see 'incore aes --help')\n"},
      {{"cpu", "--json=3"}, "incore cpu: --json takes no value (see 'incore cpu --help')\n"},
      {{"padlock"},
       "incore padlock: no command given; one of: errata (see 'incore padlock --help')\n"},
  };
  for (const auto& [args, message] : cases) {
#if !defined(__x86_64__)
    if (args[0] == "run" || args[0] == "scan") continue;
#endif
    EXPECT_EQ(error(args), message);
  }
  EXPECT_TRUE(error({}).starts_with("incore: no command given; one of: ")) << error({});
}

// Each option and argument that takes text, in a place where it is read: "@" is that text.
const std::map<std::string, std::vector<Args>>& text_arguments() {
  static const std::string kKernel = INCORE_BINARY_DIR "/tests/machine/kernel/machine_kernel";
  static const Args sealed = {"encrypt", "--mode", "gcm", "--key", std::string(32, '0')};
  static const std::map<std::string, std::vector<Args>> all = {
      {"", {{"@"}, {"--@"}}},
      {"run",
       {{"@"},
        {"--", "./@"},
        {"--cpu", "@", "--", "true"},
        {"--cpu", "nano,@=1", "--", "true"},
        {"--require", "@", "--", "true"},
        {"--stats=no/@", "--", "true"},
        {"--check=no/@", "--", "true"},
        {"--compare=no/@", "--", "true"},
        {"--trace=no/@", "--", "true"},
        {"--stale-key", "@", "--", "true"},
        {"--check", "--check-skip", "@", "--", "true"},
        {"--check", "--check-suppress", "@", "--", "true"}}},
      {"boot",
       {{"--kernel", "@"},
        {"--kernel", kKernel, "--cpu", "@"},
        {"--kernel", kKernel, "--cpu", "nano,@=1"},
        {"--kernel", kKernel, "--initrd", "@"},
        {"--kernel", kKernel, "--disk", "@"},
        {"--kernel", kKernel, "--require", "@"},
        {"--kernel", kKernel, "--stats=no/@"},
        {"--kernel", kKernel, "--check=no/@"},
        {"--kernel", "f.s", "--append", "@"},
        {"--kernel", kKernel, "x@"}}},
      {"scan", {{"@"}, {"--json", "@"}}},
      {"probe",
       {{"@"},
        {"--out", "no/@"},
        {"--cpu", "@"},
        {"--cpu", "nano,@=1"},
        {"--compare", "@", "nano"},
        {"--clause", "@"},
        {"--skip", "@"},
        {"--program", "no/@"}}},
      {"cpu", {{"@"}, {"--@"}}},
      {"completion", {{"@"}}},
      {"help", {{"@"}}},
      {"bench",
       {{"@"},
        {"--vs", "@", "aes"},
        {"--sizes", "@", "aes"},
        {"--table", "@", "padlock-model"},
        {"aes", "--baes", "--cpu", "@"}}},
      {"modexp",
       {{"--base", "@", "--exponent", "1", "--modulus", "1"},
        {"--base", "@@", "--exponent", "1", "--modulus", "1"},
        {"--base", "1", "--exponent", "@", "--modulus", "1"},
        {"--base", "1", "--exponent", "1", "--modulus", "@"},
        {"--bits", "@"},
        {"--mmtest", "--cpu", "@"}}},
      {"montmul",
       {{"@"},
        {"-a", "@", "-b", "1", "--modulus", "1"},
        {"-a", "1", "-b", "@@", "--modulus", "1"},
        {"-a", "1", "-b", "1", "--modulus", "@"},
        {"--bits", "@"}}},
      {"aes",
       {{"@"},
        {"encrypt", "--mode", "@"},
        joined(sealed, {"--iv", "@"}),
        joined(sealed, {"--iv", "00", "--aad", "@"}),
        joined(sealed, {"--iv", "00", "--in", "@"}),
        joined(sealed, {"--iv", "00", "--out", "no/@"}),
        {"encrypt", "--mode", "ecb", "--key", "@"},
        {"encrypt", "--mode", "ecb", "--key-file", "@"}}},
      {"hash", {{"@"}, {"--check", "@"}, {"--algorithm", "@"}, {"--phe", "--cpu", "@", "f.s"}}},
      {"rng", {{"@"}}},
      {"rng bytes",
       {{"@"},
        {"getrandom", "--size", "@"},
        {"getrandom", "--size", "1", "--out", "no/@"},
        {"getrandom", "--size", "1", "--condition", "@"},
        {"xstore", "--size", "1", "--cpu", "@"}}},
      {"rng analyze",
       {{"@"},
        {"--source", "@"},
        {"--size", "@"},
        {"--skip", "@"},
        {"--condition", "@"},
        {"--source", "xstore", "--cpu", "@"},
        {"--suites", "@"},
        {"--html", "no/@"},
        {"--out", "no/@"}}},
      {"rng crap",
       {{"@"}, {"--cpu", "@"}, {"--cpu", "esther", "--bytes", "256", "--save", "--out", "no/@"}}},
      {"rng health",
       {{"@"},
        {"getrandom", "--size", "@"},
        {"getrandom", "--condition", "@"},
        {"xstore", "--cpu", "@"}}},
      {"padlock", {{"@"}}},
      {"padlock errata", {{"--cpu", "@"}, {"--cpu", "esther,stepping=@"}}},
      {"vemicry", {{"@"}}},
      {"vemicry asm", {{"@"}, {"f.s", "-D", "@=x"}, {"f.s", "--output", "no/@"}}},
      {"vemicry disasm", {{"@"}, {"--words", "@"}, {"--flat", "0", "@"}}},
      {"vemicry run", {{"@"}, {"f.s", "--call", "@"}, {"f.s", "--call", "f", "--arg", "@"}}},
      {"vemicry trace",
       {{"@"},
        {"--workload", "@"},
        {"f.s", "--call", "@"},
        {"f.s", "--call", "f", "--arg", "@"},
        {"f.s", "--out", "f.s/@"}}},
      {"vemicry measure",
       {{"@"},
        {"--program", "@", "--call", "f"},
        {"--program", "f.s", "--call", "@"},
        {"--program", "f.s", "--call", "f", "--arg", "@"},
        {"--program", "f.s", "--call", "f", "--input", "f=@"},
        {"--program", "f.s", "--call", "f", "--expect", "f=@"}}},
      {"vemicry results", {{"@"}}},
      {"vemicry sweep", {{"@"}, {"plan.toml", "--out", "f.s/@"}}},
      {"vemicry area", {{"--liberty", "@"}, {"--keep", "f.s/@"}}},
      {"vemicry fpga", {{"--device", "@"}, {"--keep", "f.s/@"}}},
  };
  return all;
}

std::string with_text(std::string arg, const std::string& text) {
  const size_t at = arg.rfind('@');
  return at == std::string::npos ? arg : arg.replace(at, 1, text);
}

// Whether |rows| try |option|.
bool is_tried(const test::HelpOption& option, const std::vector<Args>& rows) {
  for (const Args& row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i].find('@') == std::string::npos) continue;
      const bool follows_option = i > 0 && row[i - 1][0] == '-' && row[i - 1] != "--";
      if (option.is_positional
              ? !follows_option
              : row[i].starts_with(option.name + "=") || (i > 0 && row[i - 1] == option.name))
        return true;
    }
  return false;
}

TEST_F(cli_names, of_any_kind_are_told_in_one_line) {
  directory_.write("f.s", "f: jr $31\n nop\n");
  directory_.write("plan.toml", "programs = [\"xor-words\"]\n");
  const std::string nasty[] = {"\x1b[31mx\n", "a\nb\x07\xc2\x9b\xff\xe2\x80\xae", "two\nlines",
                               std::string(100'000, 'x'), std::string(100'000, '\n')};
  for (const test::HelpCommand& command : test::every_command()) {
    const std::string name = test::words(command.path);
    const auto found = text_arguments().find(name);
    if (found == text_arguments().end()) {
      ADD_FAILURE() << name << " is new: say in this file where it takes text";
      continue;
    }
    for (const test::HelpOption& option : command.options) {
      if (option.is_number || (option.type.empty() && !option.is_positional)) continue;
      EXPECT_TRUE(is_tried(option, found->second)) << name << " " << option.name;
    }
    for (const Args& row : found->second)
      for (const std::string& text : nasty) {
        Args args = joined({INCORE_PROGRAM}, command.path);
        for (const std::string& arg : row) args.push_back(with_text(arg, text));
        const ProcessResult result = test::run(args, "input");
        SCOPED_TRACE(name + " " + test::words(row) + " <- " + one_line(text));
        EXPECT_GT(result.exit_code, 0) << result.signal;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_LE(result.err.size(), kMostOfLine);
        const std::string line = result.err.substr(0, result.err.find('\n'));
        EXPECT_EQ(one_line(line), line) << "cannot be printed";
      }
  }
}

// Whoever finds the mistake, and in however many lines it is told.
TEST_F(cli_names, of_programs_stand_in_each_line_as_a_shell_would_take_them) {
  for (const char* const name : {"plain.s", "two words.s", "new\nline.s", "it's.s", "\x1b[31m.s"}) {
    const std::string shown = quoted_if_needed(name);
    const auto sweep = [&](const std::string& function) {
      return "programs = [{ file = " + nlohmann::json(name).dump() + ", function = \"" + function +
             "\" }]\n";
    };
    directory_.write(name, " nip\n nap\n");
    directory_.write("plan.toml", sweep("f"));
    for (const Args& args : std::vector<Args>{{"asm", name},
                                              {"disasm", name},
                                              {"run", name},
                                              {"trace", name},
                                              {"sweep", "plan.toml"}})
      EXPECT_EQ(error(joined({"vemicry"}, args)),
                "incore vemicry: " + shown + ":1:2: there is no instruction 'nip'\n" +
                    "incore vemicry: " + shown + ":2:2: there is no instruction 'nap'\n")
          << args[0];
    directory_.write(name, "f: nop\n");
    directory_.write("plan.toml", sweep("g"));
    EXPECT_EQ(error({"vemicry", "run", name, "--call", "g"}),
              "incore vemicry: --call: " + shown + " has no label 'g'\n");
    EXPECT_EQ(error({"vemicry", "sweep", "plan.toml"}),
              "incore vemicry: " + shown + " has no label 'g'\n");
    std::filesystem::remove(name);
    const std::string missing = "incore vemicry: " + shown + ": No such file or directory\n";
    for (const char* const command : {"asm", "disasm", "run", "trace"})
      EXPECT_EQ(error({"vemicry", command, name}), missing) << command;
    EXPECT_EQ(error({"vemicry", "sweep", "plan.toml"}), missing);
    std::filesystem::create_directory(name);
    EXPECT_EQ(error({"vemicry", "sweep", "plan.toml"}),
              "incore vemicry: " + shown + ": is no regular file\n");
    std::filesystem::remove(name);
  }
}

TEST_F(cli_names, in_json_are_exact) {
  const std::string name = "\x1b[31mx\n" + std::string(200, 'y');
  directory_.write(name, "x");
  const auto json = [](const Args& args) {
    return nlohmann::json::parse(test::run(joined({INCORE_PROGRAM}, args)).out);
  };
  EXPECT_EQ(json({"hash", "--json", name})["files"][0]["name"], name);
#if defined(__x86_64__)
  EXPECT_EQ(json({"scan", "--json", name})["files"][0]["file"], name);
  std::filesystem::copy("/proc/self/exe", name, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(json({"scan", "--json", name})["files"][0]["file"], name);
  const std::string text = test::run({INCORE_PROGRAM, "scan", name}).out;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "reaches the terminal";
#endif
}

}  // namespace
}  // namespace incore
