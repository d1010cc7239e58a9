/* def_clear.h - forget the line kinds, so that the next expansion starts
 * afresh. */
#undef LOCAL
#undef CHECK
#undef GROUP
#undef IN
#undef OUT
#undef WIDE_IN
#undef WIDE_OUT
#undef SETTING
#undef COUNTER
#undef MEMORY
#undef EVENT
#undef COVER
