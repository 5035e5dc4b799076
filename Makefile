# cilkc: the top-level interface.  `make help` lists what people ask for.
#
# How it works
#   * .deps/config.mk, made by the set-up (driver/cilkc_driver/setup.py), says which LLVM, ANTLR runtime,
#     Java and Maven this machine has; where they are missing, making it installs them.
#   * Sources are found by globbing: a new file in frontend/, codegen/, rt/ or stdlib/ needs no entry here.
#   * Everything that is built lands in $(BUILD); nothing generated is committed.
#   * Header dependencies come from the compiler (-MMD); objects depend on this file, too, through the
#     flags stamp, so that DEBUG=1 or SANITIZE=... in the same directory rebuilds what it must.
#
# Variables:  BUILD=dir  DEBUG=1  SANITIZE=address,undefined  CXX=clang++-19  CC=...  V=1 (show commands)
#             CCACHE= (do not use ccache)

SHELL    := /bin/sh
BUILD    ?= build
NPROC    := $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
HOST_PY  ?= $(firstword $(wildcard /usr/bin/python3) python3)
VENV     := .venv
PY       := $(VENV)/bin/python3
SETUP    := $(HOST_PY) driver/cilkc_driver/setup.py

.DEFAULT_GOAL := program
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:

# In parallel unless the caller said otherwise: a -j on the command line wins.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(NPROC)
endif

# make splits names at blanks. The tree itself may lie below a folder with a blank: every name in here is relative to
# it.
ifneq ($(words $(BUILD)),1)
$(error BUILD='$(BUILD)': the build directory's name may hold no blanks; give one relative to the tree)
endif
# For words of the user's that reach a shell: with blanks, quotes and all.
quote = '$(subst ','\'',$(1))'

# Goals that must work on a machine where nothing is set up yet.
BARE_GOALS := help clean distclean setup uninstall
ifneq ($(filter-out $(BARE_GOALS),$(or $(MAKECMDGOALS),program)),)
include .deps/config.mk
endif

CXX      := $(if $(filter default,$(origin CXX)),$(or $(CONFIG_CXX),c++),$(CXX))
CC       := $(if $(filter default,$(origin CC)),$(or $(CONFIG_CC),cc),$(CC))
CCACHE   ?= $(shell command -v ccache 2>/dev/null)
# A compilation by -O1's compiler takes 0.5 to 2 % more instructions than by -O2's; LLVM's part of it is the same.
OPT      := $(if $(DEBUG),-O0 -g,-O1)
SANFLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
# A switch over kinds names them all and has no `default`: a kind that is forgotten is an error.
WARN     := -Wall -Wextra -Werror=switch
CPPFLAGS_ALL = -I. -I$(BUILD)/gen -isystem $(LLVM_INCLUDE) -isystem $(ANTLR_INCLUDE) $(CPPFLAGS) \
               $(if $(DEBUG),-DCILKC_DEBUG,)
# gcc 12 warns without reason of std::string's operator+ (its bug 105651).
CXXFLAGS_ALL = -std=c++20 $(OPT) $(WARN) -Wno-array-bounds -Wno-restrict $(SANFLAGS) -pthread $(CXXFLAGS)
# libantlr4 as an archive: the compiler starts once per file, and a shared library costs relocations each time.
LIBS_CILKC1  = -L$(LLVM_LIBDIR) $(LLVM_LIBS) $(if $(wildcard $(ANTLR_STATIC)),$(ANTLR_STATIC),-lantlr4-runtime) -pthread
# LLVM inside, at fixed addresses: a start takes a fourth of the time that it takes with LLVM's shared library, which
# has to be relocated. Not where an archive is missing, nor under a sanitizer.
LLVM_INSIDE  = -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-Bstatic $(LLVM_STATIC) $(ANTLR_STATIC) -Wl,-Bdynamic -pthread -lm -lrt -ldl
ARCHIVES    := $(if $(SANITIZE),,$(and $(LLVM_STATIC),$(wildcard $(ANTLR_STATIC)),$(findstring /,$(shell $(CXX) -print-file-name=libzstd.a))))
LDFLAGS_ALL  = $(SANFLAGS) -Wl,-rpath,$(LLVM_LIBDIR) -Wl,--as-needed $(LDFLAGS)

Q   := $(if $(V),,@)
# A line for each step, with its number, how many there are, and minutes and seconds since the first one. The number of
# all is counted at the first step. That is a dry run of the same goals, where each step is a line `: step`.
say  = $(if $(V),,$(if $(COUNTING),@: step,$(step)@printf '  %s %d:%02d  %-7s %s\n' '$(words $(DONE))$(if $(filter 0,$(STEPS)),,/$(STEPS))' \
           $$((($$(date +%s) - $(BEGAN)) / 60)) $$((($$(date +%s) - $(BEGAN)) % 60)) '$(1)' '$(patsubst $(BUILD)/%,%,$(2))'))
step = $(if $(BEGAN),,$(eval BEGAN := $(shell date +%s))$(eval STEPS := $(count)))$(eval DONE += x)
count = $(shell env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(MAKE) -n COUNTING=1 $(MAKEOVERRIDES) $(MAKECMDGOALS) 2>/dev/null | grep -c '^: step$$')
BEGAN :=
DONE  :=

