// Field numbers are those of onnx.proto, as their names say.
#include "cavity/onnx.hpp"

#include <nlohmann/json.hpp>

#include "report/json_parts.hpp"
#include "report/protobuf.hpp"

namespace cavity {

namespace {

enum Model : std::uint32_t { ir_version = 1, producer_name, producer_version, graph = 7, opset_import, metadata = 14 };
enum Graph : std::uint32_t { node = 1, graph_name = 2, initializer = 5, input = 11, output = 12 };
enum Node : std::uint32_t { node_input = 1, node_output, node_name, op_type, attribute };
enum Attribute : std::uint32_t { attribute_name = 1, attribute_i = 3, attribute_type = 20 };
enum Tensor : std::uint32_t { dims = 1, data_type, string_data = 6, tensor_name = 8, raw_data };
constexpr std::uint64_t float_type = 1, string_type = 8, double_type = 11, int_attribute = 2;

class ScoreGraph {
 public:
  /// One output, named after the step.
  std::string step(const char* op, const std::vector<std::string>& inputs, const std::string& named) {
    ProtobufMessage message;
    for (const std::string& one : inputs) message.bytes(node_input, one);
    message.bytes(node_output, named).bytes(node_name, named).bytes(op_type, op);
    if (std::string_view(op) == "Cast")
      message.message(attribute, ProtobufMessage()
                                     .bytes(attribute_name, "to")
                                     .number(attribute_i, double_type)
                                     .number(attribute_type, int_attribute));
    out_.message(node, message);
    return named;
  }
  std::string constant(const std::string& named, const std::vector<double>& values, std::size_t rows,
                       std::size_t columns) {
    out_.message(initializer, ProtobufMessage()
                                  .number(dims, rows)
                                  .number(dims, columns)
                                  .number(data_type, double_type)
                                  .bytes(tensor_name, named)
                                  .bytes(raw_data, bytes_of(values)));
    return named;
  }
  std::string text(const std::string& named, const std::string& value) {
    out_.message(initializer, ProtobufMessage()
                                  .number(dims, 1)
                                  .number(dims, 1)
                                  .number(data_type, string_type)
                                  .bytes(string_data, value)
                                  .bytes(tensor_name, named));
    return named;
  }
  void shown(Graph side, const std::string& named, std::uint64_t type, std::size_t columns) {
    ProtobufMessage shape;
    shape.message(1, ProtobufMessage().bytes(2, "samples")).message(1, ProtobufMessage().number(1, columns));
    const ProtobufMessage tensor = ProtobufMessage().number(1, type).message(2, shape);
    out_.message(side, ProtobufMessage().bytes(1, named).message(2, ProtobufMessage().message(1, tensor)));
  }
  const ProtobufMessage& message() const { return out_; }
  ProtobufMessage& message() { return out_; }

 private:
  ProtobufMessage out_;
};

template <class Part>
std::vector<double> column(const std::vector<LinearScore::Term>& terms, const Part& part) {
  std::vector<double> out;
  for (const LinearScore::Term& term : terms) out.push_back(term.*part);
  return out;
}

/// asinh(z) = sign(z) ln(|z| + sqrt(z^2 + 1)): runtimes have an Asinh of single precision alone.
std::string asinh_of(ScoreGraph& g, const std::string& z) {
  const std::string size = g.step("Abs", {z}, "size"), square = g.step("Mul", {z, z}, "square");
  const std::string root = g.step("Sqrt", {g.step("Add", {square, "one"}, "square_and_one")}, "root");
  return g.step("Mul", {g.step("Sign", {z}, "sign"), g.step("Log", {g.step("Add", {size, root}, "both")}, "log")},
                "counted");
}

/// What the features count as: missing ones their mean, which is one after ln(1 + value).
std::string counted(ScoreGraph& g, const LinearScore& score) {
  const std::size_t count = score.features.size();
  const std::string wide = g.step("Cast", {"features"}, "wide"), missing = g.step("IsNaN", {"features"}, "missing");
  const std::string mean = g.constant("if_missing", column(score.features, &LinearScore::Term::mean), 1, count);
  if (score.transform == Transform::none) return g.step("Where", {missing, mean, wide}, "counted");
  g.constant("one", {1}, 1, 1);
  if (score.transform == Transform::log1p)
    return g.step("Where", {missing, mean, g.step("Log", {g.step("Add", {wide, "one"}, "and_one")}, "log")}, "counted");
  const std::string filled = g.step("Where", {missing, mean, wide}, "filled");
  const std::string median = g.constant("median", column(score.features, &LinearScore::Term::median), 1, count);
  const std::string spread = g.constant("spread", column(score.features, &LinearScore::Term::spread), 1, count);
  return asinh_of(g, g.step("Div", {g.step("Sub", {filled, median}, "off_median"), spread}, "in_spreads"));
}

std::string covariates_sum(ScoreGraph& g, const std::vector<LinearScore::Term>& terms, const std::string& so_far) {
  const std::string wide = g.step("Cast", {"covariates"}, "covariates_wide");
  const std::string mean =
      g.constant("covariates_if_missing", column(terms, &LinearScore::Term::mean), 1, terms.size());
  const std::string filled =
      g.step("Where", {g.step("IsNaN", {"covariates"}, "covariates_missing"), mean, wide}, "covariates_filled");
  const std::string weight =
      g.constant("covariates_weight", column(terms, &LinearScore::Term::weight), terms.size(), 1);
  return g.step("Add", {so_far, g.step("MatMul", {filled, weight}, "covariates_sum")}, "with_covariates");
}

std::string names_json(const std::vector<LinearScore::Term>& terms) {
  auto out = nlohmann::ordered_json::array();
  for (const LinearScore::Term& term : terms) out.push_back(term.name);
  return dumped(out);
}

ProtobufMessage entry(const char* name, const std::string& value) {
  return ProtobufMessage().bytes(1, name).bytes(2, value);
}

}  // namespace

std::string onnx_bytes(const LinearScore& score, const std::vector<std::string>& class_names) {
  ScoreGraph g;
  g.message().bytes(graph_name, "cavity score");
  g.shown(input, "features", float_type, score.features.size());
  const std::string weight =
      g.constant("weight", column(score.features, &LinearScore::Term::weight), score.features.size(), 1);
  std::string sum = g.step("MatMul", {counted(g, score), weight}, "sum");
  if (!score.covariates.empty()) {
    g.shown(input, "covariates", float_type, score.covariates.size());
    sum = covariates_sum(g, score.covariates, sum);
  }
  g.step("Add", {sum, g.constant("intercept", {score.intercept}, 1, 1)}, "score");
  const std::string below = g.step("Less", {"score", g.constant("zero", {0}, 1, 1)}, "below");
  g.step("Where", {below, g.text("negative", class_names[0]), g.text("positive", class_names[1])}, "label");
  g.shown(output, "score", double_type, 1);
  g.shown(output, "label", string_type, 1);
  ProtobufMessage model;
  model.number(ir_version, 7).bytes(producer_name, "cavity").bytes(producer_version, CAVITY_VERSION);
  model.message(graph, g.message()).message(opset_import, ProtobufMessage().bytes(1, "").number(2, 13));
  model.message(metadata, entry("features", names_json(score.features)))
      .message(metadata, entry("covariates", names_json(score.covariates)))
      .message(metadata, entry("classes", dumped(nlohmann::ordered_json(class_names))));
  return model.written();
}

}  // namespace cavity
