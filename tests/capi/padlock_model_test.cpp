// incore/padlock_model.h: every table and figure can be read, and what cannot is refused.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "incore/padlock_model.h"

namespace {

TEST(capi_padlock_model, tables_and_figures_can_all_be_read) {
  std::set<std::string> keys;
  const size_t num_tables = incore_padlock_num_tables();
  ASSERT_GE(num_tables, 10u);
  for (size_t t = 0; t < num_tables; ++t) {
    incore_padlock_table table;
    ASSERT_EQ(incore_padlock_get_table(t, &table), INCORE_OK);
    EXPECT_TRUE(keys.insert(table.key).second) << table.key;
    EXPECT_GE(table.clock_mhz, 1200u);
    ASSERT_GE(table.num_figures, 1u) << table.key;
    std::set<std::string> seen;
    for (size_t f = 0; f < table.num_figures; ++f) {
      incore_padlock_figure figure;
      ASSERT_EQ(incore_padlock_get_figure(t, f, &figure), INCORE_OK);
      EXPECT_GT(figure.printed, 0) << table.key;
      EXPECT_EQ(figure.modelled != 0, figure.model != 0) << table.key;
      EXPECT_TRUE(seen.insert(std::to_string(figure.size) + figure.column + figure.label).second)
          << table.key << " " << figure.size << " " << figure.column;
    }
    incore_padlock_figure untouched = {};
    EXPECT_EQ(incore_padlock_get_figure(t, table.num_figures, &untouched), INCORE_ERROR_RANGE);
    EXPECT_EQ(untouched.column, nullptr);
  }
}

TEST(capi_padlock_model, refuses_what_does_not_exist) {
  incore_padlock_table table = {};
  incore_padlock_figure figure = {};
  EXPECT_EQ(incore_padlock_get_table(incore_padlock_num_tables(), &table), INCORE_ERROR_RANGE);
  EXPECT_EQ(table.key, nullptr);
  EXPECT_EQ(incore_padlock_get_figure(incore_padlock_num_tables(), 0, &figure), INCORE_ERROR_RANGE);
  EXPECT_EQ(incore_padlock_get_table(0, nullptr), INCORE_ERROR_NULL);
  EXPECT_EQ(incore_padlock_get_figure(0, 0, nullptr), INCORE_ERROR_NULL);
}

}  // namespace
