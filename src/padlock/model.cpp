// The list of models, and their specification by users: MODEL[,FIELD=VALUE...].
#include "padlock/model.h"

#include <cstring>

#include "base/bytes.h"

#if defined(__x86_64__) || defined(__i386__)
#include "cpu/cpuid_x86.h"
#define INCORE_HAS_CPUID 1
#else
#define INCORE_HAS_CPUID 0
#endif

namespace incore::padlock {
namespace {

const Model* const kModels[] = {
#define X(name) &model_##name,
#include "padlock/models.def"
#undef X
};
constexpr size_t kNumModels = sizeof kModels / sizeof kModels[0];

constexpr ModelAlias kAliases[] = {
#define X(name, model) {name, &model_##model},
#include "padlock/model_names.def"
#undef X
};

// A piece of the specification; not terminated.
struct Text {
  const char* begin;
  size_t len;

  bool is(const char* word) const {
    size_t i = 0;
    while (i < len && word[i] != 0 && word[i] == begin[i]) ++i;
    return i == len && word[i] == 0;
  }
  // What stands before |end| (all, if it does not occur), which is cut off together with it.
  Text cut_until(char end) {
    Text head = {begin, 0};
    while (head.len < len && begin[head.len] != end) ++head.len;
    const size_t taken = head.len < len ? head.len + 1 : head.len;
    begin += taken;
    len -= taken;
    return head;
  }
  bool to_number(unsigned* out) const {
    if (len == 0 || len > 6) return false;
    *out = 0;
    for (size_t i = 0; i < len; ++i) {
      if (begin[i] < '0' || begin[i] > '9') return false;
      *out = *out * 10 + static_cast<unsigned>(begin[i] - '0');
    }
    return true;
  }
};

// A name without what does not matter in names of processors: case, spaces, hyphens, the maker. Cut
// where its room ends, longer than any alias.
class BareName {
 public:
  explicit BareName(Text text) {
    for (size_t i = 0; i < text.len && len_ < sizeof letters_; ++i) {
      const char c = text.begin[i];
      if (c != ' ' && c != '-') letters_[len_++] = 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    skip("via");
    skip("zhaoxin");
  }
  bool is(BareName alias) const {
    const bool is_open = alias.letters_[alias.len_ - 1] == '*';
    const size_t len = is_open ? alias.len_ - 1 : alias.len_;
    return (is_open ? len_ >= len : len_ == len) && std::memcmp(letters_, alias.letters_, len) == 0;
  }

 private:
  // A model's own name stays.
  void skip(const char* maker) {
    const size_t len = std::strlen(maker);
    if (len_ <= len || std::memcmp(letters_, maker, len) != 0) return;
    len_ -= len;
    std::memmove(letters_, letters_ + len, len_);
  }

  char letters_[64] = {};
  size_t len_ = 0;
};

Text text_of(const char* word) {
  return {word, std::strlen(word)};
}

// A message that is put together from pieces and cut where its room ends.
class Message {
 public:
  Message(char* out, size_t room) : out_(out), room_(room) {
    if (room_ != 0) out_[0] = 0;
  }
  // The user's text: what is long leaves room for ours.
  Message& add(Text text) {
    if (text.len <= kMostOfText) return append(text);
    return append({text.begin, kMostOfText}).add("...");
  }
  Message& add(const char* text) { return append(text_of(text)); }
  Message& add(unsigned number) {
    char digits[10];
    size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return append({digits + at, sizeof digits - at});
  }
  const char* text() const { return room_ != 0 ? out_ : "wrong model"; }

 private:
  static constexpr size_t kMostOfText = 64;

  Message& append(Text text) {
    for (size_t i = 0; i < text.len && len_ + 1 < room_; ++i) out_[len_++] = text.begin[i];
    if (room_ != 0) out_[len_] = 0;
    return *this;
  }

