# Programs built only when asked for by name: `benchmarks` and `fuzz`.

# Benchmarks: one program per file, plain or with Google Benchmark.
add_custom_target(benchmarks)
find_package(benchmark QUIET)
file(GLOB benchmark_sources CONFIGURE_DEPENDS benchmarks/*.cpp)
foreach(source IN LISTS benchmark_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE scree_core)
  if(benchmark_FOUND)
    target_link_libraries(${name} PRIVATE benchmark::benchmark)
  endif()
  add_dependencies(benchmarks ${name})
endforeach()

# Fuzzing: libFuzzer comes with clang, and wants the whole library instrumented: preset fuzz.
if(SCREE_SANITIZE MATCHES "fuzzer-no-link")
  add_custom_target(fuzz)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/*_fuzz.cpp)
  foreach(source IN LISTS fuzz_sources)
    cmake_path(GET source STEM name)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${name} PRIVATE scree_core)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz ${name})
  endforeach()
endif()
