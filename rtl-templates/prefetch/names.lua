-- What the templates of this room share.

-- bits of a divisor inside the block, under 'reciprocal' on a scale that all
-- images share
held_divisor_w = L.RECIPROCAL == 1 and L.SIZE_W + 1 + L.PITCH_W or L.DIVISOR_W