  char* out_;
  size_t room_, len_ = 0;
};

// The fields that are plain members of Model.
struct Switch {
  const char* name;
  bool Model::*member;
};
constexpr Switch kSwitches[] = {
    {"rng", &Model::rng},
    {"ace", &Model::ace},
    {"ace2", &Model::ace2},
    {"ace2-en", &Model::ace2_enabled_flag},
    {"phe", &Model::phe},
    {"phe2", &Model::phe2},
    {"ccs", &Model::ccs},
    {"pmm", &Model::pmm},
    {"ctr", &Model::ctr},
    {"ctr-erratum", &Model::ctr_erratum},
    {"vector-written", &Model::vector_written},
    {"xsha-partial", &Model::xsha_partial},
    {"xsha1-stores-32", &Model::xsha1_stores_32},
    {"xsha-skips-empty", &Model::xsha_skips_empty},
    {"rng-msr", &Model::rng_msr},
    {"fcr-msr", &Model::fcr_msr},
    {"rng-filter", &Model::rng_string_filter},
    {"rng-bcnt-mask", &Model::rng_bcnt_is_buffer_mask},
};
struct Number {
  const char* name;
  unsigned Model::*member;
  unsigned min, max;
};
constexpr Number kNumbers[] = {
    {"rng-sources", &Model::rng_num_sources, 1, 2},
    {"ecb-fetch", &Model::ecb_fetch_blocks, 2, 8},
    {"cbc-fetch", &Model::cbc_fetch_blocks, 1, 4},
    {"clock-mhz", &Model::clock_mhz, 1, 10000},
};
constexpr size_t kNumSwitches = sizeof kSwitches / sizeof kSwitches[0];
constexpr size_t kNumNumbers = sizeof kNumbers / sizeof kNumbers[0];
constexpr size_t kNumNames = 2 + kNumSwitches + kNumNumbers;

struct FieldNames {
  const char* names[kNumNames + 1] = {};
  constexpr FieldNames() {
    size_t n = 0;
    names[n++] = "stepping";
    names[n++] = "vendor";
    for (const Switch& s : kSwitches) names[n++] = s.name;
    for (const Number& number : kNumbers) names[n++] = number.name;
  }
};
constexpr FieldNames kFieldNames;

constexpr size_t kVendorLen = 12;
struct VendorName {
  const char* name;
  const char* vendor;
};
constexpr VendorName kVendorNames[] = {{"centaur", "CentaurHauls"}, {"shanghai", "  Shanghai  "}};

CpuidRow* find_row(ModelSpec* spec, uint32_t leaf) {
  for (size_t i = 0; i < spec->model.num_cpuid; ++i)
    if (spec->rows[i].leaf == leaf) return &spec->rows[i];
  return nullptr;
}

// Leaves 0 and 1 of the CPU that runs the emulator, in front of the other rows, to be changed.
// Without hyper-threading: the C library of GNU/Linux takes both known vendors for Zhaoxin and
// then, while that flag is set, searches leaf 4 for a second-level cache without end, which not
// every host lists there.
bool take_host_leaves(ModelSpec* spec) {
#if INCORE_HAS_CPUID
  constexpr uint32_t kHyperThreading = 1u << 28;
  std::memmove(spec->rows + 2, spec->rows, spec->model.num_cpuid * sizeof spec->rows[0]);
  for (uint32_t leaf = 0; leaf < 2; ++leaf) {
    const CpuidResult r = native_cpuid(leaf);
    spec->rows[leaf] = {leaf, kAnySubleaf, r.eax, r.ebx, r.ecx, r.edx};
  }
  spec->rows[1].edx &= ~kHyperThreading;
  spec->model.num_cpuid += 2;
  return true;
#else
  (void)spec;
  return false;
#endif
}

class SpecParser {
 public:
  SpecParser(ModelSpec* out, Message* message) : spec_(out), message_(message) {}

  // Null, or the message.
  const char* parse(Text text) {
    const Text name = text.cut_until(',');
    const Model* const model = find(name);
    if (model == nullptr) {
      message_->add("unknown model \"").add(name).add("\": the models are ");
      for (size_t i = 0; i < kNumModels; ++i)
        message_->add(i == 0 ? "" : ", ").add(kModels[i]->name);
      return message_->text();
    }
    spec_->model = *model;
    spec_->model.cpuid = spec_->rows;
    std::memcpy(spec_->rows, model->cpuid, model->num_cpuid * sizeof spec_->rows[0]);
    while (text.len != 0) {
      Text value = text.cut_until(',');
      const Text field = value.cut_until('=');
      if (const char* wrong = set(field, value)) return wrong;
    }
    return nullptr;
  }

