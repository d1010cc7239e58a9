# vivado.tcl - bitstream of an Arty A7-100T, in the folder that
# 'make board BOARD=arty' filled:
#
#     vivado -mode batch -source vivado.tcl
#
# Written for Vivado and not tried: the project's own checks end with Yosys.

set part xc7a100tcsg324-1

set list [open synth.f]
foreach file [split [string trim [read $list]] "\n"] {
    read_verilog $file
}
close $list
read_xdc arty.xdc

synth_design -top top -part $part
opt_design
place_design
phys_opt_design
route_design

report_utilization -file arty.utilization.txt
report_timing_summary -file arty.timing.txt
write_bitstream -force arty.bit
