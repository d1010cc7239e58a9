//% output("formal/ndp_offload_fold_formal.vh")
${header{title = "what is proved of ndp_offload_fold", text = [[
Bit i of the stack is the parity of the bits i, i + STACK_W, ... of the line.  It has no
clock: this is proved in the modules that use it.]]}}
//% for i = 0, L.STACK_W - 1 do
//%     local terms = {}
//%     for b = i, L.LINE_W - 1, L.STACK_W do terms[#terms + 1] = "line[" .. b .. "]" end
    always @* p_bit_${i}: assert (stack[${i}] == ^{
        ${joined(terms, ",", 0)}});
//% end
