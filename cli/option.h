// An option of a command as data, and where its value goes.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace incore::cli {

using Texts = std::vector<std::string>;

struct Option {
  enum class Value {
    none,          // a flag
    one,           // --out FILE, --out=FILE
    may_be_left,   // --condition, --condition BYTES, --condition=BYTES
    may_be_equal,  // --stats, --stats=FILE
  };
  enum class Times {
    once,
    repeated,  // one value each time
    several,   // and more values behind one
  };

  std::string names;  // "-o,--out"; of an argument without dashes its name in capitals: "FILE"
  std::string value_name;
  std::string help;
  // Takes what was given, for a flag one empty text each time. What is wrong with it, or nothing.
  std::function<std::string(const Texts& values)> take;
  Value value = Value::one;
  Times times = Times::once;
  char separator = '\0';   // of values in one text
  std::string group = {};  // heading in --help; empty: "Options"
  bool is_number = false;
  std::string range = {};  // of numbers: "0 to 3"
  std::string usual = {};  // what holds if it is not given
  Texts choices = {};      // what it takes, or some of that
  bool takes_others = false;
  Texts needed = {}, excluded = {};  // other options, by a name of theirs
  bool is_required = false;
  bool is_hidden = false;    // from --help
  std::string instead = {};  // of a flag: it stands for this command beside its own

  bool is_positional() const { return names[0] != '-'; }
  // "-o" and "--out" of "-o,--out".
  Texts all_names() const;
  // "--out" of "-o,--out".
  std::string long_name() const { return all_names().back(); }

  // The same with one thing changed.
  Option in_group(std::string heading) && { return group = std::move(heading), std::move(*this); }
  Option usually(std::string text) && { return usual = std::move(text), std::move(*this); }
  Option needs(std::string other) && {
    return needed.push_back(std::move(other)), std::move(*this);
  }
  Option excludes(const Texts& others) &&;
  Option required() && { return is_required = true, std::move(*this); }
  Option hidden() && { return is_hidden = true, std::move(*this); }
  Option separated_by(char mark) && { return separator = mark, std::move(*this); }
  Option taking_several() && { return times = Times::several, std::move(*this); }
  // One of |names| and nothing else; also for lists.
  Option one_of(Texts accepted) &&;
  // For help and completion.
  Option such_as(Texts examples) && {
    return choices = std::move(examples), takes_others = true, std::move(*this);
  }
  // Sets |*out_given| if it is given.
  template <class Flag>
  Option marks(Flag* out_given) && {
    take = [out_given, next = std::move(take)](const Texts& values) {
      *out_given = true;
      return next(values);
    };
    return std::move(*this);
  }
};

// A flag; a counter counts how often it is given.
Option flag(std::string names, bool* out, std::string help);
Option flag(std::string names, int* out_count, std::string help);

// `--stats=FILE` is FILE, `--stats` alone is "-".
Option flag_or_value(std::string names, std::string value_name, std::string* out, std::string help);

// --- Values: a text or a number, one that may not be given (std::optional), or a list of them.

// The whole of |text| is a number within the limits; decimal, or hexadecimal behind 0x. What is
// wrong with it, or nothing.
std::string read_number(const std::string& text, uint64_t low, uint64_t high, uint64_t* out);
std::string read_number(const std::string& text, int64_t low, int64_t high, int64_t* out);
std::string read_number(const std::string& text, double low, double high, double* out);

// A word of 32 bits: a whole number, or a negative one from -2^31 on; none if |text| is no such.
std::optional<uint32_t> word_number(const std::string& text);

namespace detail {

// "0 to 2^64 - 1"; empty if |low| and |high| limit nothing.
std::string range_text(uint64_t low, uint64_t high);
std::string range_text(int64_t low, int64_t high);
std::string range_text(double low, double high);

std::string number_text(uint64_t number);
std::string number_text(int64_t number);
std::string number_text(double number);

template <class T>
struct Element {  // of a list or an optional
  using type = T;
  static constexpr bool kIsPlain = true, kIsList = false;
};
template <class T>
struct Element<std::optional<T>> {
  using type = T;
  static constexpr bool kIsPlain = false, kIsList = false;
};
template <class T>
struct Element<std::vector<T>> {
  using type = T;
  static constexpr bool kIsPlain = false, kIsList = true;
};

template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double,
                                std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

// |read|(text, &element) says what is wrong.
template <class T, class Read>
Option option_of(std::string names, std::string value_name, T* out, std::string help, Read read) {
  using E = typename Element<T>::type;
  Option option = {std::move(names), std::move(value_name), std::move(help), {}};
  if constexpr (Element<T>::kIsList) option.times = Option::Times::repeated;
  option.take = [out, read](const Texts& values) -> std::string {
    if constexpr (Element<T>::kIsList) out->clear();
    for (const std::string& value : values) {
      E element{};
      if (std::string mistake = read(value, &element); !mistake.empty()) return mistake;
      if constexpr (Element<T>::kIsList)
        out->push_back(std::move(element));
      else
        *out = std::move(element);
    }
    return "";
  };
  return option;
}

}  // namespace detail

// A text.
template <class T>
Option text(std::string names, std::string value_name, T* out, std::string help) {
  return detail::option_of(std::move(names), std::move(value_name), out, std::move(help),
                           [](const std::string& given, std::string* element) {
                             *element = given;
                             return std::string();
                           });
}

// A number from |low| to |high|; --help shows both, and the value that |*out| has now.
template <class T, class E = typename detail::Element<T>::type>
Option number(std::string names, std::string value_name, T* out, detail::Wide<E> low,
              detail::Wide<E> high, std::string help) {
  using Wide = detail::Wide<E>;
  Option option = detail::option_of(std::move(names), std::move(value_name), out, std::move(help),
                                    [low, high](const std::string& given, E* element) {
                                      Wide wide = 0;
                                      std::string mistake = read_number(given, low, high, &wide);
                                      if (mistake.empty()) *element = static_cast<E>(wide);
                                      return mistake;
                                    });
  option.is_number = true;
  option.range = detail::range_text(low, high);
  if constexpr (detail::Element<T>::kIsPlain) option.usual = detail::number_text(Wide{*out});
  return option;
}

// Any number that |*out| can hold.
template <class T, class E = typename detail::Element<T>::type>
Option number(std::string names, std::string value_name, T* out, std::string help) {
  Option option =
      number(std::move(names), std::move(value_name), out, std::numeric_limits<E>::lowest(),
             std::numeric_limits<E>::max(), std::move(help));
  option.range.clear();
  return option;
}

// The one of |options| with this name, which must be there.
Option& named(std::vector<Option>& options, const std::string& name);

// |options| below a heading of their own in --help.
std::vector<Option> in_group(const std::string& heading, std::vector<Option> options);

// The same, of which the first asks for what the others say more about: they need it.
std::vector<Option> in_group_of_first(const std::string& heading, std::vector<Option> options);

// All of |parts|, one behind the other.
std::vector<Option> joined(std::vector<std::vector<Option>> parts);

}  // namespace incore::cli
