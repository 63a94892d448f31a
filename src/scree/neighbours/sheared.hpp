// SPDX-License-Identifier: BSD-3-Clause
/// Any search in a sheared box. The searches know periods, but no images that slide past each other. So along y
/// the box is opened for them, and the grains near its bottom stand once more above its top, as far ahead along x
/// as the image there is. A pair across the border is then found once, as the grain below the top and the copy of
/// its neighbour; pairs of two copies are those of their originals and are dropped.
#pragma once

#include "scree/neighbours/search.hpp"

namespace scree {

template <int D, class T> class Sheared final : public Search<D, T> {
 public:
  explicit Sheared(std::unique_ptr<Search<D, T>> inner) : inner_(std::move(inner)) {}
  std::string_view name() const override { return inner_->name(); }
  bool order(const SearchInput<D, T>& in, std::vector<std::uint32_t>& order) override {
    return inner_->order(in, order);
  }
  void find(const SearchInput<D, T>& in, PairRows& rows) override;
  double reach() const override { return inner_->reach(); }
  void release() override;
  std::size_t bytes() const override;

  /// How far the image one period up is ahead along x, |ahead| <= half a period.
  void tilt(const T& ahead) { ahead_ = ahead; }

 private:
  std::unique_ptr<Search<D, T>> inner_;
  T ahead_{};
  // grains and copies
  Column<Vec<D, T>> x_;
  Column<T> r_;
  Column<std::uint32_t> id_;
  Column<std::uint8_t> held_, present_;
  std::vector<std::uint32_t> original_;  // of each copy
  PairRows found_;
};

}  // namespace scree
