/* mpu_links.h - what joins the parts of a core of MPU: the front end, the parts on the
 * base die, and those on the DRAM die.  For CONNECT of a system (iface/system.h); c is
 * the number of the core, -1: there is one. */
#ifndef NDP_MPU_LINKS_H
#define NDP_MPU_LINKS_H

/* clang-format off */

/* The front end with the parts on the base die. */
#define MPU_FRONT_LINKS(c)                                                     \
    LINK_AT(front, c, far_code, far, c, code)                                  \
    LINK_AT(front, c, param, far, c, param)                                    \
    LINK_AT(front, c, value, far, c, value)                                    \
    LINK_AT(front, c, init, rmw, c, init)                                      \
    WIRE_AT(front, c, launch_now, far, c, launch_now)                          \
    WIRE_AT(front, c, launch_bound, far, c, launch_bound)                      \
    WIRE_AT(front, c, issue_valid, unit, c, issue_valid)                       \
    WIRE_AT(unit, c, issue_ready, front, c, issue_ready)                       \
    WIRE_AT(front, c, issue_warp, unit, c, issue_warp)                         \
    WIRE_AT(front, c, issue_tag, unit, c, issue_tag)                           \
    WIRE_AT(front, c, issue_op, unit, c, issue_op)                             \
    WIRE_AT(front, c, issue_hint, unit, c, issue_hint)                         \
    WIRE_AT(front, c, issue_mask, unit, c, issue_mask)                         \
    WIRE_AT(front, c, issue_dst, unit, c, issue_dst)                           \
    WIRE_AT(front, c, issue_src0, unit, c, issue_src0)                         \
    WIRE_AT(front, c, issue_src1, unit, c, issue_src1)                         \
    WIRE_AT(front, c, issue_src2, unit, c, issue_src2)                         \
    WIRE_AT(front, c, issue_guard, unit, c, issue_guard)                       \
    LINK_AT(unit, c, commit, front, c, commit)                                 \
    LINK_AT(far, c, resolve, front, c, resolve)                                \
    LINK_AT(far, c, fault, front, c, far_fault)

/* ... and with those on the DRAM die; shared memory, with its windows and faults, is on
 * one of the dies. */
#define MPU_FRONT_NEAR_LINKS(c)                                                \
    LINK_AT(front, c, near_code, pipes, c, code)                               \
    if (P(far_pipe_shared_words) > 0) {                                        \
        LINK_AT(front, c, window, far, c, window)                              \
        LINK_AT(far, c, shared_fault, front, c, near_fault)                    \
        CLOSE_AT(pipes, c, window) CLOSE_AT(pipes, c, fault)                   \
    } else {                                                                   \
        LINK_AT(front, c, window, pipes, c, window)                            \
        LINK_AT(pipes, c, fault, front, c, near_fault)                         \
        CLOSE_AT(far, c, window) CLOSE_AT(far, c, shared_fault)                \
    }

/* The parts behind the front end, but for registers on the DRAM die, and for what lsu_rmw
 * and lsu_link say to each other, between which somebody may stand. */
#define MPU_BACK_LINKS(c)                                                      \
    LINK_AT(unit, c, far_exec, far, c, exec)                                   \
    LINK_AT(far, c, done, unit, c, far_done)                                   \
    LINK_AT(far, c, ask, rmw, c, ask)                                          \
    WIRE_AT(far, c, access_valid, rmw, c, access_valid)                        \
    WIRE_AT(rmw, c, access_ready, far, c, access_ready)                        \
    WIRE_AT(rmw, c, hybrid_valid, hybrid, c, access_valid)                     \
    WIRE_AT(hybrid, c, access_ready, rmw, c, hybrid_ready)                     \
    WIRE_AT(far, c, access_store, hybrid, c, access_store)                     \
    WIRE_AT(far, c, access_warp, hybrid, c, access_warp)                       \
    WIRE_AT(far, c, access_reg, hybrid, c, access_reg)                         \
    WIRE_AT(far, c, access_mask, hybrid, c, access_mask)                       \
    WIRE_AT(far, c, access_address, hybrid, c, access_address)                 \
    LINK_AT(hybrid, c, done, rmw, c, done)                                     \
    LINK_AT(rmw, c, ended, far, c, ended)                                      \
    WIRE_AT(link, c, done_valid, far, c, carried_valid)                        \
    WIRE_AT(link, c, done_warp, far, c, carried_warp)                          \
    WIRE_AT(link, c, done_fault, far, c, carried_fault)                        \
    /* far_pipe knows register and kind */ CLOSE_AT(link, c, done)             \
    LINK_AT(hybrid, c, down, rmw, c, tx)                                       \
    LINK_AT(rmw, c, back, hybrid, c, answer)                                   \
    LINK_AT(link, c, lsu_down, unit, c, lsu_down)                              \
    LINK_AT(unit, c, lsu_near, link, c, lsu_near)                              \
    LINK_AT(link, c, lsu_up, unit, c, lsu_up)                                  \
    LINK_AT(unit, c, lsu_far, link, c, lsu_far)                                \
    LINK_AT(link, c, ext_down, ext, c, down)                                   \
    LINK_AT(ext, c, answer, link, c, ext_answer)                               \
    LINK_AT(ext, c, done, link, c, ext_done)                                   \
    LINK_AT(ext, c, fetch, link, c, ext_fetch)                                 \
    LINK_AT(link, c, ext_fetched, ext, c, fetched)                             \
    LINK_AT(ext, c, load, link, c, ext_load)                                   \
    WIRE_AT(ext, c, mem_valid, banks, c, mem_valid)                            \
    WIRE_AT(banks, c, mem_ready, ext, c, mem_ready)                            \
    WIRE_AT(ext, c, mem_store, banks, c, mem_store)                            \
    WIRE_AT(ext, c, mem_id, banks, c, mem_id)                                  \
    WIRE_AT(ext, c, mem_address, banks, c, mem_address)                        \
    WIRE_AT(ext, c, mem_strobe, banks, c, mem_strobe)                          \
    WIRE_AT(ext, c, mem_data, banks, c, mem_data)                              \
    WIRE_AT(banks, c, rsp_valid, ext, c, rsp_valid)                            \
    WIRE_AT(banks, c, rsp_id, ext, c, rsp_id)                                  \
    WIRE_AT(banks, c, rsp_fault, ext, c, rsp_fault)                            \
    WIRE_AT(banks, c, rsp_data, ext, c, rsp_data)

