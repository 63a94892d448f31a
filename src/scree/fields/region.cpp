// SPDX-License-Identifier: BSD-3-Clause
#include "scree/fields/region.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/names.hpp"
#include "scree/fields/line_integral.hpp"
#include "scree/fields/quadrature.hpp"

namespace scree::fields {
namespace {

using std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

double clamp_acos(double c) { return std::acos(std::clamp(c, -1.0, 1.0)); }

/// The angle under which the circle of radius r is within a disc of radius R whose middle is c away.
double within_disc(double r, double c, double R) {
  if (R <= 0 || r >= R + c || r <= c - R) return 0;
  if (r <= R - c) return 2 * pi;
  return 2 * clamp_acos((c * c + r * r - R * R) / (2 * c * r));
}

/// ∫ over the sorted panels of f, which may have roots where panels meet.
template <class F>
double over_panels(F&& f, std::vector<double>& ends, double from, double to, double scale) {
  ends.push_back(from);
  ends.push_back(to);
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const double a = std::clamp(ends[k - 1], from, to), b = std::clamp(ends[k], from, to);
    if (!(b > a)) continue;
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    sum += integrate([&](double u) { return half * std::sin(u) * f(middle - half * std::cos(u)); }, 0, pi, scale);
  }
  return sum;
}

std::vector<double> numbers(const std::string& text, const std::string& whole) {
  std::vector<double> list;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    double value = 0;
    const char* end = text.data() + comma;
    const auto read = std::from_chars(text.data() + at, end, value);
    if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(value))
      throw InputError("domain: " + in_quotes(text.substr(at, comma - at)) + " in " + in_quotes(whole) + " is not a number");
    list.push_back(value);
    at = comma + 1;
  }
  return list;
}

}  // namespace

Region Region::disc(double x, double y, double radius) {
  Region r = annulus(x, y, 0, radius);
  r.kind = Kind::disc;
  return r;
}

Region Region::annulus(double x, double y, double inner, double outer) {
  Region r;
  r.kind = Kind::annulus;
  r.centre = {x, y};
  r.inner = inner;
  r.outer = outer;
  return r;
}

Region Region::box(const std::array<double, 3>& lo, const std::array<double, 3>& hi) {
  Region r;
  r.kind = Kind::box;
  r.lo = lo;
  r.hi = hi;
  return r;
}

Region Region::half_plane(const std::array<double, 3>& point, const std::array<double, 3>& normal) {
  Region r;
  r.kind = Kind::half_plane;
  r.point = point;
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  for (std::size_t k = 0; k < 3; ++k) r.normal[k] = normal[k] / length;
  return r;
}

bool Region::contains(const double* x, int dim) const {
  switch (kind) {
    case Kind::none: return true;
    case Kind::disc:
    case Kind::annulus: {
      const double r = std::hypot(x[0] - centre[0], x[1] - centre[1]);
      return r <= outer && r >= inner;
    }
    case Kind::box:
      for (int k = 0; k < dim; ++k)
        if (x[k] < lo[static_cast<std::size_t>(k)] || x[k] > hi[static_cast<std::size_t>(k)]) return false;
      return true;
    case Kind::half_plane: {
      double d = 0;
      for (int k = 0; k < dim; ++k)
        d += (x[k] - point[static_cast<std::size_t>(k)]) * normal[static_cast<std::size_t>(k)];
      return d >= 0;
    }
  }
  return true;
}

std::string_view name_of(Region::Kind kind) {
  constexpr std::array<std::string_view, 5> names{"none", "disc", "annulus", "box", "half-plane"};
  return names[static_cast<std::size_t>(kind)];
}

std::string Region::text(int dim) const {
  const auto list = [dim](const std::array<double, 3>& v) {
    return fmt::format("{}", fmt::join(v.begin(), v.begin() + dim, ","));
  };
  switch (kind) {
    case Kind::none: return "none";
    case Kind::disc: return fmt::format("disc:{},{},{}", centre[0], centre[1], outer);
    case Kind::annulus: return fmt::format("annulus:{},{},{},{}", centre[0], centre[1], inner, outer);
    case Kind::box: return "box:" + list(lo) + "," + list(hi);
    case Kind::half_plane: return "half-plane:" + list(point) + "," + list(normal);
  }
  return "none";
}

