// The benchmarks' own main, for the same reason as test_main.cpp: libsystemc exports one too.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
