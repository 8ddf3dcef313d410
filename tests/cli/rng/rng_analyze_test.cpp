// `incore rng analyze` as users start it: inputs, options, exit codes, and what ends early.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assess/generators.h"
#include "cli/own_folder.h"

namespace incore::test {
namespace {

class cli_rng_analyze : public OwnFolderTest {
 protected:
  void SetUp() override {
    OwnFolderTest::SetUp();
    const auto write = [](const char* name, const Bytes& bytes) {
      std::ofstream(name, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    };
    write("good.bin", good_bytes(1, 200'000));
    write("bad.bin", Bytes(200'000, 0x55));
  }
  // With the quickest suite, unless |arguments| name another.
  static ProcessResult analyze(std::vector<std::string> arguments, const std::string& input = "") {
    if (std::find(arguments.begin(), arguments.end(), "--suites") == arguments.end())
      arguments.insert(arguments.end(), {"--suites", "bytes"});
    arguments.insert(arguments.begin(), {INCORE_PROGRAM, "rng", "analyze"});
    return run(arguments, input);
  }
  // Runs |script|, which knows the program as sys.argv[1:], with the quickest suite.
  static void expect_python(const std::string& script) {
    const std::string head =
        "import fcntl, json, os, signal, struct, subprocess, sys, termios, time\n"
        "def start(*more, stdin=subprocess.PIPE):\n"
        "    return subprocess.Popen(sys.argv[1:] + list(more), stdin=stdin,\n"
        "                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "def feed(process, data):\n"
        "    'Returns when the program has taken all of it.'\n"
        "    process.stdin.write(data)\n"
        "    process.stdin.flush()\n"
        "    waiting = lambda: struct.unpack('i', fcntl.ioctl(process.stdin, termios.FIONREAD,\n"
        "                                                     b'0000'))[0]\n"
        "    while waiting() != 0: time.sleep(0.002)\n"
        "good = open('good.bin', 'rb').read()\n";
    const ProcessResult result = run(
        {"python3", "-c", head + script, INCORE_PROGRAM, "rng", "analyze", "--suites", "bytes"});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  }
};

TEST_F(cli_rng_analyze, good_bytes_pass_and_bad_ones_fail) {
  const ProcessResult good = analyze({"good.bin"}), bad = analyze({"bad.bin"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(good.out.substr(0, 16), "PASS  good.bin: ");
  EXPECT_EQ(good.err, "");
  EXPECT_EQ(bad.exit_code, 1) << bad.err;
  EXPECT_EQ(bad.out.substr(0, 15), "FAIL  bad.bin: ");
}

TEST_F(cli_rng_analyze, says_which_bytes_it_judged) {
  const std::string sum = run({"sha256sum", "good.bin"}).out.substr(0, 64);
  EXPECT_NE(analyze({"good.bin"}).out.find("SHA-256: " + sum), std::string::npos);
  EXPECT_NE(analyze({"-"}, read_file("good.bin")).out.find(sum), std::string::npos);
  EXPECT_NE(analyze({}, read_file("good.bin")).out.find(sum), std::string::npos);
  const std::string part =
      run({"sh", "-c", "tail -c +5001 good.bin | head -c 100000 | sha256sum"}).out.substr(0, 64);
  const ProcessResult cut = analyze({"good.bin", "--skip", "5000", "--size", "100000"});
  EXPECT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_NE(cut.out.find("judged: 100,000 bytes after 5,000 others"), std::string::npos) << cut.out;
  EXPECT_NE(cut.out.find(part), std::string::npos);
}

TEST_F(cli_rng_analyze, results_are_the_same_from_file_and_pipe_and_with_any_threads) {
  const std::string csv = analyze({"good.bin", "--csv", "--threads", "1"}).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n') > 1, true);
  EXPECT_EQ(analyze({"good.bin", "--csv", "--threads", "5"}).out, csv);
  std::string piped = analyze({"-", "--csv"}, read_file("good.bin")).out;
  for (size_t at; (at = piped.find("stdin,")) != std::string::npos;)
    piped.replace(at, 6, "good.bin,");
  EXPECT_EQ(piped, csv);
}

TEST_F(cli_rng_analyze, all_forms_are_written) {
  const ProcessResult result =
      analyze({"good.bin", "--json", "--out", "report.json", "--html", "report.html"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const ProcessResult check = run({"python3", "-c",
                                   "import json, xml.etree.ElementTree as tree\n"
                                   "assert json.load(open('report.json'))['verdict'] == 'pass'\n"
                                   "tree.parse('report.html')\n"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const std::string first = read_file("report.html");
  EXPECT_EQ(analyze({"good.bin", "--html", "report.html"}).exit_code, 0);
  EXPECT_EQ(read_file("report.html"), first) << "the same input, another page";
}

TEST_F(cli_rng_analyze, suites_are_listed_and_chosen) {
  const ProcessResult list = run({INCORE_PROGRAM, "rng", "analyze", "--list-suites"}, "");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.out.find("bytes "), std::string::npos);
  const ProcessResult wrong = analyze({"good.bin", "--suites", "bytes,nope"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("unknown suite 'nope'; accepted are: all bytes"), std::string::npos);
}

TEST_F(cli_rng_analyze, symbols_can_be_narrow) {
  Bytes bits = good_bytes(3, 100'000);
  for (uint8_t& byte : bits) byte &= 1;
  const std::string narrow(bits.begin(), bits.end());
  EXPECT_EQ(analyze({}, narrow).exit_code, 0);
  EXPECT_EQ(analyze({"--symbol-bits", "8"}, narrow).exit_code, 1);
  const ProcessResult wide = analyze({"good.bin", "--symbol-bits", "4"});
  EXPECT_EQ(wide.exit_code, 2);
  EXPECT_NE(wide.err.find("symbols are 4 bits wide"), std::string::npos) << wide.err;
}

TEST_F(cli_rng_analyze, a_generator_is_judged) {
  const ProcessResult result = analyze({"--source", "getrandom", "--size", "100k", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\"bytes\": 102400"), std::string::npos);
  const ProcessResult unknown = analyze({"--source", "dice"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("--source: 'dice' is unknown; accepted: rdseed "), std::string::npos)
      << unknown.err;
}

TEST_F(cli_rng_analyze, wrong_input_gets_one_line_and_code_2) {
  std::ofstream("empty.bin").flush();
  std::filesystem::create_directory("folder");
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } cases[] = {{{"none.bin"}, "No such file"},
               {{"folder"}, "Is a directory"},
               {{"empty.bin"}, "is empty"},
               {{"/dev/null"}, "is empty"},
               {{"good.bin", "--skip", "1M"}, "nothing is left after --skip"},
               {{"good.bin", "--skip", "200000"}, "is empty"},
               {{"good.bin", "--size", "many"}, "--size"},
               {{"good.bin", "--symbol-bits", "9"}, "--symbol-bits"},
               {{"good.bin", "--json", "--csv"}, "--csv"},
               {{"good.bin", "--source", "getrandom"}, "--source"},
               {{"good.bin", "--threads", "0"}, "--threads"},
               {{"good.bin", "--seed", "-1"}, "'-1' is no whole number from 0 to 2^64 - 1"},
               {{"good.bin", "--html", "no/folder/page.html"}, "No such file"},
               {{"good.bin", "--out", "folder"}, "Is a directory"}};
  for (const auto& each : cases) {
    const ProcessResult result = analyze(each.arguments);
    EXPECT_EQ(result.exit_code, 2) << each.message;
    EXPECT_NE(result.err.find(each.message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(cli_rng_analyze, no_output_takes_the_place_of_the_input_or_of_another_output) {
  const std::string good = read_file("good.bin");
  std::filesystem::create_directory("folder");
  std::filesystem::create_symlink("good.bin", "link.bin");
  std::filesystem::create_hard_link("good.bin", "hard.bin");
  std::filesystem::create_symlink("later", "dangling");
  std::filesystem::create_symlink("../later", "folder/far");
  const auto before = files();
  const std::vector<std::string> cases[] = {
      {"good.bin", "--out", "good.bin"},
      {"good.bin", "--html", "good.bin"},
      {"good.bin", "--out", "./folder/../good.bin"},
      {"good.bin", "--out", "link.bin"},
      {"link.bin", "--out", "good.bin"},
      {"good.bin", "--out", "hard.bin"},
      {"good.bin", "--json", "--out", "o", "--html", "o"},
      {"good.bin", "--csv", "--out", "o", "--html", "./o"},
      {"good.bin", "--out", "later", "--html", "dangling"},
      {"good.bin", "--out", "dangling", "--html", "folder/far"}};
  for (const auto& arguments : cases) {
    const ProcessResult result = analyze(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.back();
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  const auto by_shell = [](const std::string& arguments) {
    return run(
        {"sh", "-c",
         std::string("exec ") + INCORE_PROGRAM + " rng analyze --suites bytes " + arguments});
  };
  EXPECT_EQ(by_shell("--out good.bin < good.bin").exit_code, 2);
  EXPECT_EQ(by_shell("good.bin >> good.bin").exit_code, 2) << "standard output is a file too";
  EXPECT_EQ(read_file("good.bin"), good);
  EXPECT_EQ(files(), before);
  EXPECT_EQ(by_shell("good.bin --html page > page").exit_code, 2);
  // A device may be named twice, and what two names mean two files by is allowed.
  EXPECT_EQ(analyze({"good.bin", "--out", "/dev/null", "--html", "/dev/null"}).exit_code, 0);
  EXPECT_EQ(analyze({"good.bin", "--out", "o", "--html", "folder/o"}).exit_code, 0);
}

TEST_F(cli_rng_analyze, an_output_is_written_through_a_link_that_leads_nowhere_yet) {
  std::filesystem::create_directory("folder");
  std::filesystem::create_symlink("folder/report", "link");
  EXPECT_EQ(analyze({"good.bin", "--out", "link"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink("link"));
  EXPECT_EQ(read_file("folder/report").substr(0, 4), "PASS");
}

TEST_F(cli_rng_analyze, a_demand_of_entropy_is_judged_or_refused) {
  Bytes raw = good_bytes(4, 30'000);
  for (uint8_t& byte : raw) byte &= 0x57;
  const std::string noise(raw.begin(), raw.end());
  const auto demand = [](const std::string& suites, const std::string& bits,
                         const std::string& input) {
    return analyze({"--suites", suites, "--min-entropy", bits}, input);
  };
  const ProcessResult met = demand("sp800-90b", "2", noise);
  EXPECT_EQ(met.exit_code, 0) << met.out << met.err;
  EXPECT_EQ(met.out.find("PASS  stdin: 1 test passed; there is the min-entropy that is demanded"),
            0u)
      << met.out;
  EXPECT_NE(met.out.find("; 2 demanded\n"), std::string::npos) << met.out;
  const ProcessResult missed = demand("sp800-90b", "6", noise);
  EXPECT_EQ(missed.exit_code, 1);
  EXPECT_EQ(missed.out.find("FAIL  stdin: "), 0u) << missed.out;
  EXPECT_NE(missed.out.find("less min-entropy than"), std::string::npos) << missed.out;
  // A gate that nobody keeps.
  const ProcessResult unjudged = demand("bytes,runs", "2", noise);
  EXPECT_EQ(unjudged.exit_code, 2);
  EXPECT_NE(unjudged.err.find("add sp800-90b or sp800-90b-iid"), std::string::npos) << unjudged.err;
  const ProcessResult too_few =
      demand("runs,sp800-90b,sp800-22", "2", read_file("good.bin").substr(0, 60));
  EXPECT_EQ(too_few.exit_code, 1) << too_few.out;
  EXPECT_EQ(too_few.out.find("UNDECIDED  stdin: "), 0u) << too_few.out;
  EXPECT_NE(too_few.out.find("- sp800-90b: needs 100 symbols"), std::string::npos) << too_few.out;
}

TEST_F(cli_rng_analyze, too_few_bytes_do_not_pass_in_any_form) {
  const auto judge = [](const std::vector<std::string>& arguments, size_t len) {
    std::vector<std::string> all = {INCORE_PROGRAM, "rng", "analyze"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all, read_file("good.bin").substr(0, len));
  };
  for (const size_t len : {13, 60, 125, 1000, 4000, 8191}) {
    const ProcessResult text = judge({}, len);
    EXPECT_EQ(text.exit_code, 1) << len;
    EXPECT_EQ(text.out.find("UNDECIDED  stdin: "), 0u) << text.out;
    EXPECT_NE(text.out.find("- spectrum: needs 8192 bytes"), std::string::npos) << text.out;
    if (len < 125) {
      EXPECT_NE(text.out.find("A share of ones of "), std::string::npos) << text.out;
    }
  }
  const ProcessResult enough = judge({}, 8192);
  EXPECT_EQ(enough.exit_code, 0) << enough.out;
  EXPECT_EQ(enough.out.find("PASS  stdin: "), 0u) << enough.out;
  EXPECT_NE(judge({"--json"}, 60).out.find("\"verdict\": \"undecided\""), std::string::npos);
  EXPECT_NE(judge({"--csv"}, 60).out.find(",undecided\r\n"), std::string::npos);
  EXPECT_EQ(judge({"--html", "page", "--out", "text"}, 60).exit_code, 1);
  EXPECT_NE(read_file("page").find("<b class=\"undecided\">UNDECIDED</b>"), std::string::npos);
  EXPECT_EQ(run({INCORE_PROGRAM, "rng", "analyze"}, std::string(60, '\0')).exit_code, 1);
}

TEST_F(cli_rng_analyze, options_of_the_report_are_those_that_were_used) {
  const auto options_of = [](const std::vector<std::string>& arguments) {
    const std::string json = analyze(arguments).out;
    const size_t begin = json.find("\"options\"");
    std::string options = json.substr(begin, json.find('}', begin) - begin);
    options.erase(std::remove_if(options.begin(), options.end(), ::isspace), options.end());
    return options;
  };
  EXPECT_EQ(options_of({"good.bin", "--json"}),
            "\"options\":{\"sequence_bits\":1000000,\"sequences\":100,\"samples\":1000000,"
            "\"min_entropy\":null,\"seed\":0");
  EXPECT_EQ(options_of({"good.bin", "--json", "--sequence-bits", "500", "--sequences", "7",
                        "--samples", "9", "--seed", "3", "--suites", "sp800-22,sp800-90b-iid"}),
            "\"options\":{\"sequence_bits\":500,\"sequences\":7,\"samples\":9,"
            "\"min_entropy\":null,\"seed\":3");
}

TEST_F(cli_rng_analyze, wrong_usage_points_to_the_help_that_has_the_options) {
  const ProcessResult result = analyze({"good.bin", "--nonsense"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("(see 'incore rng analyze --help')"), std::string::npos) << result.err;
}

TEST_F(cli_rng_analyze, input_too_short_for_any_test_says_so) {
  const ProcessResult result = analyze({}, "too short");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out.substr(0, 9), "SKIPPED  ");
  EXPECT_NE(result.err.find("too short for any of the tests"), std::string::npos);
}

TEST_F(cli_rng_analyze, a_pipe_that_dies_or_stalls_leaves_a_partial_result) {
  const ProcessResult died = analyze({"--size", "300000"}, read_file("good.bin"));
  EXPECT_EQ(died.exit_code, 1);
  EXPECT_NE(died.out.find("PASS (PARTIAL)  stdin: "), std::string::npos) << died.out;
  EXPECT_NE(died.out.find("ended early: 200,000 of 300,000 bytes were judged"), std::string::npos)
      << died.out;
  expect_python(
      "process = start('--stall-timeout', '0.3')\n"
      "feed(process, good)\n"
      "out, err = process.stdout.read(), process.stderr.read()\n"
      "assert process.wait() == 1, err\n"
      "assert b'PASS (PARTIAL)' in out and b'gave nothing for 0.3 s' in out, out\n"
      "assert b'200,000 bytes were judged' in b' '.join(out.split()), out\n");
}

TEST_F(cli_rng_analyze, a_signal_ends_the_reading_and_what_came_is_judged) {
  expect_python(
      "for which in signal.SIGINT, signal.SIGTERM:\n"
      "    process = start('--json')\n"
      "    feed(process, good)\n"
      "    time.sleep(0.05)\n"
      "    process.send_signal(which)\n"
      "    out, err = process.communicate()\n"
      "    assert process.returncode == 1, (process.returncode, err)\n"
      "    report = json.loads(out)\n"
      "    assert report['partial'] == 'interrupted: 200,000 bytes were judged', "
      "report['partial']\n"
      "    assert report['input']['bytes'] == 200000 and report['verdict'] == 'pass'\n"
      "process = start()\n"
      "time.sleep(0.3)\n"
      "process.send_signal(signal.SIGINT)\n"
      "out, err = process.communicate()\n"
      "assert process.returncode in (1, -signal.SIGINT) and out == b'', 'nothing came'\n");
}

TEST_F(cli_rng_analyze, an_enormous_file_can_be_left_and_may_shrink) {
  std::ofstream("enormous.bin").flush();
  std::error_code error;
  std::filesystem::resize_file("enormous.bin", uintmax_t{1} << 40, error);
  if (error) GTEST_SKIP() << "no sparse file of 1 TiB here: " << error.message();
  expect_python(
      "process = start('enormous.bin')\n"
      "time.sleep(0.5)\n"
      "process.send_signal(signal.SIGINT)\n"
      "out, err = process.communicate()\n"
      "assert process.returncode == 1, err\n"
      "assert b'interrupted: ' in out and b' of 1,099,511,627,776 bytes' in out, (out, err)\n"
      "process = start('enormous.bin')\n"
      "time.sleep(0.5)\n"
      "os.truncate('enormous.bin', 1000)\n"
      "out, err = process.communicate()\n"
      "assert process.returncode == 1, err\n"
      "assert b'became shorter while it was read' in out, (out, err)\n");
}

TEST_F(cli_rng_analyze, a_full_disk_leaves_nothing_half_written) {
  for (const char* const form : {"--out", "--html"}) {
    const ProcessResult full = analyze({"good.bin", form, "/dev/full"});
    EXPECT_EQ(full.exit_code, 2);
    EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full.err;
    EXPECT_NE(full.out.find("PASS  good.bin"), std::string::npos) << "the result is lost";
    const auto before = files();
    const ProcessResult limited =
        run({"sh", "-c",
             std::string("trap '' XFSZ; ulimit -f 0; exec ") + INCORE_PROGRAM +
                 " rng analyze good.bin --suites bytes " + form + " report"});
    EXPECT_EQ(limited.exit_code, 2) << limited.err;
    EXPECT_NE(limited.err.find("cannot write 'report': File too large"), std::string::npos)
        << limited.err;
    EXPECT_EQ(files(), before);
  }
}

TEST_F(cli_rng_analyze, memory_does_not_grow_with_the_input) {
  expect_python(
      "def peak(megabytes):\n"
      "    'Once all has been taken, in MiB.'\n"
      "    process = start()\n"
      "    for _ in range(megabytes): feed(process, good * 5)\n"
      "    status = open(f'/proc/{process.pid}/status').read()\n"
      "    process.communicate()\n"
      "    return int(status.split('VmHWM:')[1].split()[0]) / 1024\n"
      "small, large = peak(1), peak(64)\n"
      "assert large < small + 8, (small, large)\n");
}

}  // namespace
}  // namespace incore::test
