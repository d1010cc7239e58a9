-- What the templates of this room share.

-- classes that only the far bank executes
far_set = string.format("%08x", P["nbu.far_set"])
