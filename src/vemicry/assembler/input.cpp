#include "vemicry/assembler/input.h"

#include <algorithm>

namespace incore::vemicry {
namespace {

constexpr size_t kMaxDepth = 100, kMaxIncludes = 20;
constexpr uint64_t kMaxStatements = 5'000'000;
constexpr size_t kMaxExpansion = 1 << 24, kMaxExpansions = 1 << 26;  // characters

std::string without_comments(std::string_view source) {
  std::string text(source);
  const auto blank = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      if (text[i] != '\n') text[i] = ' ';
  };
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (const size_t len = quotation_len(rest); len != 0) {
      i += len;
    } else if (rest[0] == '#' || rest.substr(0, 2) == "//") {
      const size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (rest.substr(0, 2) == "/*") {
      const size_t close = text.find("*/", i + 2);
      if (close == std::string::npos) break;  // the rest is no statement, and is reported as that
      blank(i, close + 2);
      i = close + 2;
    } else {
      ++i;
    }
  }
  return text;
}

// What |arguments| give each parameter: by position, or as name=value.
std::vector<std::string> arguments_of(const Macro& macro, std::string_view arguments) {
  std::vector<std::string> values;
  for (const Macro::Parameter& parameter : macro.parameters) values.push_back(parameter.value);
  std::vector<bool> given(values.size());
  size_t position = 0;
  for (std::string_view argument : split_at_commas(arguments)) {
    const size_t equals = argument.find('=');
    const std::string_view name = trimmed(argument.substr(0, equals));
    size_t i = position;
    if (equals != std::string_view::npos)
      for (size_t k = 0; k < values.size(); ++k)
        if (macro.parameters[k].name == name) {
          i = k;
          argument = trimmed(argument.substr(equals + 1));
          break;
        }
    if (i == position) ++position;
    if (i >= values.size())
      throw Mistake{argument.data(), "macro '" + macro.name + "' takes " +
                                         std::to_string(values.size()) + " arguments"};
    if (macro.parameters[i].takes_rest) {
      const char* const end = arguments.data() + arguments.size();
      argument = trimmed({argument.data(), static_cast<size_t>(end - argument.data())});
    }
    if (!argument.empty()) {
      values[i] = argument;
      given[i] = true;
    }
    if (macro.parameters[i].takes_rest) break;
  }
  for (size_t i = 0; i < values.size(); ++i)
    if (macro.parameters[i].is_required && !given[i])
      throw Mistake{nullptr, "macro '" + macro.name + "' needs its argument '" +
                                 macro.parameters[i].name + "'"};
  return values;
}

// The body with \name, \@ (the number of the call) and \() (nothing) replaced.
std::string expanded(const Macro& macro, const std::vector<std::string>& values, uint64_t call) {
  std::string text;
  const std::string& body = macro.body;
  for (size_t i = 0; i < body.size();) {
    if (text.size() > kMaxExpansion) throw Mistake{nullptr, "the macro becomes too long"};
    if (body[i] != '\\' || i + 1 == body.size()) {
      text.push_back(body[i++]);
      continue;
    }
    if (body[i + 1] == '@') {
      text += std::to_string(call);
      i += 2;
      continue;
    }
    if (body.compare(i + 1, 2, "()") == 0) {
      i += 3;
      continue;
    }
    size_t end = i + 1;
    while (end < body.size() && (is_letter(body[end]) || is_digit(body[end]) || body[end] == '_'))
      ++end;
    const std::string_view name = std::string_view(body).substr(i + 1, end - i - 1);
    const auto parameter = std::find_if(macro.parameters.begin(), macro.parameters.end(),
                                        [&](const auto& p) { return p.name == name; });
    if (parameter != macro.parameters.end()) {
      text += values[static_cast<size_t>(parameter - macro.parameters.begin())];
    } else {  // an escape in a string: not ours, and what is behind it is no quote
      end = std::max(end, i + 2);
      text.append(body, i, end - i);
    }
    i = end;
  }
  return text;
}

}  // namespace

Input::Frame Input::frame_of(const Source& source, const std::string& prefix) {
  if (const size_t zero = source.text.find('\0'); zero != std::string_view::npos)
    throw Mistake{nullptr, prefix + "this is no text: byte " + std::to_string(zero) + " is zero",
                  true};
  Frame frame;
  frame.text = keep(without_comments(source.text));
  frame.file = files_.size() - 1;
  frame.is_file = true;
  return frame;
}

void Input::begin(const Source& source) {
  frames_.clear();
  files_.push_back({source.name, source.path});
  frames_.push_back(frame_of(source, ""));
}

void Input::include(const Source& source, const Statement& statement) {
  size_t num_open = 0;
  for (const Frame& frame : frames_) {
    if (!frame.is_file) continue;
    if (files_[frame.file].path == source.path)
      throw Mistake{nullptr, "'" + source.name + "' would include itself"};
    ++num_open;
  }
  if (num_open > kMaxIncludes) throw Mistake{nullptr, "files include each other more than 20 deep"};
  files_.push_back({source.name, source.path});
  Frame frame = frame_of(source, source.name + ": ");
  contexts_.push_back({nullptr, statement.file, statement.line, statement.context});
  frame.context = static_cast<uint32_t>(contexts_.size() - 1);
  frames_.push_back(std::move(frame));
}

std::shared_ptr<const std::string> Input::keep(std::string text) {
  num_chars_ += text.size();
  if (num_chars_ > kMaxExpansions)
    throw Mistake{nullptr,
                  "the text with macros, repetitions and included files is longer than 64 MiB",
                  true};
  kept_.push_back(std::make_shared<const std::string>(std::move(text)));
  return kept_.back();
}