# ---------------------------------------------------------------- what there is
CXX_SRC  := $(sort $(shell find grammar frontend codegen driver/cilkc1 -name '*.cpp' -not -path '*/tests/*' 2>/dev/null))
GRAMMARS := $(wildcard grammar/CilkLexer.g4 grammar/CilkParser.g4)
# Libraries of tools that run a program in its serial form: rt/tools/NAME with an abi.h. The runtime is the core and its
# extensions.
RT_TOOLS := $(patsubst rt/tools/%/abi.h,%,$(wildcard rt/tools/*/abi.h))
RT_SRC   := $(filter-out rt/extensions/dist/%,$(sort $(wildcard rt/core/*/*.c rt/extensions/*/*.c)))
DIST_SRC := $(filter-out rt/extensions/dist/mpi.c,$(sort $(wildcard rt/extensions/dist/*.c)))
UNIT_SRC := $(sort $(wildcard tests/unit/*.cpp))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.cpp))

# Files of one room are compiled together, UNIT of them as one: what they include, and what it instantiates, is then
# compiled once, in a third of the time. One that names something as another file of its room does is in APART.
# SEPARATE=1 compiles each file by itself, and so do builds with SANITIZE.
UNIT     := 16
APART    := $(wildcard codegen/shim/*.cpp frontend/analysis/parallel_conflicts.cpp driver/cilkc1/*.cpp)
JOINED   := $(if $(SEPARATE)$(SANITIZE),,$(filter-out $(APART),$(CXX_SRC)))
# $(1): files of one room, $(2): the name of their first unit
units_of  = $(if $(1),$(2)=$(subst $(empty) ,|,$(strip $(wordlist 1,$(UNIT),$(1)))) \
              $(call units_of,$(wordlist $(shell expr $(UNIT) + 1),9999,$(1)),$(2)x))
UNITS    := $(foreach room,$(sort $(dir $(JOINED))),$(call units_of,$(foreach f,$(JOINED),$(if $(filter $(room),$(dir $f)),$f)),$(BUILD)/units/$(room)all))
unit_name  = $(word 1,$(subst =, ,$(1))).cpp
unit_files = $(subst |, ,$(word 2,$(subst =, ,$(1))))

CXX_OBJ  := $(patsubst %.cpp,$(BUILD)/obj/%.o,$(filter-out $(JOINED),$(CXX_SRC)) $(foreach u,$(UNITS),$(patsubst $(BUILD)/units/%,%,$(call unit_name,$u))))
MAIN_OBJ := $(filter $(BUILD)/obj/driver/cilkc1/%,$(CXX_OBJ))
GEN_OBJ  := $(if $(GRAMMARS),$(BUILD)/obj/gen/CilkLexer.o $(BUILD)/obj/gen/CilkParser.o \
              $(BUILD)/obj/gen/CilkParserVisitor.o)
LIB_OBJ  := $(filter-out $(MAIN_OBJ),$(CXX_OBJ)) $(GEN_OBJ)

RT_FLAVOURS := $(shell sh rt/core/abi_tags.sh flavours 2>/dev/null)
RT_LIBS     := $(BUILD)/lib/libcilkrt.a $(patsubst %,$(BUILD)/lib/libcilkrt-%.a,$(filter-out release,$(RT_FLAVOURS)))

.PHONY: format lint build quick random shapes soak soak-schedulers soak-ranks check-editor setup demo check test test-all test-tools help bench fuzz check-asan check-tsan check-aarch64 check-s390x unit clean distclean rt program cilkc1 site slides model weak mutants install install-strip uninstall package-root wheel deb recipes check-packages projects

# What programs are compiled and run with. The other parts of the runtime are built by the driver when a program first
# needs them (driver/cilkc_driver/parts.py); those that are there already are kept up to date. `build`: all of them.
program: cilkc1 $(BUILD)/lib/libcilkrt.a
build: cilkc1 rt
cilkc1: $(if $(MAIN_OBJ),$(BUILD)/cilkc1)
rt: $(if $(RT_SRC),$(RT_LIBS))

help:
	@echo 'cilkc: make targets'
	@echo '  make demo        set this machine up, build, compile samples/fib.cilk, run it on all processors'
	@echo '  make quick       the tests of what git says has changed, for a minute at most'
	@echo '  make check       lint, and every kind of test once: what a change must pass   (ARGS="-k name" passes options to pytest)'
	@echo '  make test        set up, build, test all features with both strategies'
	@echo '  make test-all    every combination of program, strategy, level, flavour and scheduler'
	@echo '  make             build what programs need into $(BUILD)/; other parts of the runtime follow when first used    make build: all'
	@echo '  make setup       install what is missing (LLVM, ANTLR, Java, Maven, .venv); prints packages if it cannot'
	@echo '  make bench       ratios against the elision and against peers'
	@echo '  make model       check the protocol models of the runtime, where a checker is installed'
	@echo '  make weak        check those of weak memory once more, by Relacy and by GenMC (GENMC=path)'
	@echo '  make mutants     weaken the runtime line by line: do its tests notice?  (ARGS="--list")'
	@echo '  make soak-ranks  several ranks: late messages, also by MPI; killed ranks; changed messages   (ARGS="kills --times 200")'
	@echo '  make soak        programs under injected faults, drawn by chance, for HOURS=0.1 (ARGS="--jobs 4 --seed 1")'
	@echo '  make check-asan  front end and tests under AddressSanitizer and UBSan'
	@echo '  make check-tsan  runtime tests under ThreadSanitizer'
	@echo '  make check-aarch64  a part of the run tests for AArch64, under qemu-user'
	@echo '  make check-s390x    the same for s390x, which is big endian'
	@echo '  make check-editor  the extension in Visual Studio Code itself, with pictures in $(BUILD)/editor'
	@echo '  make fuzz        coverage-guided fuzzing of each stage, of what the runtime reads and of what the tools read, for HOURS=0.1'
	@echo '  make shapes      SHAPES=1-1000: random procedures over every form of control flow, against gcc'
	@echo '  make random      N=100 random programs of each kind against gcc (ARGS="--kind c --jobs 2")'
	@echo '  make lint        what CI checks of the sources: ruff, mypy, the format    make format  applies the format'
	@echo '  make projects    NAMES="zlib sed": C projects by their source packages, built and tested by cilkc beside gcc'
	@echo '  make unit        C++ unit tests of tests/unit'
	@echo '  make site        the manual as a site in $(BUILD)/site, by mkdocs    make slides   nine lectures in $(BUILD)/slides'
	@echo '  make install     copy to PREFIX (default /usr/local; DESTDIR is honoured);  make uninstall removes it'
	@echo '  make install-strip  the same, with less debug information: a quarter of the size'
	@echo '  make wheel       dist/cilkc-VERSION-...whl, for pip     make deb  dist/cilkc_VERSION_ARCH.deb, for dpkg'
	@echo '  make recipes     dist/recipes, for conda, Homebrew, Nix, Spack and rpm, and the archive that they unpack'
	@echo '  make clean       remove $(BUILD)/       make distclean  also .venv and .deps'
	@echo 'Variables: BUILD=dir DEBUG=1 SANITIZE=address,undefined CXX= CC= V=1'

# ---------------------------------------------------------------- set-up
# The package list is data in driver/cilkc_driver/deps.py; both steps are quick when nothing is missing.
.deps/config.mk: driver/cilkc_driver/deps.py driver/cilkc_driver/setup.py
	$(Q)$(SETUP) native --config $@

$(VENV)/.stamp: driver/requirements.txt driver/requirements-test.txt driver/cilkc_driver/deps.py driver/cilkc_driver/setup.py
	$(Q)$(SETUP) venv --venv $(VENV) && touch $@

setup:
	$(Q)$(SETUP) native --config .deps/config.mk
	$(Q)$(SETUP) venv --venv $(VENV) && touch $(VENV)/.stamp

# ---------------------------------------------------------------- ANTLR
ANTLR_JAR := .deps/antlr4-$(ANTLR_TOOL)-complete.jar
$(ANTLR_JAR):
	$(call say,MVN,$@)
	$(Q)$(SETUP) jar --version $(ANTLR_TOOL) --out $@

ifneq ($(GRAMMARS),)
GEN_STAMP := $(BUILD)/gen/.stamp
$(GEN_STAMP): $(GRAMMARS) $(ANTLR_JAR)
	$(call say,ANTLR,$(GRAMMARS))
	$(Q)mkdir -p $(@D)
	$(Q)$(JAVA) -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar $(ANTLR_JAR) -Dlanguage=Cpp -visitor -no-listener \
	    -lib grammar -o $(@D) -Xexact-output-dir $(GRAMMARS)
	$(Q)touch $@
# The headers, too: else make has looked at their times before they are rewritten, and what includes them stays as it
# was.
$(foreach name,Lexer Parser ParserVisitor ParserBaseVisitor,$(BUILD)/gen/Cilk$(name).cpp $(BUILD)/gen/Cilk$(name).h): $(GEN_STAMP) ;

# Only what reads the parse tree waits for the generator.
NEEDS_GEN := $(shell grep -l 'Cilk\(Lexer\|Parser\)' $(CXX_SRC) 2>/dev/null) \
             $(filter frontend/parse/% driver/cilkc1/% frontend/elide/%,$(CXX_SRC))
$(patsubst %.cpp,$(BUILD)/obj/%.o,$(sort $(NEEDS_GEN))): | $(GEN_STAMP)
$(foreach u,$(UNITS),$(if $(filter $(NEEDS_GEN),$(call unit_files,$u)),$(patsubst $(BUILD)/units/%.cpp,$(BUILD)/obj/%.o,$(call unit_name,$u)))): | $(GEN_STAMP)
$(BUILD)/tests/% $(BUILD)/fuzz/% $(BUILD)/scaling/%: | $(GEN_STAMP)
endif

# ---------------------------------------------------------------- the native compiler
# Its options are those of the driver's table.
OPTIONS_INC := $(BUILD)/gen/cilkc1_options.inc
$(OPTIONS_INC): driver/cilkc1/generate.py driver/cilkc_driver/flags.py frontend/plan/strategies.def frontend/plan/modes.def frontend/source/dialects.def \
   frontend/types/targets.def
	$(call say,TABLE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(HOST_PY) -B $< > $@.new && mv -f $@.new $@
$(MAIN_OBJ): | $(OPTIONS_INC)

FLAGS_STAMP := $(BUILD)/.flags
FLAGS_NOW    = $(CXX) $(CXXFLAGS_ALL) $(CPPFLAGS_ALL)
ifneq ($(strip $(LLVM_INCLUDE)),)
$(shell mkdir -p $(BUILD); printf '%s\n' '$(FLAGS_NOW)' | cmp -s - $(FLAGS_STAMP) || printf '%s\n' '$(FLAGS_NOW)' > $(FLAGS_STAMP))
endif
$(FLAGS_STAMP): ;

# The text of the units, and a header with the names of each table of diagnostics, written where it is another than
# before: a message that is worded anew leaves these headers as they are.
written = if cmp -s "$$to.$$$$" "$$to"; then rm "$$to.$$$$"; else mv "$$to.$$$$" "$$to"; fi
ifneq ($(and $(strip $(LLVM_INCLUDE)),$(UNITS)),)
$(shell for u in $(foreach u,$(UNITS),'$u'); do \
  to=$${u%%=*}.cpp; mkdir -p "$${to%/*}"; echo "$${u#*=}" | tr '|' '\n' | sed 's/.*/#include "&"/' > "$$to.$$$$"; \
  $(written); done)
endif
ifneq ($(strip $(LLVM_INCLUDE)),)
$(shell mkdir -p $(BUILD)/gen/diag; for table in $$(grep -l ^DIAG. frontend/source/*.def); do \
  to=$${table##*/}; to=$(BUILD)/gen/diag/$${to%.def}.h; \
  { printf '%s\n' '#pragma once' '#include "frontend/source/diagnostics.h"' 'namespace cilkc::diag {'; \
    sed -n 's/^DIAG.\([a-z0-9_]*\),.*/extern const DiagId \1;/p' $$table; echo '}'; } > "$$to.$$$$"; \
  $(written); done)
endif

# What nearly every file includes, compiled once: a tenth of all the work. The longest folder of this list
# that holds a file decides. Builds with SANITIZE do without, and so see that each file includes what it uses. A compiler
# that cannot use the compiled header includes the copy. `#pragma once` compares a file with the one that was compiled,
# byte for byte. So the cache must not take a compiled header of files that differ in comments: hence the extra files.
STANDARD_OF := frontend/ast/standard.h codegen/core/standard.h
standard     = $(if $(SANITIZE),,$(1:%=$(BUILD)/obj/%))
STANDARD    := $(call standard,$(firstword $(STANDARD_OF)))
standard_use = $(addprefix -include ,$(1)) $(if $(and $(1),$(CCACHE)),-fpch-preprocess)
ifeq ($(SANITIZE),)
export CCACHE_SLOPPINESS := pch_defines,time_macros
$(STANDARD_OF:%=$(BUILD)/obj/%): $(BUILD)/obj/%: % $(FLAGS_STAMP)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && cp $< $@.new
	$(Q)CCACHE_EXTRAFILES=$$(find frontend codegen rt -name '*.h' -o -name '*.def' | paste -sd:) \
	  $(CCACHE) $(CXX) $(CXXFLAGS_ALL) $(CPPFLAGS_ALL) -MMD -MP -MT $@ -MF $@.d -x c++-header -c $< -o $@.new.gch && \
	  mv -f $@.new.gch $@.gch && mv -f $@.new $@
endif

# $(1): the folder and a slash, or nothing; $(2): its compiled header
define CXX_RULES
$(BUILD)/obj/$(1)%.o: $(1)%.cpp $(FLAGS_STAMP) $(call standard,$(2))
	$$(call say,CXX,$$<)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CXX) $$(CXXFLAGS_ALL) $(call standard_use,$(call standard,$(2))) $$(CPPFLAGS_ALL) -MMD -MP -c $$< -o $$@
