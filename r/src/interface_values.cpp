// Values for C.
#include "interface.h"
#include "value.hpp"

namespace {

/// 1 when the work is done, 0 when memory is out: there is nothing else to throw.
template <class Work>
int whether(const Work& work) noexcept {
  try {
    work();
    return 1;
  } catch (...) {
    return 0;
  }
}

template <class T>
const T* elements(const cavity_value* value) {
  const auto* held = std::get_if<Elements<T>>(&value->held);
  return held ? held->all().data() : nullptr;
}

struct Length {
  std::size_t operator()(std::monostate) const { return 0; }
  std::size_t operator()(const std::shared_ptr<const Fitted>&) const { return 1; }
  std::size_t operator()(const Texts& texts) const { return texts.size(); }
  std::size_t operator()(const cavity_value::Items& items) const { return items.size(); }
  template <class T>
  std::size_t operator()(const Elements<T>& all) const {
    return all.all().size();
  }
};

}  // namespace

extern "C" {

int cavity_value_kind(const cavity_value* value) { return static_cast<int>(value->held.index()); }
size_t cavity_value_length(const cavity_value* value) { return std::visit(Length(), value->held); }
size_t cavity_value_rows(const cavity_value* value) { return value->rows; }
const double* cavity_value_numbers(const cavity_value* value) { return elements<double>(value); }
const unsigned char* cavity_value_bytes(const cavity_value* value) { return elements<unsigned char>(value); }

const int* cavity_value_integers(const cavity_value* value) {
  const auto* flags = std::get_if<Flags>(&value->held);
  return flags ? flags->all().data() : elements<int>(value);
}

const char* cavity_value_text(const cavity_value* value, size_t at) {
  const auto& text = std::get<Texts>(value->held)[at];
  return text ? text->c_str() : nullptr;
}

const char* cavity_value_name(const cavity_value* value, size_t at) { return value->items()[at].first.c_str(); }
const cavity_value* cavity_value_item(const cavity_value* value, size_t at) { return value->items()[at].second.get(); }

cavity_object* cavity_value_object(const cavity_value* value) {
  cavity_object* out = nullptr;
  whether([&] { out = new cavity_object{value->fitted()}; });
  return out;
}

void cavity_object_free(cavity_object* object) { delete object; }

int cavity_list_add_numbers(cavity_value* list, const char* name, const double* values, size_t length, size_t rows) {
  return whether([&] {
    cavity_value& it = list->add(name);
    it.held = Elements<double>{{}, {values, length}};
    it.rows = rows;
  });
}

int cavity_list_add_integers(cavity_value* list, const char* name, const int* values, size_t length, size_t rows) {
  return whether([&] {
    cavity_value& it = list->add(name);
    it.held = Elements<int>{{}, {values, length}};
    it.rows = rows;
  });
}

int cavity_list_add_flags(cavity_value* list, const char* name, const int* values, size_t length) {
  return whether([&] { list->add(name).held = Flags{{{}, {values, length}}}; });
}

int cavity_list_add_bytes(cavity_value* list, const char* name, const unsigned char* values, size_t length) {
  return whether([&] { list->add(name).held = Elements<unsigned char>{{}, {values, length}}; });
}

int cavity_list_add_object(cavity_value* list, const char* name, const cavity_object* object) {
  return whether([&] { list->put(name, object->fitted); });
}

cavity_value* cavity_list_add_list(cavity_value* list, const char* name) {
  cavity_value* out = nullptr;
  whether([&] {
    out = &list->add(name);
    out->held = cavity_value::Items();
  });
  return out;
}

cavity_value* cavity_list_add_texts(cavity_value* list, const char* name) {
  cavity_value* out = nullptr;
  whether([&] {
    out = &list->add(name);
    out->held = Texts();
  });
  return out;
}

int cavity_texts_add(cavity_value* texts, const char* text) {
  return whether(
      [&] { std::get<Texts>(texts->held).push_back(text ? std::optional<std::string>(text) : std::nullopt); });
}

}  // extern "C"
