// SPDX-License-Identifier: BSD-3-Clause
/// SCREE_FN marks a pure function that must compile for the CPU and for a GPU from the same source:
/// a plain inline function for a C++ compiler, `__host__ __device__` as well under nvcc. Inside one:
/// no exceptions, no heap, no globals, and `sqrt` as the only library call. In files that are compiled for
/// one instruction set (SCREE_KERNEL) it must leave no function behind, so there it is always inlined.
#pragma once

#ifdef __CUDACC__
#define SCREE_FN __host__ __device__ inline
#elif defined(SCREE_KERNEL)
#define SCREE_FN __attribute__((always_inline)) inline
#else
#define SCREE_FN inline
#endif

/// A function that is called, not inlined, because it is long; in a kernel file it is that file's own.
#ifdef SCREE_KERNEL
#define SCREE_CALL __attribute__((noinline, unused)) static
#else
#define SCREE_CALL __attribute__((noinline)) inline
#endif
