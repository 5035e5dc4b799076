// interfaces.h - see interfaces.cpp.
#pragma once

namespace cilkc::cg {

class ModuleEmitter;
void recordInterfaces(ModuleEmitter &);   // before the list of what LLVM must keep is made

}  // namespace cilkc::cg
