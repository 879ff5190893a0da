#include "values.h"

#include <R_ext/Utils.h>
#include <string.h>

static const char* name_of(SEXP list, R_xlen_t at) {
  SEXP names = Rf_getAttrib(list, R_NamesSymbol);
  return names == R_NilValue ? "" : Rf_translateCharUTF8(STRING_ELT(names, at));
}

static void add_texts(SEXP from, const char* name, cavity_value* list) {
  cavity_value* texts = cavity_list_add_texts(list, name);
  int enough = texts != NULL;
  for (R_xlen_t at = 0; enough && at < XLENGTH(from); ++at) {
    SEXP one = STRING_ELT(from, at);
    const void* mark = vmaxget();
    enough = cavity_texts_add(texts, one == NA_STRING ? NULL : Rf_translateCharUTF8(one));
    vmaxset(mark);
  }
  if (!enough) Rf_error("not enough memory");
}

static void add_item(SEXP item, const char* name, cavity_value* list) {
  const size_t rows = Rf_isMatrix(item) ? (size_t)Rf_nrows(item) : 0;
  const size_t length = (size_t)Rf_xlength(item);
  int enough = 1;
  switch (TYPEOF(item)) {
    case NILSXP:
      return; /* what is not said is not there */
    case REALSXP:
      enough = cavity_list_add_numbers(list, name, REAL(item), length, rows);
      break;
    case INTSXP:
      enough = cavity_list_add_integers(list, name, INTEGER(item), length, rows);
      break;
    case LGLSXP:
      enough = cavity_list_add_flags(list, name, LOGICAL(item), length);
      break;
    case RAWSXP:
      enough = cavity_list_add_bytes(list, name, RAW(item), length);
      break;
    case STRSXP:
      add_texts(item, name, list);
      break;
    case EXTPTRSXP: {
      const cavity_object* object = R_ExternalPtrAddr(item);
      if (object == NULL) Rf_error("the fitted model is gone");
      enough = cavity_list_add_object(list, name, object);
      break;
    }
    case VECSXP: {
      cavity_value* inner = cavity_list_add_list(list, name);
      enough = inner != NULL;
      if (enough) add_items(item, inner);
      break;
    }
    default:
      Rf_error("'%s' cannot be passed to the library", name);
  }
  if (!enough) Rf_error("not enough memory");
}

void add_items(SEXP from, cavity_value* list) {
  for (R_xlen_t at = 0; at < XLENGTH(from); ++at) {
    const void* mark = vmaxget();
    add_item(VECTOR_ELT(from, at), name_of(from, at), list);
    vmaxset(mark);
  }
}

static void free_object(SEXP pointer) {
  cavity_object_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static SEXP object_as_r(const cavity_value* value) {
  SEXP out = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(out, free_object, TRUE);
  R_SetExternalPtrAddr(out, cavity_value_object(value));
  if (R_ExternalPtrAddr(out) == NULL) Rf_error("not enough memory");
  UNPROTECT(1);
  return out;
}

static SEXP list_as_r(const cavity_value* value) {
  const size_t length = cavity_value_length(value);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)length));
  SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)length));
  int named = 0;
  for (size_t at = 0; at < length; ++at) {
    const char* name = cavity_value_name(value, at);
    named = named || name[0] != '\0';
    SET_VECTOR_ELT(out, (R_xlen_t)at, as_r(cavity_value_item(value, at)));
    SET_STRING_ELT(names, (R_xlen_t)at, Rf_mkCharCE(name, CE_UTF8));
  }
  if (named) Rf_setAttrib(out, R_NamesSymbol, names);
  UNPROTECT(2);
  return out;
}

static SEXP texts_as_r(const cavity_value* value) {
  const size_t length = cavity_value_length(value);
  SEXP out = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)length));
  for (size_t at = 0; at < length; ++at) {
    const char* text = cavity_value_text(value, at);
    SET_STRING_ELT(out, (R_xlen_t)at, text == NULL ? NA_STRING : Rf_mkCharCE(text, CE_UTF8));
  }
  UNPROTECT(1);
  return out;
}

static void* elements_of(SEXP vector) {
  switch (TYPEOF(vector)) {
    case REALSXP:
      return REAL(vector);
    case LGLSXP:
      return LOGICAL(vector);
    case RAWSXP:
      return RAW(vector);
    default:
      return INTEGER(vector);
  }
}

/* `from` has `length` values of `size` bytes. */
static SEXP vector_as_r(const cavity_value* value, SEXPTYPE type, const void* from, size_t size) {
  const size_t length = cavity_value_length(value), rows = cavity_value_rows(value);
  SEXP out = PROTECT(rows > 0 ? Rf_allocMatrix(type, (int)rows, (int)(length / rows))
                              : Rf_allocVector(type, (R_xlen_t)length));
  if (length > 0) memcpy(elements_of(out), from, length * size);
  UNPROTECT(1);
  return out;
}

SEXP as_r(const cavity_value* value) {
  switch (cavity_value_kind(value)) {
    case CAVITY_NUMBERS:
      return vector_as_r(value, REALSXP, cavity_value_numbers(value), sizeof(double));
    case CAVITY_INTEGERS:
      return vector_as_r(value, INTSXP, cavity_value_integers(value), sizeof(int));
    case CAVITY_FLAGS:
      return vector_as_r(value, LGLSXP, cavity_value_integers(value), sizeof(int));
    case CAVITY_BYTES:
      return vector_as_r(value, RAWSXP, cavity_value_bytes(value), 1);
    case CAVITY_TEXTS:
      return texts_as_r(value);
    case CAVITY_LIST:
      return list_as_r(value);
    case CAVITY_OBJECT:
      return object_as_r(value);
    default:
      return R_NilValue;
  }
}
