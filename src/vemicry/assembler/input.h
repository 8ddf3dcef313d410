// The statements of a source: lines taken apart, macros and repetitions unfolded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vemicry/assemble.h"
#include "vemicry/assembler/cursor.h"

namespace incore::vemicry {

struct Macro {
  struct Parameter {
    std::string name, value;  // value: if the call gives none
    bool is_required = false, takes_rest = false;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::string body;
  uint32_t body_line = 0;
  size_t file = 0;  // of the body
};

// Which macro call or .include a line stands in.
struct Context {
  const Macro* macro;  // null: .include
  size_t file;         // of the call
  uint32_t line;       // of the call
  uint32_t outer;      // context of the call; 0: none
};

struct Statement {
  std::string_view text;
  uint32_t line = 0;
  size_t file = 0;                   // for Input::file
  const char* line_begin = nullptr;  // for columns
  uint32_t context = 0;
};

class Input {
 public:
  struct File {
    std::string name, path;
  };
  struct Place {
    size_t file;
    uint32_t line;
  };

  Input() { contexts_.push_back({}); }

  // Reads |source| next, when the one before is at its end.
  void begin(const Source& source);
  // Reads |source| next, for .include in |statement|.
  void include(const Source& source, const Statement& statement);
  size_t num_files() const { return files_.size(); }
  const File& file(size_t number) const { return files_[number]; }

  // The next statement that is not empty. False: the end of the source.
  bool next(Statement* out_statement);
  // The text up to the line that ends the block: ".endm" for |begins| = {".macro"}. Throws if there
  // is none.
  std::string take_block(const std::vector<std::string_view>& begins, std::string_view ends,
                         uint32_t* out_first_line);
  // Reads |macro| with |arguments| next; |statement| is the call.
  void call(const Macro& macro, std::string_view arguments, const Statement& statement);
  // Reads |text| |num_times| times next.
  void repeat(std::string text, uint32_t first_line, uint64_t num_times);
  // Reads the body of |macro| next, once with each of |values| for its one parameter.
  void repeat_with(const Macro& macro, const std::vector<std::string_view>& values);
  // Leaves the macro that is being read. False: none is.
  bool leave_macro();

  // The line of the source that |statement| comes from: that of an .include or a macro call in it,
  // if it is another's text.
  uint32_t line_in_source(const Statement& statement) const;
  // The place in a file, included or not: its own, or that of the macro call.
  Place place_of(const Statement& statement) const;
  // How deep macro calls and repetitions are nested now; 1 in the file itself.
  size_t depth() const { return frames_.size(); }
  // "line 3", with the file if it is not |from|.
  std::string place(size_t file, uint32_t line, size_t from) const;
  // ", in macro x called in line 3", for messages on |statement|.
  std::string describe(const Statement& statement) const;

 private:
  // Keeps a macro's or repetition's text; throws if all of them together are too long.
  std::shared_ptr<const std::string> keep(std::string text);
  void count_statement();

  struct Frame {
    std::shared_ptr<const std::string> text;
    size_t position = 0;
    size_t line_position = 0;
    uint32_t line = 1, first_line = 1;
    uint64_t num_more = 0;                                   // repetitions after this one
    std::vector<std::shared_ptr<const std::string>> others;  // read after this text, the last first
    uint32_t context = 0;
    size_t file = 0;
    bool is_macro = false, is_file = false;
  };

  // Comments become spaces, so that lines and columns stay.
  Frame frame_of(const Source& source, const std::string& prefix);

  std::vector<File> files_;
  std::vector<Frame> frames_;
  std::vector<Context> contexts_;
  std::vector<std::shared_ptr<const std::string>> kept_;  // texts that statements still refer to
  uint64_t num_calls_ = 0, num_statements_ = 0, num_chars_ = 0;
};

}  // namespace incore::vemicry
