#include "tools/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace incore::tools {
namespace {

using Spelt = nlohmann::ordered_json;

Spelt spelt(const Json& json) {
  Spelt result;
  switch (json.kind()) {
    case Json::Kind::null:
      break;
    case Json::Kind::boolean:
      return json.boolean();
    case Json::Kind::negative:
      return json.integer();
    case Json::Kind::natural:
      return json.natural();
    case Json::Kind::real:
      return json.real();
    case Json::Kind::text:
      return json.text();
    case Json::Kind::array:
      result = Spelt::array();
      for (const Json& value : json) result.push_back(spelt(value));
      break;
    case Json::Kind::object:
      result = Spelt::object();
      for (const std::string& name : json.names()) result.emplace(name, spelt(json[name]));
      break;
  }
  return result;
}

Json read(const Spelt& spelt) {
  if (spelt.is_boolean()) return spelt.get<bool>();
  if (spelt.is_number_unsigned()) return spelt.get<uint64_t>();
  if (spelt.is_number_integer()) return spelt.get<int64_t>();
  if (spelt.is_number()) return spelt.get<double>();
  if (spelt.is_string()) return spelt.get<std::string>();
  Json result = spelt.is_array() ? Json::array() : spelt.is_object() ? Json::object() : Json();
  for (const auto& item : spelt.items()) {
    if (spelt.is_array())
      result.push_back(read(item.value()));
    else if (spelt.is_object())
      result[item.key()] = read(item.value());
  }
  return result;
}

}  // namespace

Json::Json(std::initializer_list<Json> values) : kind_(Kind::object) {
  const bool is_object = std::all_of(values.begin(), values.end(), [](const Json& pair) {
    return pair.kind_ == Kind::array && pair.size() == 2 && pair[0].kind_ == Kind::text;
  });
  if (!is_object)
    *this = array(values);
  else
    for (const Json& pair : values) (*this)[pair[0].text_] = pair[1];
}

Json Json::array(std::initializer_list<Json> values) {
  Json json;
  json.kind_ = Kind::array;
  json.values_ = values;
  return json;
}

Json Json::object() {
  Json json;
  json.kind_ = Kind::object;
  return json;
}

int64_t Json::integer() const {
  const bool is_integer = kind_ == Kind::negative || kind_ == Kind::natural;
  return is_integer ? static_cast<int64_t>(number_.natural) : 0;
}

double Json::real() const {
  if (kind_ == Kind::real) return number_.real;
  return kind_ == Kind::natural ? static_cast<double>(number_.natural)
                                : static_cast<double>(integer());
}

void Json::push_back(Json value) {
  if (kind_ == Kind::null) kind_ = Kind::array;
  values_.push_back(std::move(value));
}

size_t Json::find(std::string_view name) const {
  return static_cast<size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

const Json& Json::operator[](std::string_view name) const {
  static const Json kNull;
  const size_t i = find(name);
  return i < names_.size() ? values_[i] : kNull;
}

Json& Json::operator[](std::string_view name) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  const size_t i = find(name);
  if (i == names_.size()) {
    names_.emplace_back(name);
    values_.emplace_back();
  }
  return values_[i];
}

void Json::update(const Json& object) {
  for (const std::string& name : object.names_) (*this)[name] = object[name];
}

void Json::erase(std::string_view name) {
  const size_t i = find(name);
  if (i == names_.size()) return;
  names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(i));
  values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(i));
}

std::string Json::dump(int indent) const {
  return spelt(*this).dump(indent, ' ', false, Spelt::error_handler_t::replace);
}

Json Json::parse(std::string_view text) {
  bool is_deep = false;
  const auto goes_on = [&](int depth, Spelt::parse_event_t, Spelt&) {
    is_deep |= depth > kMaxDepth;
    return !is_deep;
  };
  const Spelt spelt = Spelt::parse(text, goes_on, false);
  return is_deep ? Json() : read(spelt);
}

std::string json_text(const Json& json) {
  return json.dump(2) + "\n";
}

}  // namespace incore::tools
