# The language and the flags everything is compiled with: target scree_options.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

# A sanitizer list as -fsanitize= takes it, e.g. "address,undefined". The presets set it.
set(SCREE_SANITIZE "" CACHE STRING "Sanitizers to compile and link with")

add_library(scree_options INTERFACE)
target_compile_options(
  scree_options
  INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    # The result of a run is a function of the scene and the binary. Hence no contraction to fused
    # multiply-add behind our back, no -ffast-math, no -march=native. The other two change no
    # result: they drop errno and the floating-point traps, which nobody here reads, so that sqrt
    # is one instruction and loops with branches vectorise.
    -ffp-contract=off
    -fno-math-errno
    -fno-trapping-math)

if(SCREE_SANITIZE)
  set(sanitizer_flags -fsanitize=${SCREE_SANITIZE} -fno-omit-frame-pointer)
  if(SCREE_SANITIZE MATCHES "undefined")
    list(APPEND sanitizer_flags -fno-sanitize-recover=undefined)
  endif()
  target_compile_options(scree_options INTERFACE ${sanitizer_flags})
  target_link_options(scree_options INTERFACE ${sanitizer_flags})
endif()

# ThreadSanitizer must see the synchronisation inside the OpenMP runtime, or the end of every
# parallel loop looks like a race. GCC's libgomp waits on futexes, is not instrumented and offers no
# hook. LLVM's libomp does: as it starts it loads Archer (libarcher, in the same package), which tells
# the sanitizer of each fork, join, barrier and lock. So the preset tsan compiles with clang and
# libomp, and its tests run with ignore_noninstrumented_modules=1, which keeps libomp's own memory
# out of the reports. Code that races is still caught; tests may look at SCREE_TSAN to do less work.
if(SCREE_SANITIZE MATCHES "thread")
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ThreadSanitizer needs clang and libomp: use the preset tsan")
  endif()
  target_compile_definitions(scree_options INTERFACE SCREE_TSAN)
endif()
