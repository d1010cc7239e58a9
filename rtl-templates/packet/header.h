/* ComputePacket: lowest bit and bits of each field. */
${layout(record.packet, prefix:upper():gsub("[^A-Z0-9]", "_") .. "NDP_PACKET_")}
