#include "vemicry/trap.h"

namespace incore::vemicry {
namespace {

struct Names {
  Exception exception;
  const char *name, *text;
};

constexpr Names kNames[] = {
    {Exception::address_error_load, "AdEL", "address error on load or fetch"},
    {Exception::address_error_store, "AdES", "address error on store"},
    {Exception::bus_error_fetch, "IBE", "bus error on instruction fetch"},
    {Exception::bus_error_data, "DBE", "bus error on data access"},
    {Exception::syscall, "Sys", "unknown system call"},
    {Exception::breakpoint, "Bp", "breakpoint"},
    {Exception::reserved_instruction, "RI", "reserved instruction"},
    {Exception::coprocessor_unusable, "CpU", "coprocessor unusable"},
    {Exception::overflow, "Ov", "arithmetic overflow"},
};

Names names_of(Exception exception) {
  for (const Names& names : kNames)
    if (names.exception == exception) return names;
  return {Exception::none, "none", "no exception"};
}

}  // namespace

const char* exception_name(Exception exception) {
  return names_of(exception).name;
}

const char* exception_text(Exception exception) {
  return names_of(exception).text;
}

}  // namespace incore::vemicry
