# cosim.mk - lock-step of golden blocks and RTL; included by the Makefile.
#
# Bench, models and ground floor are what the programs link, too: Icarus loads them
# as a VPI module.  scripts/cosim.sh does what depends on a configuration.

tb_obj    := $(patsubst %.c,$(BUILD)/%.o,$(filter-out verilator-tb/bench/dut_%,$(call find,verilator-tb)))
bench_obj := $(lib_obj) $(golden_obj) $(tb_obj)

# words of the command line that scripts/cosim.sh understands
cosim_words := TARGET SIM PRESET CONFIG SET RTL STIM RUN SIZE COUNT KERNEL \
               SEED CYCLES EVENTS VALUES TRACE FROM JSON REQUIRE_COVER WAVE CHECKS

.PHONY: cosim cosim-tools
cosim: cosim-tools ## RTL against the model: TARGET= SIM= PRESET= SET= SEED= CYCLES= RTL= RUN= KERNEL= JSON= and more: docs/cosim.md
	@sh scripts/cosim.sh \
	    $(foreach w,$(cosim_words),$(if $($(w)),'$(w)=$($(w))'))

cosim-tools: $(BUILD)/ndpgen $(BUILD)/libbench.a $(BUILD)/ndp_bench.vpi $(BUILD)/cosim_golden

$(tb_obj) $(BUILD)/verilator-tb/bench/dut_golden.o: $(BUILD)/%.o: %.c | $(stamp) $(declared)
	$(call compile,-O3 -Igolden -Iverilator-tb -I.)

# vpi_user.h of Icarus 11 is not pedantic
$(BUILD)/verilator-tb/bench/dut_icarus.o: verilator-tb/bench/dut_icarus.c | $(stamp) $(declared)
	$(call compile,-O3 -isystem /usr/include/iverilog -Igolden -Iverilator-tb)

$(BUILD)/libbench.a: $(bench_obj)
	$(archive)

$(BUILD)/ndp_bench.vpi: $(BUILD)/verilator-tb/bench/dut_icarus.o $(BUILD)/libbench.a
	$(call link,-shared -Wl$(comma)-Bsymbolic $^,$(LDLIBS))

$(BUILD)/cosim_golden: $(BUILD)/verilator-tb/bench/dut_golden.o $(BUILD)/libbench.a
	$(call link,$^,$(LDLIBS))

# --- tests of the bench -------------------------------------------------------

# the toy block stands in for all blocks
toy_obj := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/toy/*.c))

$(toy_obj): INCLUDES += -Itests/bench/toy
$(BUILD)/tests/bench/test_bench.o $(BUILD)/tests/bench/test_cosim.o: INCLUDES += -Itests/bench/toy

$(BUILD)/libtoy.a: $(toy_obj) $(filter-out %/bench/blocks.o,$(bench_obj))
	$(archive)

$(BUILD)/ndp_toy.vpi: $(BUILD)/verilator-tb/bench/dut_icarus.o $(BUILD)/libtoy.a
	$(call link,-shared -Wl$(comma)-Bsymbolic $^,$(LDLIBS))

$(BUILD)/cosim_toy: $(BUILD)/verilator-tb/bench/dut_golden.o $(BUILD)/libtoy.a
	$(call link,$^,$(LDLIBS))

$(BUILD)/tests/bench/test_bench $(BUILD)/tests/bench/test_cosim: $(BUILD)/tests/%: \
    $(BUILD)/tests/%.o $(BUILD)/libtoy.a $(BUILD)/ndp_toy.vpi $(BUILD)/cosim_toy
	$(call link,$(filter %.o %.a,$^),$(LDLIBS) -lcmocka)

$(BUILD)/tests/%/test_stim: $(BUILD)/tests/%/test_stim.o $(BUILD)/libbench.a
	$(call link,$^,$(LDLIBS) -lcmocka)

# what is emitted of a system beside what is modelled
$(BUILD)/tests/%/test_system: $(BUILD)/tests/%/test_system.o $(BUILD)/libgen.a $(BUILD)/libbench.a
	$(call link,$^,$(LDLIBS) $(LUA_LIBS) -lcmocka)