/* ... with the pipelines and registers on the DRAM die. */
#define MPU_BACK_NEAR_LINKS(c)                                                 \
    LINK_AT(unit, c, far_read, far, c, read)                                   \
    LINK_AT(far, c, data, unit, c, far_data)                                   \
    LINK_AT(unit, c, far_write, far, c, write)                                 \
    LINK_AT(unit, c, near_exec, pipes, c, exec)                                \
    LINK_AT(pipes, c, done, unit, c, near_done)                                \
    LINK_AT(unit, c, near_read, pipes, c, read)                                \
    LINK_AT(pipes, c, data, unit, c, near_data)                                \
    LINK_AT(unit, c, near_write, pipes, c, write)                              \
    LINK_AT(rmw, c, row, far, c, init)                                         \
    LINK_AT(hybrid, c, strided, link, c, strided)                              \
    LINK_AT(hybrid, c, fetch, link, c, fetch)                                  \
    LINK_AT(link, c, fetched, hybrid, c, fetched)                              \
    LINK_AT(hybrid, c, write, link, c, write)                                  \
    LINK_AT(link, c, pipe_fetch, pipes, c, fetch)                              \
    LINK_AT(pipes, c, fetched, link, c, pipe_fetched)                          \
    LINK_AT(link, c, pipe_load, pipes, c, load)

/* What a host reads and counts of a machine with one core; nobody reads its registers. */
#define MPU_HOST_LINKS                                                         \
    LINK(host, win, banks, win) LINK(banks, read, host, read)                  \
    WIRE(front, state, host, core_state) WIRE(front, halted, host, core_halted) \
    WIRE(front, quiet, host, core_quiet)                                       \
    WIRE(front, fault_cause, host, core_fault_cause)                           \
    WIRE(front, fault_warp, host, core_fault_warp)                             \
    WIRE(front, fault_pc, host, core_fault_pc)                                 \
    WIRE(front, fault_address, host, core_fault_address)                       \
    CLOSE(host, debug)                                                         \
    WIRE(front, count_issued, host, count_issued)                              \
    WIRE(front, count_idle, host, count_idle)                                  \
    WIRE(front, count_blocked, host, count_blocked)                            \
    WIRE(front, count_diverged, host, count_diverged)                          \
    WIRE(front, count_cta, host, count_cta)                                    \
    WIRE(front, count_barrier, host, count_barrier)                            \
    TIE(host, count_request, 0) TIE(host, count_conflict, 0) TIE(host, count_returned, 0) \
    TIE(host, shape_lanes, (uint64_t)P(nbu_lanes))                             \
    TIE(host, shape_alus, (uint64_t)P(far_pipe_alus))                          \
    TIE(host, shape_registers, (uint64_t)P(nbu_registers) - 8)                 \
    TIE(host, shape_stack, (uint64_t)P(frontend_stack))                        \
    TIE(host, shape_param_words, (uint64_t)P(frontend_params))                 \
    TIE(host, shape_shared_words, (uint64_t)P(frontend_shared_words))          \
    TIE(host, shape_ctas, (uint64_t)P(frontend_ctas))                          \
    TIE(host, shape_memory_words,                                              \
        (uint64_t)P(vault_units) * (uint64_t)P(vault_banks) * (uint64_t)P(vault_rows) * \
        (uint64_t)(P(vault_sector) / 4) << P(bank_column_bits))

#endif
