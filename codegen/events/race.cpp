// race.cpp - the mode of the serial detector (race.h).
#include "codegen/events/race.h"

namespace cilkc::cg {

std::unique_ptr<Events> makeRaceEvents(ModuleEmitter &m) { return std::make_unique<RaceEvents>(m); }

}  // namespace cilkc::cg
