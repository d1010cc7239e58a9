-- What the templates of this room share.

-- classes that only the far bank executes
far_set = string.format("%08x", P["nbu.far_set"])

-- classes that only the near bank executes, if there are any
near_set = P["nbu.near_set"] ~= 0 and string.format("%08x", P["nbu.near_set"])
