// What a program that is started from anywhere has to see to.
#pragma once

namespace cavity::cli {

/// Where 0, 1 or 2 is closed, the first file that is opened would get its number: the model would be read as standard
/// input, and messages would be written into the output. Reading, or writing to standard output, then fails as it would
/// have; messages go nowhere.
void occupy_closed_streams();

/// The main thread's stack grows when it is used, and where memory is limited (ulimit -v) and spent by then that is no
/// exception but a crash: so it grows now. False where there is no room for it.
bool reserve_stack();

/// Who stops the program (Ctrl-C, kill, a closed terminal, a scheduler) finds no half-written file. Signals that the
/// parent has set to be ignored stay so (nohup).
void leave_no_temporary_files();

/// A file that another process shortens while it is mapped ends this one with a sentence and exit code 5, and nothing
/// half-written. So does a memory that is full where C++ has no way out but std::terminate: before main, for one.
void tell_of_shortened_files();

inline constexpr const char* no_memory = "cavity: out of memory\n";

/// On standard error, without allocating.
void say_fixed(const char* text);

}  // namespace cavity::cli