$(BUILD)/obj/$(1)%.o: $(BUILD)/units/$(1)%.cpp $(FLAGS_STAMP) $(call standard,$(2))
	$$(call say,CXX,$$(<:$(BUILD)/units/%=%))
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CXX) $$(CXXFLAGS_ALL) -Wno-subobject-linkage -Wno-stringop-overflow $(call standard_use,$(call standard,$(2))) $$(CPPFLAGS_ALL) -MMD -MP -c $$< -o $$@
endef
$(eval $(call CXX_RULES,,$(firstword $(STANDARD_OF))))
$(eval $(call CXX_RULES,codegen/,codegen/core/standard.h))
# Here names of LLVM's classes are names of ours.
$(eval $(call CXX_RULES,codegen/shim/))

# Generated code is not ours to keep free of warnings.
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.cpp $(FLAGS_STAMP) $(STANDARD)
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_ALL) -w $(call standard_use,$(STANDARD)) $(CPPFLAGS_ALL) -MMD -MP -c $< -o $@

# The parser first: it takes longer than any other file, and would be the last one that a single processor works on.
$(BUILD)/cilkc1: $(GEN_OBJ) $(LIB_OBJ) $(MAIN_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@.new $^ $(if $(ARCHIVES),-no-pie -L$(LLVM_LIBDIR) $(LLVM_INSIDE),$(LIBS_CILKC1)) && mv -f $@.new $@

# Unit tests and fuzzers link with everything but the compiler's main.
$(BUILD)/lib/libcilkfront.a: $(LIB_OBJ)
	$(Q)mkdir -p $(@D); rm -f $@; ar crsT $@.new $^ && mv -f $@.new $@
$(BUILD)/tests/%: tests/unit/%.cpp $(BUILD)/lib/libcilkfront.a
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_ALL) $(CPPFLAGS_ALL) -MMD -MP -c $< -o $@.o
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@ $@.o $(BUILD)/lib/libcilkfront.a $(LIBS_CILKC1)
$(BUILD)/scaling/%: tests/scaling/%.cpp $(BUILD)/lib/libcilkfront.a
	$(call say,TEST,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_ALL) $(CPPFLAGS_ALL) -MMD -MP -c $< -o $@.o
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@ $@.o $(BUILD)/lib/libcilkfront.a $(LIBS_CILKC1)
$(BUILD)/fuzz/%: tests/fuzz/%.cpp $(BUILD)/lib/libcilkfront.a
	$(call say,FUZZ,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CCACHE) $(CXX) $(CXXFLAGS_ALL) $(CPPFLAGS_ALL) -MMD -MP -c $< -o $@.o
	$(Q)$(CXX) $(LDFLAGS_ALL) -o $@ $@.o $(filter %.o,$^) $(BUILD)/lib/libcilkfront.a $(LIBS_CILKC1)

