/* .Call(cavity_call, work, arguments, progress): runs one work of the library. While it runs, R's thread looks for
   Ctrl-C and calls progress(done, all). The answer is list(outcome, message, result); R code makes conditions of it. */
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>

#include "interface.h"
#include "values.h"

enum { poll_milliseconds = 50 };

static void free_job(SEXP pointer) {
  cavity_job* job = R_ExternalPtrAddr(pointer);
  if (job != NULL) cavity_job_free(job);
  R_ClearExternalPtr(pointer);
}

static void check_interrupt(void* unused) {
  (void)unused;
  R_CheckUserInterrupt();
}

/* 0 where the function failed; its error is kept for later. */
static int show(SEXP progress, const double two[2]) {
  if (progress == R_NilValue) return 1;
  int failed = 0;
  SEXP done = PROTECT(Rf_ScalarReal(two[0])), all = PROTECT(Rf_ScalarReal(two[1]));
  SEXP call = PROTECT(Rf_lang3(progress, done, all));
  R_tryEval(call, R_GlobalEnv, &failed);
  UNPROTECT(3);
  return !failed;
}

/* The outcome: CAVITY_INTERRUPTED also where progress() failed. */
static int attend(cavity_job* job, SEXP progress) {
  int stopped = 0;
  double two[2];
  while (!cavity_job_wait(job, poll_milliseconds)) {
    const int news = cavity_job_progress(job, two);
    if (stopped) continue;
    stopped = !R_ToplevelExec(check_interrupt, NULL) || (news && !show(progress, two));
    if (stopped) cavity_job_stop(job);
  }
  if (stopped) return CAVITY_INTERRUPTED;
  if (cavity_job_progress(job, two)) show(progress, two);
  return cavity_job_outcome(job);
}

static SEXP cavity_call(SEXP work, SEXP arguments, SEXP progress) {
  SEXP owner = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, arguments));
  R_RegisterCFinalizerEx(owner, free_job, TRUE);
  cavity_job* job = cavity_job_new(CHAR(STRING_ELT(work, 0)));
  if (job == NULL) Rf_error("not enough memory");
  R_SetExternalPtrAddr(owner, job);
  add_items(arguments, cavity_job_arguments(job));
  if (!cavity_job_start(job)) Rf_error("cannot start a thread");
  const int outcome = attend(job, progress);
  SEXP out = PROTECT(Rf_allocVector(VECSXP, 3));
  SET_VECTOR_ELT(out, 0, Rf_ScalarInteger(outcome));
  SET_VECTOR_ELT(out, 1, Rf_ScalarString(Rf_mkCharCE(cavity_job_message(job), CE_UTF8)));
  SET_VECTOR_ELT(out, 2, outcome == CAVITY_DONE ? as_r(cavity_job_result(job)) : R_NilValue);
  free_job(owner);
  UNPROTECT(2);
  return out;
}

static int is_lost(SEXP pointer) { return TYPEOF(pointer) != EXTPTRSXP || R_ExternalPtrAddr(pointer) == NULL; }
static SEXP cavity_is_lost(SEXP pointer) { return Rf_ScalarLogical(is_lost(pointer)); }

static const R_CallMethodDef calls[] = {
    {"cavity_call", (DL_FUNC)&cavity_call, 3}, {"cavity_is_lost", (DL_FUNC)&cavity_is_lost, 1}, {NULL, NULL, 0}};

void R_init_cavity(DllInfo* library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
