/* Metadata entry: lowest bit and bits of each field. */
${layout(record.entry, prefix:upper():gsub("[^A-Z0-9]", "_") .. "NDP_OFFLOAD_ENTRY_")}
