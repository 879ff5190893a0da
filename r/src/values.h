/* Values of R to those of the interface, and back. */
#ifndef CAVITY_R_VALUES_H
#define CAVITY_R_VALUES_H

#include <Rinternals.h>

#include "interface.h"

/* Adds the items of a named list of R; vectors stay R's. */
void add_items(SEXP from, cavity_value* list);
SEXP as_r(const cavity_value* value);

#endif
