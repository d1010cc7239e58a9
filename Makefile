# ndpgen - near-data-processing hardware, generated and proven.
# `make help` lists what there is to do.

BUILD ?= build
OUT   ?= out
CC    ?= gcc
CXX   ?= g++

# Debian's ccache, where it is installed: for these objects and for Verilator's
export PATH := $(if $(wildcard /usr/lib/ccache/gcc),/usr/lib/ccache:)$(PATH)

CFLAGS   ?= -O2 -g
# Icarus loads models and bench as a module; everything else links the same objects
PIC      := -fPIC -fno-semantic-interposition
WARN     := -Wall -Wextra -Werror -pedantic
C_STD    := -std=c11 -D_POSIX_C_SOURCE=200809L
INCLUDES := -Ilib -Ikernels -I$(BUILD)/lib
# asked when a recipe runs, which is after set-up has installed pkg-config
LUA_CFLAGS = $(shell pkg-config --cflags lua5.4)
LUA_LIBS   = $(shell pkg-config --libs lua5.4)

# sources by room, see docs/architecture.md
find        = $(sort $(shell find $(1) -name '*.c'))
lib_src    := $(filter-out lib/cuda/%,$(call find,lib))
# the CUDA runtime, a library of its own over libndp
cuda_src   := $(call find,lib/cuda)
# the CPU references of the kernels go with the executor, for its tests too
golden_src := $(filter-out golden/sim/ndp%,$(call find,golden)) \
              kernels/ref.c $(wildcard kernels/*/*_ref.c)
# the simulator's programs are golden/sim/ndp*/, all of a folder
sim_programs := $(notdir $(wildcard golden/sim/ndp*))
sim_src    := $(foreach p,$(sim_programs),$(call find,golden/sim/$(p)))
# a program is gen/<name>/<name>.c; everything else of gen/ is there for all
programs   := $(notdir $(wildcard gen/ndp*))
gen_src    := $(filter-out $(foreach p,$(programs),gen/$(p)/$(p).c),$(call find,gen))
test_src   := $(sort $(wildcard tests/*/test_*.c))
bench_src  := $(sort $(wildcard tests/*/bench_*.c))

# what scripts/blocks.sh makes of each declaration
defs       := $(sort $(wildcard lib/blocks/*.def lib/shared/*.def))
decl_src   := $(patsubst lib/%.def,$(BUILD)/lib/%.c,$(filter lib/blocks/%,$(defs)))
declared   := $(BUILD)/lib/blocks/.made
lib_obj    := $(lib_src:%.c=$(BUILD)/%.o) $(decl_src:.c=.o) \
              $(BUILD)/lib/embedded_presets.o $(BUILD)/lib/embedded_ptx.o
cuda_obj   := $(cuda_src:%.c=$(BUILD)/%.o)
cudart     := $(addprefix $(BUILD)/cudart/libcudart.so.,11.0 12 13)
golden_obj := $(golden_src:%.c=$(BUILD)/%.o)
sim_obj    := $(sim_src:%.c=$(BUILD)/%.o)
gen_obj    := $(gen_src:%.c=$(BUILD)/%.o) \
              $(BUILD)/gen/embedded_templates.o $(BUILD)/gen/embedded_notes.o
tests_bin  := $(test_src:%.c=$(BUILD)/%)
bench_bin  := $(bench_src:%.c=$(BUILD)/%)
stamp      := $(BUILD)/.setup

libs = $(BUILD)/libgolden.a $(BUILD)/libndp.a
# what packs the PTX that nvcc puts into objects
CUDA_LIBS = -lzstd -llz4
LDLIBS = -lyaml -ljansson -lelf -lz -llzma -lstdc++ -lm

# V=1 shows the commands
ifeq ($(V),1)
Q :=
else
Q := @
MAKEFLAGS += --no-print-directory
endif
# with JSON=1 standard output is for the object alone
to := $(if $(JSON),>&2)
# no rule of make itself: one would make the folder lib/config/presets of presets.c
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1) --no-builtin-rules
export BUILD OUT CC CXX

# What is made appears whole, so that two makes in one tree do not read what the
# other has half written: temp is its name until then.
temp = $@.$$$$.tmp
comma := ,
# $(call compile,FLAGS): an object of its source
define compile
@mkdir -p $(@D)
@echo "  cc $<" $(to)
$(Q)$(CC) $(C_STD) $(WARN) $(CFLAGS) $(PIC) $(INCLUDES) $(1) -MMD -MP -MF $(@:.o=.d).$$$$.tmp -MT $@ \
    -c $< -o $(temp) && mv $(@:.o=.d).$$$$.tmp $(@:.o=.d) && mv $(temp) $@
endef
archive = $(Q)rm -f $(temp) && ar qcs $(temp) $^ && mv $(temp) $@
# $(call link,OBJECTS,LIBRARIES)
link = $(Q)$(CC) $(CFLAGS) $(1) $(2) -o $(temp) && mv $(temp) $@

.SECONDARY:
.PHONY: all cuda help setup demo check ledger clean bench fuzz figures pictures sweep determinism area timing silicon speed formal probes lint kernels board flash mutants long seeds configs \
        install uninstall dist site deb
all: $(addprefix $(BUILD)/,$(programs) $(sim_programs)) cuda ## build the programs: ndpgen, ndpcc, ndpsim and more

cuda: $(BUILD)/ndpcu $(BUILD)/libndpcudart.a $(cudart) $(BUILD)/libndp.so $(libs) ## ndpcu and its library: CUDA programs on machines; docs/cuda.md

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' \
	    $(MAKEFILE_LIST)

setup: ## install the packages that are missing (Debian, Ubuntu), those of make check, too
	@sh scripts/setup.sh --tests

$(stamp): scripts/setup.sh
	@sh scripts/setup.sh $(to)
	@mkdir -p $(BUILD) && touch $@

$(stamp)-silicon: scripts/setup.sh | $(stamp)
	@sh scripts/setup.sh --silicon
	@mkdir -p $(BUILD) && touch $@

$(stamp)-tests: scripts/setup.sh | $(stamp)
	@sh scripts/setup.sh --tests
	@mkdir -p $(BUILD) && touch $@

clean: ## remove everything that was built; what you generated into out/ stays
	rm -rf $(BUILD)

# --- what a newcomer wants -----------------------------------------------------

# a word that a target does not know is no wish to leave out without a word
refuse = $(foreach w,$(1),$(if $(filter command,$(firstword $(origin $(w)))), \
             $(error $(w)= has no meaning for 'make $@', see 'make help')))
sizes := PRESET SET CONFIG

STEPS ?=
jobs := python3 scripts/jobs
# ALL, UPDATE, SAMPLE, FRESH and SHARD reach it through the environment
check: all cosim-tools $(tests_bin) $(bench_bin) $(stamp)-tests ## every test (STEPS='units lint' for some; ALL=1 without ledgers; SHARD=1/4; SAMPLE=seed; JUNIT=FILE)
	$(call refuse,TARGET $(sizes))
	@$(jobs) $(if $(JUNIT),--junit '$(JUNIT)') $(STEPS)

ledger: all cosim-tools $(tests_bin) ## run what the ledgers lack and write it into them; ALL=1 all of them; STEPS=
	@$(jobs) --update --draw 0 $(or $(STEPS),units lint cosim formal area probes breaks)

demo: all cosim-tools ## kernel, annotation, RTL, lock-step, area, and a kernel on the RTL of a machine
	$(call refuse,TARGET $(sizes))
	@sh scripts/demo.sh

bench: $(bench_bin) all cosim-tools ## speeds, with parameters and seeds
	$(call refuse,TARGET $(sizes))
	@sh scripts/bench.sh

fuzz: all ## random kernels on machines; COUNT=1000 SEED= SIZE= DEVICE='golden:tiny verilator:DIR'
	@SEED=$(SEED) SIZE=$(SIZE) sh scripts/fuzz.sh '$(COUNT)' $(DEVICE)

figures: all cosim-tools $(BUILD)/tests/mpu_core/bench_core ## the papers' figures beside ours; PAGE=tom for one of docs/pages
	$(call refuse,TARGET $(sizes))
	@sh scripts/figures.sh $(PAGE)

pictures: all ## the pictures of docs/img that need no measurement
	$(call refuse,TARGET $(sizes))
	@sh scripts/pictures.sh

kernels: all ## every kernel on the plain machine: table, verdicts; RTL=1 in Verilator and Icarus, too; UPDATE=1
	@sh scripts/kernels.sh $(if $(RTL),--verilator --icarus)

# TARGET= and PRESET= narrow the next two; SET= and CONFIG= are a configuration of the user's
only = $(if $(TARGET),--target '$(TARGET)') $(if $(PRESET),--preset '$(PRESET)') \
       $(foreach s,$(SET),--set '$(s)') $(if $(CONFIG),--config '$(CONFIG)')

area: $(BUILD)/ndpgen ## size of every block against the baseline; TARGET= PRESET= UPDATE=1 LIB= REPORT=1; with SET= or CONFIG= of yours
	@sh scripts/area.sh $(only) $(if $(UPDATE),--update) $(if $(REPORT),--report) $(if $(LIB),'LIB=$(LIB)')

silicon: $(BUILD)/ndpgen $(if $(KERNEL),cosim-tools) $(stamp)-silicon ## area, clock and critical path in 0.18 um cells, of all blocks against the record; TARGET= and sizes: of one; LIB=; KERNEL=FILE.yml: its energy
	@$(if $(TARGET),python3 scripts/silicon $(only) $(if $(LIB),--lib '$(LIB)') $(if $(KERNEL),--kernel '$(KERNEL)'),$(jobs) silicon)

timing: $(BUILD)/ndpgen ## place and route, several seeds: median and worst; UPDATE=1, and the words of area
	@sh scripts/timing.sh $(only) $(if $(UPDATE),--update)

speed: all cosim-tools $(bench_bin) ## instructions of fixed work against the baseline; ITEM='nbu' UPDATE=1
	$(call refuse,TARGET $(sizes))
	@sh scripts/speed.sh $(if $(ITEM),--only '$(ITEM)') $(if $(UPDATE),--update)

sweep: all cosim-tools ## SWEEP=FILE.yml: many configurations measured into one table; OUT= JOBS=1; docs/sweep.md
	$(call refuse,TARGET $(sizes))
	@sh scripts/sweep.sh '$(or $(SWEEP),$(error no sweep, expected SWEEP=FILE.yml as docs/examples/sweep.yml))'

determinism: $(BUILD)/ndpgen ## the same bytes for every run; nothing half-written
	$(call refuse,TARGET $(sizes))
	@sh scripts/determinism.sh

formal: $(BUILD)/ndpgen ## prove the properties of every block; TARGET=
	$(call refuse,$(sizes))
	@$(jobs) formal --no-ledger --form text $(if $(TARGET),--target '$(TARGET)')

probes: all cosim-tools ## break everything once and see it caught
	@$(jobs) probes breaks --redo --slow

mutants: all cosim-tools ## lies in emitted RTL, and whether lock-step sees them: TARGET= N=100 SEED= CONFIGS=3 UPDATE=1; PRESET= SET=
	$(call refuse,CONFIG)
	@sh scripts/mutants.sh $(only) $(if $(N),--number '$(N)') \
	    $(if $(SEED),--seed '$(SEED)') $(if $(CONFIGS),--configs '$(CONFIGS)') \
	    $(if $(UPDATE),--update)

long: all cosim-tools ## long random lock-step at the papers' sizes: TARGET= CYCLES=10000000 MINUTES= SEED= UPDATE=1; docs/long.md
	$(call refuse,$(sizes))
	@sh scripts/long.sh $(if $(CYCLES),--cycles '$(CYCLES)') $(if $(MINUTES),--minutes '$(MINUTES)') \
	    $(if $(SEED),--seed '$(SEED)') $(if $(UPDATE),--update) $(TARGET)

seeds: all cosim-tools ## random runs of the golden models alone, which take no RTL, over fresh seeds: N=5 SEED= TARGET=
	$(call refuse,$(sizes))
	@sh scripts/seeds.sh $(if $(N),--number '$(N)') $(if $(SEED),--seed '$(SEED)') $(if $(TARGET),--target '$(TARGET)')

lint: $(BUILD)/ndpgen ## lint the emitted Verilog over many configurations; TARGET=
	$(call refuse,$(sizes))
	$(call refuse,$(sizes))
	@$(jobs) lint --no-ledger $(if $(TARGET),--target '$(TARGET)')

configs: all cosim-tools ## random parameters: refused with a reason, or clean and equal in lock-step; N=20 SEED= TARGET= SIM=icarus CYCLES=4000
	$(call refuse,$(sizes))
	@$(if $(SIM),SIM='$(SIM)') $(if $(CYCLES),CYCLES='$(CYCLES)') sh scripts/configs.sh \
	    $(if $(N),--number '$(N)') $(if $(SEED),--seed '$(SEED)') $(if $(TARGET),--target '$(TARGET)')

board: $(BUILD)/ndpgen ## BOARD=hx8k: bitstream of a machine for a board, its size and speed; MACHINE=mpu_core:tiny BLOCK=nbu SEEDS=8 LIMIT=1200; docs/boards.md
	$(call refuse,TARGET $(sizes))
	@sh scripts/board.sh $(if $(BOARD),'$(BOARD)') $(if $(MACHINE),--machine '$(MACHINE)') $(if $(BLOCK),--block '$(BLOCK)') \
	    $(if $(SEEDS),--seeds '$(SEEDS)') $(if $(LIMIT),--limit '$(LIMIT)')

flash: ## BOARD=hx8k: load what make board made onto the board
	$(call refuse,TARGET $(sizes))
	@sh scripts/board.sh --flash $(if $(BOARD),'$(BOARD)') $(if $(MACHINE),--machine '$(MACHINE)') $(if $(BLOCK),--block '$(BLOCK)')

site: ## the documents as a website in out/site, links checked; needs no network but for its packages
	$(call refuse,TARGET $(sizes))
	@BUILD='$(BUILD)' OUT='$(OUT)' sh scripts/site.sh

deb: all ## a Debian package of this build: out/ndpgen_VERSION-1_ARCHITECTURE.deb
	$(call refuse,TARGET $(sizes))
	@BUILD='$(BUILD)' OUT='$(OUT)' sh scripts/deb.sh $(programs) $(sim_programs)

dist: ## a source archive of the commit, the same bytes everywhere, which builds without git: out/ndpgen-VERSION.tar.gz
	$(call refuse,TARGET $(sizes))
	@OUT='$(OUT)' sh scripts/dist.sh

PREFIX ?= /usr/local
install: all ## programs, libraries, headers, manual pages, completion and documents; PREFIX= DESTDIR=
	@BUILD='$(BUILD)' PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' \
	    sh scripts/install.sh install $(programs) $(sim_programs)

uninstall: ## remove what make install puts there; PREFIX= DESTDIR=
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' \
	    sh scripts/install.sh uninstall $(programs) $(sim_programs)

# --- compiling ---------------------------------------------------------------

$(BUILD)/%.o: %.c | $(stamp) $(declared)
	$(call compile,$(LUA_CFLAGS) -Igolden -Igen -Iverilator-tb -I.)

# the towers cannot see each other: gen is compiled without golden in its path
$(patsubst %.c,$(BUILD)/%.o,$(call find,gen)): $(BUILD)/%.o: %.c | $(stamp) $(declared)
	$(call compile,-Igen $(LUA_CFLAGS))

$(golden_obj) $(sim_obj): $(BUILD)/%.o: %.c | $(stamp) $(declared)
	$(call compile,-O3 -Igolden)

$(lib_src:%.c=$(BUILD)/%.o) $(cuda_obj): $(BUILD)/%.o: %.c | $(stamp) $(declared)
	$(call compile,-O3)

# a folder is newer when something in it has gone
$(declared): scripts/blocks.sh $(defs) lib/blocks lib/shared $(wildcard gen/*/*.c)
	$(Q)sh scripts/blocks.sh $(BUILD)/lib lib/blocks && touch $@

# each of them is made anew only if it changes
$(decl_src) $(decl_src:.c=.h) $(BUILD)/lib/blocks/all.h $(BUILD)/lib/blocks/gather.def: $(declared) ;

# presets, templates and block notes travel inside the binary
embedded = $(filter-out scripts/%,$(foreach f,$^,$(if $(suffix $f),$f)))
$(BUILD)/lib/embedded_presets.c: scripts/embed.sh $(wildcard lib/config/presets/*.yml) lib/config/presets
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh embedded_presets $(embedded) > $(temp) && mv $(temp) $@

# f64 arithmetic and printf of machines
$(BUILD)/lib/embedded_ptx.c: scripts/embed.sh lib/ptx/double.ptx lib/cuda/vprintf.ptx
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh embedded_ptx $(embedded) > $(temp) && mv $(temp) $@

$(BUILD)/gen/embedded_templates.c: scripts/embed.sh $(sort $(wildcard rtl-templates/*/*.*)) $(wildcard rtl-templates/*)
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh embedded_templates $(embedded) > $(temp) && mv $(temp) $@

# besides the notes what emitted files name
named_docs := $(addprefix docs/,architecture.md isa.md run.md runtime.md)
$(BUILD)/gen/embedded_notes.c: scripts/embed.sh $(wildcard docs/blocks/*.md) $(named_docs) docs/blocks
	@mkdir -p $(@D)
	$(Q)sh scripts/embed.sh embedded_notes $(embedded) > $(temp) && mv $(temp) $@

$(decl_src:.c=.o) $(BUILD)/lib/embedded_presets.o $(BUILD)/lib/embedded_ptx.o \
    $(BUILD)/gen/embedded_templates.o $(BUILD)/gen/embedded_notes.o: \
    %.o: %.c | $(stamp) $(declared)
	$(call compile,-O3)

$(BUILD)/libndp.a: $(lib_obj)
	$(archive)

$(BUILD)/libndpcudart.a: $(cuda_obj)
	$(archive)

# libndp whole, with the golden machines; it shows what begins with ndp
$(BUILD)/libndp.so: $(libs)
	$(Q)echo '{ global: ndp[A-Z]*; local: *; };' > $(BUILD)/libndp.map
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-Bsymbolic,--version-script=$(BUILD)/libndp.map,-soname,libndp.so.1 \
	    -Wl,--whole-archive $^ -Wl,--no-whole-archive $(LDLIBS) -o $(temp) && mv $(temp) $@

# The runtime library that programs of nvcc -cudart shared load, by each version
# that its symbols may have: cudart/libcudart.so.13 and others
$(cudart): $(cuda_obj) $(libs)
	@mkdir -p $(@D)
	$(Q)echo '$(@F) { global: cuda*; __cuda*; local: *; };' > $@.map
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-Bsymbolic,--version-script=$@.map,-soname,$(@F) \
	    $(cuda_obj) $(BUILD)/libgolden.a $(BUILD)/libndp.a $(CUDA_LIBS) $(LDLIBS) -o $(temp) && mv $(temp) $@

# it finds headers and libraries beside itself
$(BUILD)/ndpcu: scripts/ndpcu.sh $(wildcard lib/cuda/include/*.* lib/cuda/include/*/*) | $(stamp)
	$(Q)rm -rf $(BUILD)/ndpcuda && cp -R lib/cuda/include $(BUILD)/ndpcuda
	$(Q)install -m 755 $< $@

$(BUILD)/libgolden.a: $(golden_obj)
	$(archive)

$(BUILD)/libgen.a: $(gen_obj)
	$(archive)

$(addprefix $(BUILD)/,$(programs)): $(BUILD)/%: $(BUILD)/libgen.a $(BUILD)/libndp.a
	$(call link,$(filter %.o,$^) $(filter %.a,$^),$(LDLIBS) $(LUA_LIBS))

$(foreach p,$(programs),$(eval $(BUILD)/$(p): $(BUILD)/gen/$(p)/$(p).o))

$(addprefix $(BUILD)/,$(sim_programs)): $(libs)
	$(call link,$(filter %.o,$^) $(filter %.a,$^),$(LDLIBS))

$(foreach p,$(sim_programs),$(eval $(BUILD)/$(p): $(filter $(BUILD)/golden/sim/$(p)/%,$(sim_obj))))
# ndpsim --preset concurrent is ndpchannel, all of it but its main
$(BUILD)/ndpsim: $(filter-out %/ndpchannel.o,$(filter $(BUILD)/golden/sim/ndpchannel/%,$(sim_obj)))

$(BUILD)/tests/cuda/test_cuda: $(BUILD)/libndpcudart.a
$(BUILD)/tests/cuda/test_cuda: LUA_LIBS += $(CUDA_LIBS)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/libgen.a $(libs)
	$(call link,$^,$(LDLIBS) $(LUA_LIBS) -lcmocka)

include verilator-tb/cosim.mk

-include $(shell find $(BUILD) -path $(BUILD)/probes -prune -o -name '*.d' -print 2>/dev/null)
