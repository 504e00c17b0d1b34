// Courses of channels (dram_courses.hpp), by memory: for all accelerators of a group, and for all
// runs that share a library. What one of them has worked out, the others find: where a plan splits
// 50,257 words in halves of 25,128 and 25,129, most of what the second half moves takes courses of
// the first one.
#pragma once

#include <map>
#include <memory>

#include "sim/model/memory/dram/dram_courses.hpp"

namespace tessera::sim {

class DramLibrary final {
 public:
  /// With space for more: a full table is left to those who are using it. A memory is known by the
  /// address of its `spec`, which must outlive the library.
  [[nodiscard]] std::shared_ptr<DramCourses> courses(arch::DramSpec const& spec) {
    auto& known = by_memory_[&spec];
    if (!known || known->is_full()) known = std::make_shared<DramCourses>(spec);
    return known;
  }

 private:
  std::map<arch::DramSpec const*, std::shared_ptr<DramCourses>> by_memory_;
};

}  // namespace tessera::sim