Region parse_region(const std::string& text, int dim) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::vector<std::string> kinds{"disc", "annulus", "box", "half-plane"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || colon == std::string::npos)
    throw InputError("domain: expected disc:x,y,R, annulus:x,y,Ri,Ro, box:LO,HI or half-plane:POINT,NORMAL, found " +
                     in_quotes(text) + did_you_mean(kind, kinds));
  const std::vector<double> v = numbers(text.substr(colon + 1), text);
  const auto n = static_cast<std::size_t>(dim);
  const std::size_t wanted = kind == "disc" ? 3 : kind == "annulus" ? 4 : 2 * n;
  if (v.size() != wanted)
    throw InputError(fmt::format("domain: {} takes {} numbers here, found {}", in_quotes(text), wanted, v.size()));
  std::array<double, 3> a{}, b{};
  if (kind == "disc" || kind == "annulus") {
    const double inner = kind == "disc" ? 0 : v[2], outer = v.back();
    if (!(inner >= 0 && outer > inner)) throw InputError("domain: the radii of " + in_quotes(text) + " do not grow");
    return kind == "disc" ? Region::disc(v[0], v[1], outer) : Region::annulus(v[0], v[1], inner, outer);
  }
  for (std::size_t k = 0; k < n; ++k) a[k] = v[k], b[k] = v[n + k];
  if (kind == "half-plane") {
    if (!(std::hypot(b[0], b[1], b[2]) > 0)) throw InputError("domain: the normal of " + in_quotes(text) + " is zero");
    return Region::half_plane(a, b);
  }
  for (std::size_t k = 0; k < n; ++k)
    if (!(b[k] > a[k])) throw InputError("domain: the box " + in_quotes(text) + " has no inside");
  if (dim == 2) a[2] = -infinity, b[2] = infinity;
  return Region::box(a, b);
}

RegionMass::RegionMass(const Region& region, const std::vector<int>& axes) : region_(region), axes_(axes) {
  if (axes_.empty()) region_.kind = Region::Kind::none;
  const auto in_axes = [&](int k) { return std::find(axes_.begin(), axes_.end(), k) != axes_.end(); };
  if ((region_.kind == Region::Kind::disc || region_.kind == Region::Kind::annulus) && !(in_axes(0) && in_axes(1)))
    throw InputError("domain: " + region_.text() + " needs fields over x and y (or r); a box or half-plane goes with fewer axes");
  if (region_.kind == Region::Kind::half_plane)
    for (int k = 0; k < 3; ++k)
      if (region_.normal[static_cast<std::size_t>(k)] != 0 && !in_axes(k))
        throw InputError("domain: the normal of " + region_.text() + " has a component along an axis that is averaged over");
}

double RegionMass::angle(double r, const double* x) const {
  switch (region_.kind) {
    case Region::Kind::disc:
    case Region::Kind::annulus: {
      const double c = std::hypot(x[0] - region_.centre[0], x[1] - region_.centre[1]);
      return within_disc(r, c, region_.outer) - within_disc(r, c, region_.inner);
    }
    case Region::Kind::half_plane: {
      double d = 0;
      for (std::size_t k = 0; k < axes_.size(); ++k) {
        const auto a = static_cast<std::size_t>(axes_[k]);
        d += (x[k] - region_.point[a]) * region_.normal[a];
      }
      if (r <= std::abs(d)) return d > 0 ? 2 * pi : 0;
      return 2 * clamp_acos(-d / r);
    }
    case Region::Kind::box: {
      // arcs between the crossings with the four lines that are inside
      std::array<double, 10> at{};
      std::size_t count = 0;
      at[count++] = -pi;
      for (std::size_t k = 0; k < 2; ++k) {
        const auto a = static_cast<std::size_t>(axes_[k]);
        for (const double side : {region_.lo[a] - x[k], region_.hi[a] - x[k]}) {
          if (!(std::abs(side) < r)) continue;
          const double turn = k == 0 ? std::acos(side / r) : std::asin(side / r);
          at[count++] = turn;
          at[count++] = k == 0 ? -turn : (turn > 0 ? pi - turn : -pi - turn);
        }
      }
      at[count++] = pi;
      std::sort(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(count));
      double sum = 0;
      for (std::size_t k = 1; k < count; ++k) {
        const double middle = 0.5 * (at[k - 1] + at[k]);
        const double px = x[0] + r * std::cos(middle), py = x[1] + r * std::sin(middle);
        const auto a = static_cast<std::size_t>(axes_[0]), b = static_cast<std::size_t>(axes_[1]);
        if (px > region_.lo[a] && px < region_.hi[a] && py > region_.lo[b] && py < region_.hi[b]) sum += at[k] - at[k - 1];
      }
      return sum;
    }
    case Region::Kind::none: break;
  }
  return 2 * pi;
}