unit: $(UNIT_SRC:tests/unit/%.cpp=$(BUILD)/tests/%)
	@for t in $^; do echo "  RUN     $$t"; $$t || exit 1; done

# ---------------------------------------------------------------- the runtime: one archive per flavour
# One object holds all of it, so that an image has the whole runtime or nothing of it; the archive holds that object and
# the members of which the linker chooses: main.c, crash.c, pedigree.c, param.c, and what objects of one strategy and one build
# refer to. The object is beside the archive, too, for links that need it early. In debug information the tree is
# /cilkc, so that a build elsewhere makes the same archives; `cilkc debug` knows.
RT_MAP          = -ffile-prefix-map=$(call quote,$(CURDIR))=/cilkc
RT_CHOSEN       = core/process/main.c.o core/base/crash.c.o extensions/pedigree/pedigree.c.o extensions/calls/param.c.o core/abi_tag_%.o
# rt/core/abi_tags.def: how a flavour is compiled; the rows, as group_value, of which it has a member each
$(foreach f,$(RT_FLAVOURS),$(eval RT_$(f) := $(shell sh rt/core/abi_tags.sh flags $(f))))
RT_TAGS        = $(shell sh rt/core/abi_tags.sh rows $(1))
# A file of the runtime names a header by its room, in whichever wing it is.
RT_INCLUDE      = -Irt/core -Irt/extensions -I. -Istdlib
RT_CFLAGS       = -std=gnu17 $(WARN) $(RT_INCLUDE) -pthread -fPIC -fvisibility=hidden -g $(RT_EXTRA)
RT_FLAGS_STAMP := $(BUILD)/.rtflags
RT_FLAGS_NOW    = $(CC) $(RT_CFLAGS) -ffile-prefix-map=.=/cilkc $(foreach f,$(RT_FLAVOURS),$(RT_$(f)))
ifneq ($(strip $(LLVM_INCLUDE)),)
$(shell mkdir -p $(BUILD); printf '%s\n' '$(RT_FLAGS_NOW)' | cmp -s - $(RT_FLAGS_STAMP) || printf '%s\n' '$(RT_FLAGS_NOW)' > $(RT_FLAGS_STAMP))
endif
$(RT_FLAGS_STAMP): ;