  static const Model* find(Text name) {
    const BareName bare(name);
    for (const Model* model : kModels)
      if (bare.is(BareName(text_of(model->name)))) return model;
    for (const ModelAlias& alias : kAliases)
      if (bare.is(BareName(text_of(alias.name)))) return alias.model;
    return nullptr;
  }

 private:
  const char* set(Text field, Text value) {
    if (field.is("stepping")) return set_stepping(field, value);
    if (field.is("vendor")) return set_vendor(field, value);
    for (const Switch& s : kSwitches) {
      if (!field.is(s.name)) continue;
      if (!value.is("on") && !value.is("off")) return wrong_value(field, value, "on or off");
      spec_->model.*s.member = value.is("on");
      erratum_given_ = erratum_given_ || s.member == &Model::ctr_erratum;
      return nullptr;
    }
    for (const Number& n : kNumbers)
      if (field.is(n.name))
        return set_number(field, value, n.min, n.max, &(spec_->model.*n.member));

    message_->add("unknown field \"").add(field).add("\": the fields are ");
    for (size_t i = 0; i < kNumNames; ++i)
      message_->add(i == 0 ? "" : ", ").add(kFieldNames.names[i]);
    return message_->text();
  }

  const char* set_number(Text field, Text value, unsigned min, unsigned max, unsigned* out) {
    unsigned number = 0;
    if (!value.to_number(&number) || number < min || number > max) {
      message_->add(field).add("=").add(value).add(": accepted is a number from ").add(min);
      return message_->add(" to ").add(max).text();
    }
    *out = number;
    return nullptr;
  }

  const char* set_stepping(Text field, Text value) {
    constexpr uint32_t kSteppingMask = 0xF;
    Model& model = spec_->model;
    CpuidRow* const leaf1 = find_row(spec_, 1);
    if (model.host_cpuid || leaf1 == nullptr)
      return message_->add("stepping: the model ")
          .add(model.name)
          .add(" has none of its own")
          .text();
    unsigned stepping = 0;
    if (const char* wrong =
            set_number(field, value, model.min_stepping, model.max_stepping, &stepping))
      return wrong;
    const uint32_t old = leaf1->eax;
    leaf1->eax = (old & ~kSteppingMask) | stepping;
    CpuidRow* const padlock_leaf = find_row(spec_, 0xC0000001);  // newer parts repeat it there
    if (padlock_leaf != nullptr && padlock_leaf->eax == old) padlock_leaf->eax = leaf1->eax;
    if (!erratum_given_) model.ctr_erratum = stepping == model.ctr_erratum_stepping;
    return nullptr;
  }

  const char* set_vendor(Text field, Text value) {
    for (const VendorName& known : kVendorNames)
      if (value.is(known.name)) value = {known.vendor, kVendorLen};
    if (value.len != kVendorLen)
      return wrong_value(field, value, "centaur, shanghai, or exactly 12 characters");
    if (find_row(spec_, 0) == nullptr && !take_host_leaves(spec_))
      return message_->add("vendor: this host has no CPUID to change").text();
    CpuidRow* const leaf0 = find_row(spec_, 0);
    uint8_t vendor[kVendorLen];
    std::memcpy(vendor, value.begin, sizeof vendor);
    leaf0->ebx = load_le32(vendor);
    leaf0->edx = load_le32(vendor + 4);
    leaf0->ecx = load_le32(vendor + 8);
    return nullptr;
  }

  const char* wrong_value(Text field, Text value, const char* accepted) {
    return message_->add(field).add("=").add(value).add(": accepted is ").add(accepted).text();
  }

  ModelSpec* spec_;
  Message* message_;
  bool erratum_given_ = false;
};

}  // namespace

const Model* const* models(size_t* out_num_models) {
  *out_num_models = kNumModels;
  return kModels;
}

const ModelAlias* model_aliases(size_t* out_num_aliases) {
  *out_num_aliases = sizeof kAliases / sizeof kAliases[0];
  return kAliases;
}

const Model* find_model(const char* name) {
  return SpecParser::find(text_of(name));
}

const char* parse_model_spec(const char* text, ModelSpec* out, char* message, size_t message_len) {
  Message wrong(message, message_len);
  return SpecParser(out, &wrong).parse(text_of(text));
}

const char* const* model_field_names() {
  return kFieldNames.names;
}

}  // namespace incore::padlock
