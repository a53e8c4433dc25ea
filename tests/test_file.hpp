// Included by the build before everything else in each test file: files the test cases of that file under its
// name, also those that a macro in a table (*.def) declares, whose __FILE__ is the table's.
#pragma once
#include <doctest/doctest.h>

TEST_SUITE_BEGIN(GPARRAY_TEST_FILE);
