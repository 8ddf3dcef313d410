// How --help shows options.
#pragma once

#include <CLI/CLI.hpp>

namespace incore::cli {

// Name, type and default: which options go together, their descriptions and mistakes say.
class HelpFormat : public CLI::Formatter {
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
};

}  // namespace incore::cli
