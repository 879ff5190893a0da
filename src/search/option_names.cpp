// The names of solvers, of ways to select and of boundaries.
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
constexpr EnumName<Boundary> boundaries[] = {
    {Boundary::automatic, "auto"}, {Boundary::straight, "straight"}, {Boundary::bent, "bent"}};

}  // namespace

Solver parse_solver(const std::string& name) { return value_named(solvers, name, "solver"); }
std::string to_string(Solver solver) { return name_of(solvers, solver); }
std::vector<std::string> solver_names() { return names_in(solvers); }

Selection parse_selection(const std::string& name) { return value_named(selections, name, "selection"); }
std::string to_string(Selection selection) { return name_of(selections, selection); }
std::vector<std::string> selection_names() { return names_in(selections); }

Boundary parse_boundary(const std::string& name) { return value_named(boundaries, name, "boundary"); }
std::string to_string(Boundary boundary) { return name_of(boundaries, boundary); }
std::vector<std::string> boundary_names() { return names_in(boundaries); }

}  // namespace cavity
