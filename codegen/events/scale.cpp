// scale.cpp - --cilk-scale: strands are reported to the profiler as for `cilkc profile` (count.cpp), without units: it
// takes the time.
#include "codegen/core/events.h"

namespace cilkc::cg {

std::unique_ptr<Events> makeCountEvents(ModuleEmitter &);

std::unique_ptr<Events> makeScaleEvents(ModuleEmitter &m) { return makeCountEvents(m); }

}  // namespace cilkc::cg
