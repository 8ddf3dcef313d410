// The names of what `incore run` knows.
#pragma once

#include <string>
#include <vector>

namespace incore::tools {

std::vector<std::string> run_mnemonics();  // the crypto instructions that it counts
std::vector<std::string> run_checks();     // what `--check` looks for

// The processors that it can be.
std::vector<std::string> padlock_models();
std::vector<std::string> power_models();
std::vector<std::string> run_models();  // both

// The same as a table for people, and as JSON.
std::string run_models_text();
std::string run_models_json();

}  // namespace incore::tools
