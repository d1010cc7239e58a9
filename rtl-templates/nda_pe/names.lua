-- The microcode of docs/blocks/nda_pe.md, and how it becomes words.

-- A step: what it is for people, and its fields; those that are not given are 0.
local function load(operand, text, fields)
    fields.operand, fields.text = operand, "load " .. text
    return fields
end

local function store(operand, text)
    return {operand = operand, text = "store " .. text, store = 1, last = 1, final = 1}
end

local X, Y, Z, W, A = 0, 1, 2, 3, 2
local PRODUCT, ADDED = 1, 2
local ALPHA, BETA, GAMMA, SELF, BUFFERED, SCRATCHED = 0, 1, 2, 3, 4, 5
local SCRATCH, SUMS = 1, 2

-- In the order of the operations' codes.
microcode = {
    {name = "AXPBY",
     load(X, "x: B = a x", {how = PRODUCT, factor = ALPHA}),
     load(Y, "y: B = b y + B", {how = ADDED, factor = BETA}),
     store(Z, "z")},
    {name = "AXPBYPCZ",
     load(X, "x: B = a x", {how = PRODUCT, factor = ALPHA}),
     load(Y, "y: B = b y + B", {how = ADDED, factor = BETA}),
     load(Z, "z: B = c z + B", {how = ADDED, factor = GAMMA}),
     store(W, "w")},
    {name = "AXPY",
     load(X, "x: B = x", {}),
     load(Y, "y: B = a y + B", {how = ADDED, factor = ALPHA}),
     store(Y, "y")},
    {name = "COPY",
     load(X, "x: B = x", {}),
     store(Y, "y")},
    {name = "XMY",
     load(X, "x: B = x", {}),
     load(Y, "y: B = y B", {how = PRODUCT, factor = BUFFERED}),
     store(Z, "z")},
    {name = "DOT",
     load(X, "x: B = x", {}),
     load(Y, "y: T = y B + T",
          {how = ADDED, factor = BUFFERED, target = SUMS, last = 1, final = 1})},
    {name = "NRM2",
     load(X, "x: T = x x + T",
          {how = ADDED, factor = SELF, target = SUMS, last = 1, final = 1})},
    {name = "SCAL",
     load(X, "x: B = a x", {how = PRODUCT, factor = ALPHA}),
     store(X, "x")},
    {name = "GEMV",
     load(X, "x: S = x", {target = SCRATCH}),
     load(A, "a row of A: T = A S + T",
          {how = ADDED, factor = SCRATCHED, target = SUMS, rows = 1, last = 1}),
     {operand = Y, text = "store y", store = 1, final = 1}},
}

-- The step as a word, by the fields of the record.
function step_word(step)
    local word = 0
    for _, f in ipairs(record.step.list) do
        word = word + ((step[f.name] or 0) << f.lsb)
    end
    return hex(L.STEP_W, word)
end

-- The first step of an operation.
function entry_of(name)
    local at = 0
    for _, o in ipairs(microcode) do
        if o.name == name then
            return at
        end
        at = at + #o
    end
    return nil
end

-- The bits of a field of a word.
function field(word, name)
    local f = record.step[name]
    return f.width == 1 and word .. "[" .. f.lsb .. "]"
                         or word .. "[" .. f.msb .. ":" .. f.lsb .. "]"
end

FIRES_W = L.ITERATIVE == 1 and 1 or L.LATENCY
