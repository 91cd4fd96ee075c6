#include <popt.h>

/* `poptOption` is both a struct tag and a pointer typedef in popt.h; Swift can only see one of the two. */
typedef struct poptOption popt_option_entry;
