// A goal can be reached when its opposite, as a property, fails.
(* techmap_celltype = "$cover" *)
module cover_to_assert (
    input wire A,  // the goal
    input wire EN  // where it counts
);
    \$assert goal (.A (!A), .EN (EN));
endmodule
