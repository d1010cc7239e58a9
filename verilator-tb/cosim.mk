# cosim.mk - lock-step of golden blocks and RTL; included by the Makefile.
#
# Bench, models and ground floor are compiled once more as position-independent
# code: Icarus loads them as a VPI module, and Verilator's program links the
# very same objects.  scripts/cosim.sh does what depends on a configuration.

tb_src  := $(filter-out verilator-tb/bench/dut_%,$(call find,verilator-tb))
pic_obj := $(patsubst %.c,$(BUILD)/pic/%.o,$(lib_src) $(golden_src) $(tb_src)) \
           $(patsubst $(BUILD)/lib/%.c,$(BUILD)/pic/lib/%.o,$(decl_src)) \
           $(BUILD)/pic/embedded_presets.o
PIC     := -O3 -fPIC -fno-semantic-interposition

# words of the command line that scripts/cosim.sh understands
cosim_words := TARGET SIM PRESET CONFIG SET RTL STIM RUN SIZE COUNT KERNEL \
               SEED CYCLES EVENTS VALUES FROM JSON REQUIRE_COVER WAVE CHECKS

.PHONY: cosim cosim-tools
cosim: cosim-tools ## RTL against the model: TARGET= SIM= PRESET= SET= SEED= CYCLES= RTL= RUN= KERNEL= JSON= and more: docs/cosim.md
	@sh scripts/cosim.sh \
	    $(foreach w,$(cosim_words),$(if $($(w)),'$(w)=$($(w))'))

cosim-tools: $(BUILD)/ndpgen $(BUILD)/libbench.a $(BUILD)/ndp_bench.vpi $(BUILD)/cosim_golden

$(BUILD)/pic/%.o: %.c | $(stamp) $(declared)
	@mkdir -p $(@D)
	@echo "  cc $<" $(to)
	$(Q)$(CC) $(C_STD) $(WARN) $(CFLAGS) $(PIC) $(INCLUDES) -Igolden -Iverilator-tb -Ikernels -I. \
	    -MMD -MP -c $< -o $@

$(BUILD)/pic/lib/blocks/%.o: $(BUILD)/lib/blocks/%.c | $(stamp)
	@mkdir -p $(@D)
	@echo "  cc $<" $(to)
	$(Q)$(CC) $(C_STD) $(WARN) $(CFLAGS) $(PIC) $(INCLUDES) -MMD -MP -c $< -o $@

$(BUILD)/pic/embedded_presets.o: $(BUILD)/lib/embedded_presets.c | $(stamp)
	@mkdir -p $(@D)
	@echo "  cc $<" $(to)
	$(Q)$(CC) $(C_STD) $(WARN) $(CFLAGS) $(PIC) $(INCLUDES) -c $< -o $@

# vpi_user.h of Icarus 11 is not pedantic
$(BUILD)/pic/verilator-tb/bench/dut_icarus.o: verilator-tb/bench/dut_icarus.c | $(stamp) $(declared)
	@mkdir -p $(@D)
	@echo "  cc $<" $(to)
	$(Q)$(CC) $(C_STD) $(WARN) $(CFLAGS) $(PIC) $(INCLUDES) -isystem /usr/include/iverilog \
	    -Igolden -Iverilator-tb -MMD -MP -c $< -o $@

$(BUILD)/libbench.a: $(pic_obj)
	$(Q)rm -f $@ && ar qcs $@ $^

$(BUILD)/ndp_bench.vpi: $(BUILD)/pic/verilator-tb/bench/dut_icarus.o $(BUILD)/libbench.a
	$(Q)$(CC) -shared -Wl,-Bsymbolic $^ $(LDLIBS) -o $@

$(BUILD)/cosim_golden: $(BUILD)/pic/verilator-tb/bench/dut_golden.o $(BUILD)/libbench.a
	$(Q)$(CC) $^ $(LDLIBS) -o $@

# --- tests of the bench -------------------------------------------------------

# the toy block stands in for all blocks
toy_obj := $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard tests/bench/toy/*.c))

$(toy_obj): INCLUDES += -Itests/bench/toy
$(BUILD)/tests/bench/test_bench.o $(BUILD)/tests/bench/test_cosim.o: INCLUDES += -Itests/bench/toy

$(BUILD)/libtoy.a: $(toy_obj) $(filter-out %/bench/blocks.o,$(pic_obj))
	$(Q)rm -f $@ && ar qcs $@ $^

$(BUILD)/ndp_toy.vpi: $(BUILD)/pic/verilator-tb/bench/dut_icarus.o $(BUILD)/libtoy.a
	$(Q)$(CC) -shared -Wl,-Bsymbolic $^ $(LDLIBS) -o $@

$(BUILD)/cosim_toy: $(BUILD)/pic/verilator-tb/bench/dut_golden.o $(BUILD)/libtoy.a
	$(Q)$(CC) $^ $(LDLIBS) -o $@

$(BUILD)/tests/bench/test_bench $(BUILD)/tests/bench/test_cosim: $(BUILD)/tests/%: \
    $(BUILD)/tests/%.o $(BUILD)/libtoy.a $(BUILD)/ndp_toy.vpi $(BUILD)/cosim_toy
	$(Q)$(CC) $(CFLAGS) $(filter %.o %.a,$^) $(LDLIBS) -lcmocka -o $@

$(BUILD)/tests/%/test_stim: $(BUILD)/tests/%/test_stim.o $(BUILD)/libbench.a
	$(Q)$(CC) $(CFLAGS) $^ $(LDLIBS) -lcmocka -o $@

# what is emitted of a system beside what is modelled
$(BUILD)/tests/%/test_system: $(BUILD)/tests/%/test_system.o $(BUILD)/libgen.a $(BUILD)/libbench.a
	$(Q)$(CC) $(CFLAGS) $^ $(LDLIBS) $(LUA_LIBS) -lcmocka -o $@