/// Radii at which the angle has a kink.
void RegionMass::kinks(const double* x, std::vector<double>& at) const {
  switch (region_.kind) {
    case Region::Kind::disc:
    case Region::Kind::annulus: {
      const double c = std::hypot(x[0] - region_.centre[0], x[1] - region_.centre[1]);
      for (const double R : {region_.inner, region_.outer}) {
        at.push_back(std::abs(R - c));
        at.push_back(R + c);
      }
      break;
    }
    case Region::Kind::half_plane: {
      double d = 0;
      for (std::size_t k = 0; k < axes_.size(); ++k) {
        const auto a = static_cast<std::size_t>(axes_[k]);
        d += (x[k] - region_.point[a]) * region_.normal[a];
      }
      at.push_back(std::abs(d));
      break;
    }
    case Region::Kind::box: {
      const auto a = static_cast<std::size_t>(axes_[0]), b = static_cast<std::size_t>(axes_[1]);
      for (const double dx : {region_.lo[a] - x[0], region_.hi[a] - x[0]}) {
        at.push_back(std::abs(dx));
        for (const double dy : {region_.lo[b] - x[1], region_.hi[b] - x[1]}) at.push_back(std::hypot(dx, dy));
      }
      for (const double dy : {region_.lo[b] - x[1], region_.hi[b] - x[1]}) at.push_back(std::abs(dy));
      break;
    }
    case Region::Kind::none: break;
  }
  std::erase_if(at, [](double r) { return !std::isfinite(r); });
}

/// ∫ phi(√(r² + z²)) r A(r) dr up to `reach`.
double RegionMass::in_plane(const Kernel& kernel, const double* x, double z2, double reach) const {
  std::vector<double> at;
  kinks(x, at);
  const double scale = kernel.peak() * kernel.reach() * kernel.reach();
  return over_panels([&](double r) { return kernel.value(r * r + z2) * r * angle(r, x); }, at, 0, reach, scale);
}

double RegionMass::operator()(const Kernel& kernel, const double* x) const {
  if (region_.kind == Region::Kind::none || kernel.dim() == 0) return 1;
  const double reach = kernel.reach();
  // How deep inside the point is, where that can be said: far inside nothing is to be done.
  if (axes_.size() == 1) {
    const auto a = static_cast<std::size_t>(axes_[0]);
    double lo = region_.lo[a], hi = region_.hi[a];
    if (region_.kind == Region::Kind::half_plane) {
      lo = region_.normal[a] > 0 ? region_.point[a] : -infinity;
      hi = region_.normal[a] > 0 ? infinity : region_.point[a];
    }
    const double t0 = std::max(lo - x[0], -reach), t1 = std::min(hi - x[0], reach);
    if (!(t1 > t0)) return 0;
    if (t0 == -reach && t1 == reach) return 1;
    return along_line(kernel, 0, t0, t1) * (t1 - t0);
  }
  if (region_.kind == Region::Kind::half_plane) {
    double d = 0;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const auto a = static_cast<std::size_t>(axes_[k]);
      d += (x[k] - region_.point[a]) * region_.normal[a];
    }
    if (std::abs(d) >= reach) return d > 0 ? 1 : 0;
    if (axes_.size() == 3) {  // a cap of the sphere: 2 pi (1 + d/r)
      const double e = std::abs(d);
      const double cap = integrate([&](double r) { return kernel.value(r * r) * 2 * pi * r * (r - e); }, e, reach,
                                   kernel.peak() * reach * reach * reach);
      return d > 0 ? 1 - cap : cap;
    }
  } else if (region_.kind == Region::Kind::box) {
    bool deep = true;
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const auto a = static_cast<std::size_t>(axes_[k]);
      deep = deep && x[k] - region_.lo[a] >= reach && region_.hi[a] - x[k] >= reach;
      if (x[k] - region_.hi[a] >= reach || region_.lo[a] - x[k] >= reach) return 0;
    }
    if (deep) return 1;
  } else {
    const double c = std::hypot(x[0] - region_.centre[0], x[1] - region_.centre[1]);
    if (c >= region_.outer + reach || c + reach <= region_.inner) return 0;
    if (c + reach <= region_.outer && c - reach >= region_.inner) return 1;
    if (region_.inner <= 0 && c + reach <= region_.outer) return 1;
  }
  if (axes_.size() == 2) return in_plane(kernel, x, 0, reach);
  // slices across the last axis
  double lo = -reach, hi = reach;
  if (region_.kind == Region::Kind::box) {
    lo = std::max(lo, region_.lo[2] - x[2]);
    hi = std::min(hi, region_.hi[2] - x[2]);
  }
  std::vector<double> at, planar;
  kinks(x, planar);
  for (const double r : planar)
    if (r < reach)
      for (const double sign : {-1.0, 1.0}) at.push_back(sign * std::sqrt(reach * reach - r * r));
  const double scale = kernel.peak() * reach * reach * reach;
  return over_panels(
      [&](double z) {
        const double room = reach * reach - z * z;
        return room > 0 ? in_plane(kernel, x, z * z, std::sqrt(room)) : 0.0;
      },
      at, lo, hi, scale);
}

}  // namespace scree::fields
