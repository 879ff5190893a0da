/* Between R and the library: C, so that no exception comes out of it and no long jump of R goes over C++. The C++ side
   knows nothing of R, the C side (call.c, values.c) owns what it gets through external pointers, and what is in use
   when R jumps is freed by their finalizers. */
#ifndef CAVITY_R_INTERFACE_H
#define CAVITY_R_INTERFACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cavity_value cavity_value;   /* a vector, or a list of values by name */
typedef struct cavity_object cavity_object; /* a fit or a model */
typedef struct cavity_job cavity_job;       /* one call: its name, its arguments, its thread and what came of it */

enum cavity_kind {
  CAVITY_NOTHING,
  CAVITY_NUMBERS,
  CAVITY_INTEGERS,
  CAVITY_FLAGS,
  CAVITY_TEXTS,
  CAVITY_BYTES,
  CAVITY_LIST,
  CAVITY_OBJECT
};

int cavity_value_kind(const cavity_value* value);
size_t cavity_value_length(const cavity_value* value);
size_t cavity_value_rows(const cavity_value* value); /* of a matrix by columns; 0: it is none */
const double* cavity_value_numbers(const cavity_value* value);
const int* cavity_value_integers(const cavity_value* value); /* of flags, too */
const unsigned char* cavity_value_bytes(const cavity_value* value);
const char* cavity_value_text(const cavity_value* value, size_t at); /* UTF-8; NULL: missing */
const char* cavity_value_name(const cavity_value* value, size_t at);
const cavity_value* cavity_value_item(const cavity_value* value, size_t at);
cavity_object* cavity_value_object(const cavity_value* value); /* for the caller to free; NULL: no memory */
void cavity_object_free(cavity_object* object);

/* NULL or 0: no memory. */
cavity_job* cavity_job_new(const char* work);
cavity_value* cavity_job_arguments(cavity_job* job);
/* Vectors are borrowed until the job is freed; rows as of cavity_value_rows. */
int cavity_list_add_numbers(cavity_value* list, const char* name, const double* values, size_t length, size_t rows);
int cavity_list_add_integers(cavity_value* list, const char* name, const int* values, size_t length, size_t rows);
int cavity_list_add_flags(cavity_value* list, const char* name, const int* values, size_t length);
int cavity_list_add_bytes(cavity_value* list, const char* name, const unsigned char* values, size_t length);
int cavity_list_add_object(cavity_value* list, const char* name, const cavity_object* object);
cavity_value* cavity_list_add_list(cavity_value* list, const char* name);
cavity_value* cavity_list_add_texts(cavity_value* list, const char* name);
int cavity_texts_add(cavity_value* texts, const char* text); /* NULL: missing */

int cavity_job_start(cavity_job* job);                   /* 0: no thread */
int cavity_job_wait(cavity_job* job, int milliseconds);  /* 1: it has ended */
void cavity_job_stop(cavity_job* job);                   /* it ends soon */
int cavity_job_progress(cavity_job* job, double two[2]); /* done and all; 0: nothing new */
/* Of one that has ended. */
enum cavity_outcome {
  CAVITY_DONE,
  CAVITY_INTERNAL_ERROR,
  CAVITY_USAGE_ERROR,
  CAVITY_INPUT_ERROR,
  CAVITY_IO_ERROR = 5,
  CAVITY_INTERRUPTED
};
int cavity_job_outcome(const cavity_job* job);
const char* cavity_job_message(const cavity_job* job);
const cavity_value* cavity_job_result(const cavity_job* job);
void cavity_job_free(cavity_job* job); /* stops it first and waits for its end */

#ifdef __cplusplus
}
#endif
#endif
