/* def_clear.h - forget the line kinds, so that the next expansion starts
 * afresh. */
#undef LOCAL
#undef CHECK
#undef VERIFY
#undef GROUP
#undef IN
#undef OUT
#undef WIDE_IN
#undef WIDE_OUT
#undef SETTING
#undef COUNTER
#undef MEMORY
#undef FIGURE
#undef EVENT
#undef COVER
