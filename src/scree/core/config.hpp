// SPDX-License-Identifier: BSD-3-Clause
/// SCREE_FN marks a pure function that must compile for the CPU and for a GPU from the same source:
/// a plain inline function for a C++ compiler, `__host__ __device__` as well under nvcc. Inside one:
/// no exceptions, no heap, no globals, and `sqrt` as the only library call.
#pragma once

#ifdef __CUDACC__
#define SCREE_FN __host__ __device__ inline
#else
#define SCREE_FN inline
#endif
