// JSON as every command makes, prints and reads it. The library that spells and reads it stands in
// json.cpp alone: with its header a source takes three times as long to compile.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace incore::tools {

class Json {
 public:
  enum class Kind : uint8_t { null, boolean, negative, natural, real, text, array, object };

  static constexpr int kMaxDepth = 100;

  Json() = default;
  Json(std::nullptr_t) {}
  template <std::integral Number>
  Json(Number value) : kind_(kind_of(value)) {
    number_.natural = static_cast<uint64_t>(value);
  }
  Json(double value) : kind_(Kind::real) { number_.real = value; }
  Json(std::string_view value) : kind_(Kind::text), text_(value) {}
  Json(const std::string& value) : Json(std::string_view(value)) {}
  Json(const char* value) : Json(std::string_view(value)) {}
  template <class Value>
  Json(const std::vector<Value>& values)
      : kind_(Kind::array), values_(values.begin(), values.end()) {}
  // An object if each of |values| is a pair that begins with a name, or else an array.
  Json(std::initializer_list<Json> values);
  static Json array(std::initializer_list<Json> values = {});
  static Json object();

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  // What it holds; of another kind than asked for, nothing: false, 0, "".
  bool boolean() const { return kind_ == Kind::boolean && number_.natural != 0; }
  uint64_t natural() const { return kind_ == Kind::natural ? number_.natural : 0; }
  int64_t integer() const;
  double real() const;
  const std::string& text() const { return text_; }

  // The elements of an array, or the values of an object in the order in which they came.
  size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  const Json& operator[](std::integral auto i) const { return values_[static_cast<size_t>(i)]; }
  Json& back() { return values_.back(); }
  void push_back(Json value);

  // The names in an object. One that it lacks reads as null; written to, it comes last.
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const { return find(name) < names_.size(); }
  const Json& operator[](std::string_view name) const;
  Json& operator[](std::string_view name);
  const Json& operator[](const char* name) const { return (*this)[std::string_view(name)]; }
  Json& operator[](const char* name) { return (*this)[std::string_view(name)]; }
  void update(const Json& object);
  void erase(std::string_view name);

  bool operator==(std::string_view text) const { return kind_ == Kind::text && text_ == text; }

  // As text, each level indented by |indent| spaces, or all in a line. What is no UTF-8 is
  // replaced: names of files need not be.
  std::string dump(int indent) const;
  std::string line() const { return dump(-1); }
  // Null if |text| is no JSON, or has more levels than kMaxDepth.
  static Json parse(std::string_view text);

 private:
  template <std::integral Number>
  static constexpr Kind kind_of(Number value) {
    if constexpr (std::same_as<Number, bool>)
      return Kind::boolean;
    else
      return value < 0 ? Kind::negative : Kind::natural;
  }
  size_t find(std::string_view name) const;

  Kind kind_ = Kind::null;
  union {
    uint64_t natural;
    double real;
  } number_ = {};
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Json> values_;
};

// Indented, with a line feed at its end, as commands print it.
std::string json_text(const Json& json);

}  // namespace incore::tools