# The runtime's own objects are in sections of their own, so that checkpoints can distinguish them from the program's
# (rt/extensions/travel/program.c).
OBJCOPY        ?= objcopy
RT_SECTIONS     = --rename-section .bss=cilkrt_bss --rename-section .data=cilkrt_data --rename-section .data.rel=cilkrt_rel --rename-section .data.rel.local=cilkrt_rel_local

# $(1) flavour, $(2) archive
define RT_RULES
RT_OBJ_$(1) := $$(patsubst rt/%,$$(BUILD)/rt/$(1)/%.o,$$(RT_SRC)) $$(patsubst %,$$(BUILD)/rt/$(1)/core/abi_tag_%.o,$$(call RT_TAGS,$(1)))
$$(BUILD)/rt/$(1)/core/abi_tag_%.o: rt/core/abi_tags.c rt/core/abi_tags.def $$(RT_FLAGS_STAMP)
	$$(call say,CC,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(RT_CFLAGS) $$(RT_MAP) $$(RT_$(1)) -DCILK_GROUP=$$(word 1,$$(subst _, ,$$*)) -DCILK_VALUE=$$(word 2,$$(subst _, ,$$*)) -MMD -MP -c $$< -o $$@
$$(BUILD)/rt/$(1)/%.o: rt/% $$(RT_FLAGS_STAMP)
	$$(call say,CC,$$< ($(1)))
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) $$(RT_CFLAGS) $$(RT_MAP) $$(RT_$(1)) -MMD -MP -c $$< -o $$@
$(2): $$(RT_OBJ_$(1))
	$$(call say,AR,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) -r -nostdlib -o $$(@:.a=.o) $$(filter-out $$(addprefix $$(BUILD)/rt/$(1)/,$$(RT_CHOSEN)),$$^)
	$$(Q)$$(OBJCOPY) $$(RT_SECTIONS) $$(@:.a=.o)
	$$(Q)rm -f $$@.new && ar crs $$@.new $$(@:.a=.o) $$(filter $$(addprefix $$(BUILD)/rt/$(1)/,$$(RT_CHOSEN)),$$^) && mv -f $$@.new $$@
$$(subst libcilkrt,libcilkdist,$(2)): $$(patsubst rt/%,$$(BUILD)/rt/$(1)/%.o,$$(DIST_SRC))
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@.new && ar crs $$@.new $$^ && mv -f $$@.new $$@
rt: $$(subst libcilkrt,libcilkdist,$(2))
endef
$(eval $(call RT_RULES,release,$(BUILD)/lib/libcilkrt.a))
$(foreach f,$(filter-out release,$(RT_FLAVOURS)),$(eval $(call RT_RULES,$(f),$(BUILD)/lib/libcilkrt-$(f).a)))

# The driver compiles this file where a program is linked for MPI: each MPI library has a binary interface of its own.
$(BUILD)/lib/dist/%: rt/extensions/dist/%
	$(Q)mkdir -p $(@D) && cp $< $@.new && mv -f $@.new $@
rt: $(BUILD)/lib/dist/mpi.c $(BUILD)/lib/dist/transport.h

# The tools' libraries are linked beside the runtime: libcilkNAME.a.
define TOOL_RULES
$$(BUILD)/rt/tools/$(1)/%.o: rt/tools/$(1)/% $$(RT_FLAGS_STAMP)
	$$(call say,CC,$$<)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $$(CC) -std=gnu17 $$(WARN) -I. -O3 -fPIC -fvisibility=hidden -g $$(RT_MAP) -MMD -MP -c $$< -o $$@