void Input::count_statement() {
  if (++num_statements_ > kMaxStatements)
    throw Mistake{nullptr, "there are more than 5 million statements", true};
}

bool Input::next(Statement* out_statement) {
  for (;;) {
    Frame& frame = frames_.back();
    const std::string& text = *frame.text;
    if (frame.position >= text.size()) {
      if (frame.num_more > 0) {
        --frame.num_more;
        frame.position = frame.line_position = 0;
        frame.line = frame.first_line;
      } else if (!frame.others.empty()) {
        frame.text = std::move(frame.others.back());
        frame.others.pop_back();
        frame.position = frame.line_position = 0;
        frame.line = frame.first_line;
      } else if (frames_.size() > 1) {
        frames_.pop_back();
      } else {
        return false;
      }
      count_statement();
      continue;
    }
    const size_t begin = frame.position;
    size_t end = begin;
    while (end < text.size() && text[end] != '\n' && text[end] != ';') {
      const size_t len = text[end] == '"' || text[end] == '\''
                             ? quotation_len(std::string_view(text).substr(end))
                             : 1;
      end += len;
    }
    *out_statement = {trimmed(std::string_view(text).substr(begin, end - begin)), frame.line,
                      frame.file, text.data() + frame.line_position, frame.context};
    frame.position = end + 1;
    if (end < text.size() && text[end] == '\n') {
      ++frame.line;
      frame.line_position = end + 1;
    }
    if (++num_statements_ > kMaxStatements)
      throw Mistake{nullptr, "there are more than 5 million statements", true};
    if (!out_statement->text.empty()) return true;
  }
}

std::string Input::take_block(const std::vector<std::string_view>& begins, std::string_view ends,
                              uint32_t* out_first_line) {
  const size_t depth = frames_.size();
  Frame& frame = frames_.back();
  const size_t begin = frame.position;
  *out_first_line = frame.line;
  int nested = 1;
  while (frame.position < frame.text->size()) {
    const size_t before = frame.position;
    Statement statement;
    if (!next(&statement) || frames_.size() != depth || frame.position <= before) break;
    const std::string word = lower_case(Cursor(statement.text).take_name());
    if (std::find(begins.begin(), begins.end(), word) != begins.end()) ++nested;
    if (word == ends && --nested == 0)
      return frame.text->substr(
          begin, static_cast<size_t>(statement.text.data() - frame.text->data()) - begin);
  }
  throw Mistake{nullptr, std::string(ends) + " is missing"};
}

void Input::call(const Macro& macro, std::string_view arguments, const Statement& statement) {
  if (frames_.size() > kMaxDepth)
    throw Mistake{nullptr, "macro calls are nested more than 100 deep: does '" + macro.name +
                               "' call itself without end?"};
  Frame frame;
  frame.text = keep(expanded(macro, arguments_of(macro, arguments), num_calls_++));
  frame.line = frame.first_line = macro.body_line;
  contexts_.push_back({&macro, statement.file, statement.line, statement.context});
  frame.file = macro.file;
  frame.context = static_cast<uint32_t>(contexts_.size() - 1);
  frame.is_macro = true;
  frames_.push_back(std::move(frame));
}

void Input::repeat(std::string text, uint32_t first_line, uint64_t num_times) {
  if (num_times == 0) return;
  if (frames_.size() > kMaxDepth) throw Mistake{nullptr, "blocks are nested more than 100 deep"};
  Frame frame;
  frame.text = keep(std::move(text));
  frame.line = frame.first_line = first_line;
  frame.num_more = num_times - 1;
  frame.context = frames_.back().context;
  frame.file = frames_.back().file;
  frames_.push_back(std::move(frame));
}

void Input::repeat_with(const Macro& macro, const std::vector<std::string_view>& values) {
  if (values.empty()) return;
  if (frames_.size() > kMaxDepth) throw Mistake{nullptr, "blocks are nested more than 100 deep"};
  Frame frame;
  for (size_t i = values.size(); i-- > 0;)
    frame.others.push_back(keep(expanded(macro, {std::string(values[i])}, num_calls_)));
  frame.text = std::move(frame.others.back());
  frame.others.pop_back();
  frame.line = frame.first_line = macro.body_line;
  frame.context = frames_.back().context;
  frame.file = frames_.back().file;
  frames_.push_back(std::move(frame));
}

bool Input::leave_macro() {
  while (!frames_.back().is_file) {
    const bool was_macro = frames_.back().is_macro;
    frames_.pop_back();
    if (was_macro) return true;
  }
  return false;
}

uint32_t Input::line_in_source(const Statement& statement) const {
  uint32_t line = statement.line;
  for (uint32_t i = statement.context; i != 0; i = contexts_[i].outer) line = contexts_[i].line;
  return line;
}

Input::Place Input::place_of(const Statement& statement) const {
  Place place = {statement.file, statement.line};
  for (uint32_t i = statement.context; contexts_[i].macro != nullptr; i = contexts_[i].outer)
    place = {contexts_[i].file, contexts_[i].line};
  return place;
}

std::string Input::place(size_t file, uint32_t line, size_t from) const {
  return files_[file].name == files_[from].name ? "line " + std::to_string(line)
                                                : files_[file].name + ":" + std::to_string(line);
}

std::string Input::describe(const Statement& statement) const {
  std::string text;
  uint32_t context = statement.context;
  for (int i = 0; context != 0 && i < 5; ++i) {
    const Context& call = contexts_[context];
    text += (call.macro == nullptr ? ", included in "
                                   : ", in macro '" + call.macro->name + "' called in ") +
            place(call.file, call.line, statement.file);
    context = call.outer;
  }
  return text;
}

}  // namespace incore::vemicry
