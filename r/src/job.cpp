#include "job.hpp"

#include <chrono>
#include <new>

#include "cavity/errors.hpp"
#include "cavity/fit_options.hpp"
#include "cavity/report.hpp"
#include "works.hpp"

namespace {

/// What came of `work`, and the words about it.
template <class Work>
std::pair<int, std::string> outcome_of(const Work& work) {
  try {
    work();
    return {CAVITY_DONE, ""};
  } catch (const cavity::Error& error) {
    return {error.exit_code(), cavity::spell_options(error.what(), cavity::OptionStyle::python)};
  } catch (const cavity::Interrupted&) {
    return {CAVITY_INTERRUPTED, "interrupted"};
  } catch (const std::bad_alloc&) {
    return {CAVITY_INTERNAL_ERROR, "not enough memory"};
  } catch (const std::exception& error) {
    return {CAVITY_INTERNAL_ERROR, error.what()};
  } catch (...) {
    return {CAVITY_INTERNAL_ERROR, "an unknown error"};
  }
}

}  // namespace

cavity_job::~cavity_job() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void cavity_job::start() {
  thread_ = std::thread([this] { run(); });
}

void cavity_job::run() noexcept {
  std::tie(outcome, message) = outcome_of([this] { result = work_named(work)(*this); });
  const std::lock_guard lock(mutex_);
  ended_ = true;
  wake_.notify_one();
}

bool cavity_job::wait(int milliseconds) {
  {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return ended_ || progress_; });
    if (!ended_) return false;
  }
  if (thread_.joinable()) thread_.join();
  return true;
}

bool cavity_job::report(std::size_t done, std::size_t all) {
  const std::lock_guard lock(mutex_);
  progress_ = {static_cast<double>(done), static_cast<double>(all)};
  wake_.notify_one();
  return keep_going();
}

std::optional<std::array<double, 2>> cavity_job::take_progress() {
  const std::lock_guard lock(mutex_);
  return std::exchange(progress_, std::nullopt);
}

extern "C" {

cavity_job* cavity_job_new(const char* work) {
  try {
    return new cavity_job(work);
  } catch (...) {
    return nullptr;
  }
}

cavity_value* cavity_job_arguments(cavity_job* job) { return &job->arguments; }

int cavity_job_start(cavity_job* job) {
  try {
    job->start();
    return 1;
  } catch (...) {
    return 0;
  }
}

int cavity_job_wait(cavity_job* job, int milliseconds) { return job->wait(milliseconds) ? 1 : 0; }
void cavity_job_stop(cavity_job* job) { job->stop(); }

int cavity_job_progress(cavity_job* job, double two[2]) {
  const auto taken = job->take_progress();
  if (!taken) return 0;
  two[0] = (*taken)[0];
  two[1] = (*taken)[1];
  return 1;
}

int cavity_job_outcome(const cavity_job* job) { return job->outcome; }
const char* cavity_job_message(const cavity_job* job) { return job->message.c_str(); }
const cavity_value* cavity_job_result(const cavity_job* job) { return &job->result; }
void cavity_job_free(cavity_job* job) { delete job; }

}  // extern "C"
