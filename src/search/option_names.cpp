// The names of solvers and of ways to select.
#include "base/enum_names.hpp"
#include "cavity/fit_options.hpp"

namespace cavity {

namespace {

constexpr EnumName<Solver> solvers[] = {{Solver::automatic, "auto"}, {Solver::ep, "ep"}, {Solver::gamp, "gamp"},
                                        {Solver::amp, "amp"},        {Solver::bp, "bp"}, {Solver::gibbs, "gibbs"}};
constexpr EnumName<Selection> selections[] = {{Selection::stack, "stack"},
                                              {Selection::loo_error, "loo_error"},
                                              {Selection::loo_log_loss, "loo_log_loss"},
                                              {Selection::evidence, "evidence"}};

}  // namespace

Solver parse_solver(const std::string& name) { return value_named(solvers, name, "solver"); }
std::string to_string(Solver solver) { return name_of(solvers, solver); }
std::vector<std::string> solver_names() { return names_in(solvers); }

Selection parse_selection(const std::string& name) { return value_named(selections, name, "selection"); }
std::string to_string(Selection selection) { return name_of(selections, selection); }
std::vector<std::string> selection_names() { return names_in(selections); }

}  // namespace cavity
