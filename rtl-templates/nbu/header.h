//% local function define(name, value)
#define ${prefix:upper()}NDP_NBU_${name} ${value}
//% end
/* Operand: {valid, kind, register}; kind 0 row, 1 pair, 2 predicate. */
//% define("OPERAND_REG_LSB", record.operand.reg.lsb)
//% define("OPERAND_KIND_LSB", record.operand.kind.lsb)
//% define("OPERAND_VALID_LSB", record.operand.valid.lsb)

/* Ticket: {written, near, epoch, register}. */
//% define("TICKET_REG_LSB", record.ticket.reg.lsb)
//% define("TICKET_EPOCH_LSB", record.ticket.epoch.lsb)
//% define("TICKET_NEAR_LSB", record.ticket.near.lsb)
//% define("TICKET_WRITTEN_LSB", record.ticket.written.lsb)

/* Instruction classes. */
//% for i, c in ipairs(classes) do
//%     define("CLASS_" .. c.name:upper(), i - 1 .. " /* " .. c.doc .. " */")
//% end