$$(BUILD)/lib/libcilk$(1).a: $$(patsubst rt/tools/$(1)/%,$$(BUILD)/rt/tools/$(1)/%.o,$$(sort $$(wildcard rt/tools/$(1)/*.c)))
	$$(call say,AR,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)rm -f $$@.new && ar crs $$@.new $$^ && mv -f $$@.new $$@
rt: $$(BUILD)/lib/libcilk$(1).a
endef
$(foreach t,$(RT_TOOLS),$(eval $(call TOOL_RULES,$(t))))

# What `cilkc simulate` plays a recorded dag with. It is a program already, so that nothing of the sources is needed
# where cilkc is installed.
$(BUILD)/lib/player: driver/tools/player.c $(BUILD)/lib/libcilkrt.a
	$(call say,CC,$<)
	$(Q)$(CC) -std=gnu17 $(WARN) -O2 $(RT_INCLUDE) -pthread $(RT_EXTRA) -s -o $@.new $^ -lm && mv -f $@.new $@
rt: $(BUILD)/lib/player

# The same runtime for other processors, where their cross compilers are installed.
# $(1): the processor
define CROSS_RULES
RT_CROSS_LIBS += $(if $(RT_SRC),$(patsubst %,$(BUILD)/lib/$(1)-linux-gnu/libcilk%.a,rt dist))
RT_OBJ_$(1) := $(patsubst rt/%,$(BUILD)/rt/$(1)/%.o,$(RT_SRC)) $(patsubst %,$(BUILD)/rt/$(1)/core/abi_tag_%.o,$(call RT_TAGS,release))
$(BUILD)/rt/$(1)/core/abi_tag_%.o: rt/core/abi_tags.c rt/core/abi_tags.def $$(RT_FLAGS_STAMP)
	$$(call say,CC,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $(1)-linux-gnu-gcc $$(RT_CFLAGS) $$(RT_MAP) $$(RT_release) -DCILK_GROUP=$$(word 1,$$(subst _, ,$$*)) -DCILK_VALUE=$$(word 2,$$(subst _, ,$$*)) -MMD -MP -c $$< -o $$@
$(BUILD)/rt/$(1)/%.o: rt/% $$(RT_FLAGS_STAMP)
	$$(call say,CC,$$< ($(1)))
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CCACHE) $(1)-linux-gnu-gcc $$(RT_CFLAGS) $$(RT_MAP) $$(RT_release) -MMD -MP -c $$< -o $$@
$(BUILD)/lib/$(1)-linux-gnu/libcilkrt.a: $$(RT_OBJ_$(1))
	$$(call say,AR,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(1)-linux-gnu-gcc -r -nostdlib -o $$(@:.a=.o) $$(filter-out $$(addprefix $(BUILD)/rt/$(1)/,$$(RT_CHOSEN)),$$^)
	$$(Q)$(1)-linux-gnu-objcopy $$(RT_SECTIONS) $$(@:.a=.o)
	$$(Q)rm -f $$@.new && ar crs $$@.new $$(@:.a=.o) $$(filter $$(addprefix $(BUILD)/rt/$(1)/,$$(RT_CHOSEN)),$$^) && mv -f $$@.new $$@
$(BUILD)/lib/$(1)-linux-gnu/libcilkdist.a: $(patsubst rt/%,$(BUILD)/rt/$(1)/%.o,$(DIST_SRC))
	$$(call say,AR,$$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)rm -f $$@.new && ar crs $$@.new $$^ && mv -f $$@.new $$@
endef
# Tests of `make test` run programs for s390x under qemu, and none for AArch64.
PROCESSORS := aarch64 s390x
CROSS := $(foreach p,$(PROCESSORS),$(if $(shell command -v $(p)-linux-gnu-gcc 2>/dev/null),$(p)))
$(foreach p,$(CROSS),$(eval $(call CROSS_RULES,$(p))))
rt: $(RT_CROSS_LIBS)

RT_PARTS := $(RT_LIBS) $(RT_LIBS:$(BUILD)/lib/libcilkrt%=$(BUILD)/lib/libcilkdist%) $(RT_CROSS_LIBS) $(BUILD)/lib/player \
            $(RT_TOOLS:%=$(BUILD)/lib/libcilk%.a) $(addprefix $(BUILD)/lib/dist/,mpi.c transport.h)
program: $(wildcard $(RT_PARTS))
# With which words the driver is to call make for a part.
MADE_WITH = $(foreach v,BUILD CC CXX CPPFLAGS CXXFLAGS LDFLAGS SANITIZE DEBUG OPT RT_EXTRA,'$v=$(subst ','\'',$($v))')
ifneq ($(strip $(LLVM_INCLUDE)),)
$(shell printf '%s\n' $(MADE_WITH) > $(BUILD)/.made-with.$$$$ && mv -f $(BUILD)/.made-with.$$$$ $(BUILD)/.made-with)
endif

# ---------------------------------------------------------------- demo, tests, measurements
demo: program $(VENV)/.stamp
	@echo '$$ ./cilkc build samples/fib.cilk -O2 -o $(BUILD)/fib'
	$(Q)CILKC_BUILD=$(BUILD) ./cilkc build samples/fib.cilk -O2 -o $(BUILD)/fib
	@echo '$$ $(BUILD)/fib --nproc $(NPROC) 35'
	$(Q)$(BUILD)/fib --nproc $(NPROC) 35

# What tests run beside ourselves. Where it cannot be installed the others still run, and the tests that need it fail.
test-tools:
	$(Q)$(SETUP) tools $(if $(filter fuzz,$(MAKECMDGOALS)),--fuzz) || true

# The tiers of tests/tiers.py. Unit tests are linked before pytest's processes would all ask for the same archive.
TEST_PROGRAMS = $(UNIT_SRC:tests/unit/%.cpp=$(BUILD)/tests/%) $(if $(wildcard /usr/include/valgrind/valgrind.h),$(BUILD)/scaling/work)
# Keep compiled modules, also where the environment forbids it: pytest then finds its tests in half the time.
PYTEST        = PYTHONDONTWRITEBYTECODE= CILKC_TEST_BUILT=1 CILKC_BUILD=$(BUILD) $(PY) -m pytest tests
# Two processes more than processors: many tests wait for limits of time and for other processes.
IN_PARALLEL   = -q -n $(shell expr $(NPROC) + 2) --dist worksteal
check: lint build test-tools $(VENV)/.stamp $(TEST_PROGRAMS)
	$(Q)$(PYTEST) $(IN_PARALLEL) --tier=check $(ARGS)
# The tests of what has changed, for a minute at most.
quick: build $(VENV)/.stamp
	$(Q)PYTHONDONTWRITEBYTECODE= CILKC_BUILD=$(BUILD) $(PY) tests/quick.py $(ARGS)
test: build test-tools $(VENV)/.stamp $(TEST_PROGRAMS)
	$(Q)$(MAKE) -s BUILD=$(BUILD) PROCESSORS=s390x rt
	$(Q)$(PYTEST) $(IN_PARALLEL) --tier=test $(ARGS)
test-all: build test-tools $(VENV)/.stamp $(TEST_PROGRAMS)
	$(Q)$(SETUP) venv --venv $(VENV) --extra site || echo 'without mkdocs the test of the site is left out'
	$(Q)$(PYTEST) $(IN_PARALLEL) --tier=all $(ARGS)

bench: build $(VENV)/.stamp
	$(Q)$(SETUP) venv --venv $(VENV) --extra bench || echo 'without matplotlib there are no charts; everything else is measured'
	$(Q)CILKC_BUILD=$(BUILD) $(PY) -m bench $(ARGS)

# Every front-end test again with a front end under ASan and UBSan (leaks are not looked for: a compiler exits).
# SANITIZE is for the make of tests/compiler/test_unit.py.
check-asan: test-tools $(VENV)/.stamp
	$(Q)$(MAKE) BUILD=build-asan SANITIZE=address,undefined build unit
	$(Q)SANITIZE=address,undefined ASAN_OPTIONS=detect_leaks=0 CILKC_TEST_BUILT=1 CILKC_BUILD=build-asan $(PY) -m pytest tests $(IN_PARALLEL) -m 'not slow' $(ARGS)

check-tsan: build test-tools $(VENV)/.stamp
	$(Q)$(PYTEST) -m tsan --tsan $(ARGS)

# Another processor under qemu-user: a part of the run tests, both strategies, forced steals.
# The runtime for it is built once the cross compiler is there.
check-aarch64 check-s390x: check-%: test-tools $(VENV)/.stamp
	$(Q)$(MAKE) BUILD=$(BUILD) build
	$(Q)$(PYTEST) -m $* --$* $(IN_PARALLEL) $(ARGS)

# The extension in Visual Studio Code itself, whose server npm brings.
check-editor: build test-tools $(VENV)/.stamp
	$(Q)cd editors/vscode && npm run -s package
	$(Q)$(PY) editors/vscode/in_editor.py $(BUILD)/editor

# The format of C and C++ is checked where .clang-format is in force, once `make format` has been applied.
FORMATTED     = $(sort $(shell find frontend codegen driver rt bench/lines bench/peers tests/dist tests/fuzz tests/rt \
                  tests/sched tests/travel tests/unit -name '*.cpp' -o -name '*.h' -o -name '*.c'))
FORMAT_CHECK ?= 1
format: $(VENV)/.stamp
	$(Q)$(VENV)/bin/clang-format -i $(FORMATTED)
# Each call of mypy has a cache of its own: with other options it would read nothing from a shared one.
LINTS         = lint-python lint-types lint-types-of-tests lint-format
.PHONY: $(LINTS)
lint: $(LINTS)
$(LINTS): $(VENV)/.stamp
lint-python:
	$(Q)$(PY) -m ruff check --no-cache -q .
lint-types:
	$(Q)$(PY) -m mypy --no-error-summary --cache-dir=$(BUILD)/.mypy driver bench docs rt/model
lint-types-of-tests:
	$(Q)$(PY) -m mypy --no-error-summary --cache-dir=$(BUILD)/.mypy-tests --disable-error-code union-attr --disable-error-code index $(wildcard tests/*.py tests/*/test_*.py)
lint-format:
	$(Q)$(if $(FORMAT_CHECK),$(VENV)/bin/clang-format --dry-run -Werror $(FORMATTED))

# Fuzzing: the front end by mutation alone (front_fuzz, FUZZ_RUNS inputs), then each stage, the runtime's inputs and the
# tools', guided by coverage, for HOURS of processor time. All in a build of its own, by clang, whose libFuzzer guides;
# FUZZ_ARGS are those of tests/fuzz/run.py.
FUZZ_RUNS ?= 2000
FUZZ_SEED ?= 1
FUZZ_CXX  ?= clang++-19
FUZZ_BUILD = $(MAKE) BUILD=build-fuzz CXX=$(FUZZ_CXX) SANITIZE=fuzzer-no-link,address,undefined OPT=-O1 CXXFLAGS=-gline-tables-only
build-fuzz/fuzz/front_stages: LDFLAGS += -fsanitize=fuzzer
build-fuzz/fuzz/front_stages: build-fuzz/obj/driver/cilkc1/options.o
fuzz: build test-tools $(VENV)/.stamp
	$(Q)$(FUZZ_BUILD) $(FUZZ_SRC:tests/fuzz/%.cpp=build-fuzz/fuzz/%)
	$(Q)ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 build-fuzz/fuzz/front_fuzz --runs=$(FUZZ_RUNS) --seed=$(FUZZ_SEED) --out=build-fuzz tests samples
	$(Q)$(PY) tests/fuzz/run.py --hours $(HOURS) $(FUZZ_ARGS)

# Random programs, compiled at three levels and compared with gcc's builds. What was tried is not tried again.
random: build test-tools $(VENV)/.stamp
	$(Q)CILKC_BUILD=$(BUILD) $(PY) tests/stress/batch.py --count $(or $(N),100) $(ARGS)

shapes: build
	$(Q)CILKC_BUILD=$(BUILD) $(HOST_PY) tests/shapes/batch.py $(or $(SHAPES),1-1000) $(ARGS)

model: test-tools
	@if [ -f rt/model/run.py ]; then exec $(HOST_PY) rt/model/run.py $(ARGS); \
	 else echo 'no protocol model in rt/model'; fi

# The models of weak memory once more, by checkers that others wrote: Relacy, and GenMC where GENMC says where it is.
weak: test-tools
	$(Q)exec $(HOST_PY) rt/model/peers.py $(ARGS)

# Takes mechanisms out of the runtime, one at a time: do the tests notice?
mutants: build test-tools $(VENV)/.stamp
	$(Q)CILKC_BUILD=$(BUILD) $(PY) tests/mutants/run.py $(ARGS)

# Programs under injected faults (docs/trust.md). Failures are in build/soak/log.jsonl, with the command that repeats
# it.
HOURS ?= 0.1
soak: build test-tools $(VENV)/.stamp
	$(Q)CILKC_BUILD=$(BUILD) $(PY) tests/soak/run.py --hours $(HOURS) $(ARGS)

# Every scheduler with every operation of computations, so often each, beside busy processes.
TIMES ?= 200
soak-schedulers: build $(VENV)/.stamp
	$(Q)CILKC_TEST_BUILT=1 CILKC_BUILD=$(BUILD) CILKC_TIMES=$(TIMES) CILKC_BUSY=3 $(PY) -m pytest -q tests/runtime/test_operations.py $(ARGS)

# Several ranks: late and doubled messages, also by MPI; killed ranks; changed messages. It goes on where it was ended.
soak-ranks: build $(VENV)/.stamp
	$(Q)CILKC_BUILD=$(BUILD) $(PY) tests/dist/soak.py $(ARGS)

# C projects of others, built and tested by cilkc beside gcc (tests/projects.py).
projects: build
	$(Q)CILKC_BUILD=$(BUILD) $(HOST_PY) -B tests/projects.py --work $(BUILD)/projects $(ARGS) $(NAMES)

# Two packages of Python and what they need, which nothing else here uses.
site: $(VENV)/.stamp
	$(Q)$(SETUP) venv --venv $(VENV) --extra site
	$(Q)$(PY) -m mkdocs build --quiet --strict --site-dir $(CURDIR)/$(BUILD)/site && echo '  open $(BUILD)/site/index.html in a browser'

# Eight lectures, by a tool of npm's that nothing else here uses; ARGS=--pdf makes PDFs, with chromium.
MARP := $(BUILD)/slides/tool
$(MARP)/node_modules/.bin/marp:
	$(Q)npm install --silent --no-audit --no-fund --prefix $(MARP) @marp-team/marp-cli@4.5.1
slides: $(MARP)/node_modules/.bin/marp
	$(Q)mkdir -p $(BUILD)/slides/book && cp docs/book/*.svg $(BUILD)/slides/book
	$(Q)$< --theme-set docs/slides --input-dir docs/slides --output $(BUILD)/slides/lectures --allow-local-files $(ARGS) 2> $(BUILD)/slides/log || { cat $(BUILD)/slides/log; exit 1; }
	$(Q)echo '  open $(BUILD)/slides/lectures/1-work-and-span.html in a browser'

# Nothing is fetched: the command's own packages come out of $(VENV).
PREFIX ?= /usr/local
WHERE   = --prefix $(call quote,$(PREFIX)) --destdir $(call quote,$(DESTDIR))
install install-strip: build $(VENV)/.stamp
	$(Q)$(SETUP) install --build $(BUILD) --venv $(VENV) $(WHERE) $(if $(filter install-strip,$@),--strip)
uninstall:
	$(Q)$(SETUP) uninstall $(WHERE)

# ---------------------------------------------------------------- packages (packaging/)
# Their compiler needs no library but C's: LLVM, ANTLR and C++'s are inside. $(BUILD)/package/root is what
# `make install PREFIX=/usr` would make.
PACKAGE := $(BUILD)/package
$(PACKAGE)/cilkc1: $(GEN_OBJ) $(LIB_OBJ) $(MAIN_OBJ)
	$(call say,LINK,$@)
	$(Q)$(if $(LLVM_STATIC),,echo "LLVM's archives are not installed: a package needs $(LLVM_LIBDIR)/libLLVM*.a" >&2; exit 1)
	$(Q)$(SETUP) tools --package
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(SANFLAGS) -Wl,-z,pack-relative-relocs -Wl,--as-needed -s -o $@.new $^ -L$(LLVM_LIBDIR) $(LLVM_INSIDE) && mv -f $@.new $@

package-root: build $(VENV)/.stamp $(PACKAGE)/cilkc1
	$(Q)cd editors/vscode && npm run -s package -- ../../$(PACKAGE)/cilk.vsix
	$(Q)rm -rf $(PACKAGE)/root && $(SETUP) install --build $(BUILD) --venv $(VENV) --prefix /usr --destdir $(PACKAGE)/root --strip --no-bytecode --cilkc1 $(PACKAGE)/cilkc1 \
	    --vsix $(PACKAGE)/cilk.vsix > $(PACKAGE)/log
	$(Q)$(HOST_PY) -B packaging/sbom.py $(PACKAGE)/root/usr

wheel: package-root
	$(Q)$(HOST_PY) -B packaging/wheel.py $(PACKAGE)/root/usr dist

deb: package-root
	$(Q)$(HOST_PY) -B packaging/deb.py $(PACKAGE) dist

# The files of other package managers, and the archive that they unpack.
recipes: package-root
	$(Q)$(HOST_PY) -B packaging/recipes.py $(PACKAGE)/root/usr dist

# In fresh roots of Debian, which debootstrap makes: as root.
check-packages: wheel deb
	$(Q)packaging/roots.sh $(ARGS)

clean:
	rm -rf $(BUILD)
distclean: clean
	rm -rf .venv .deps build build-* dist

-include $(CXX_OBJ:.o=.d) $(GEN_OBJ:.o=.d) $(STANDARD_OF:%=$(BUILD)/obj/%.d) $(wildcard $(BUILD)/rt/*/*/*.d $(BUILD)/rt/*/*/*/*.d)
