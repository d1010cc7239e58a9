-- What the templates of this room share.

-- In another form, made early in a cycle: bit by bit, and per stack.
settings_ahead = { limit = true, map_bit = true }
