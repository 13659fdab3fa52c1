// Records as JSON and back: an object with a key for each described member, with the member's name.
//
// Instants, dates and money are texts, and so is an enum, by its to_string(). A map is an object with a key for each of
// its keys. An empty optional is null; an empty Maybe is left out.
#pragma once

#include <array>
#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "drawbridge/domain/described.hpp"
#include "drawbridge/domain/money.hpp"
#include "drawbridge/domain/time.hpp"

namespace drawbridge::api {

// A member that some answers do not have.
template <class T>
struct Maybe : std::optional<T> {
    using std::optional<T>::optional;
    using std::optional<T>::operator=;
};

template <class T>
concept Text = std::is_same_v<T, Instant> || std::is_same_v<T, BusinessDate> || std::is_same_v<T, Money>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_maybe = false;
template <class T>
inline constexpr bool is_maybe<Maybe<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

[[nodiscard]] std::string text_of(Instant instant);
[[nodiscard]] std::string text_of(BusinessDate date);
[[nodiscard]] std::string text_of(Money amount);
// These throw std::runtime_error if the text is not one.
void from_text(const std::string& text, Instant& into);
void from_text(const std::string& text, BusinessDate& into);
void from_text(const std::string& text, Money& into);
[[noreturn]] void throw_unknown_word(const std::string& text);

template <class T>
[[nodiscard]] nlohmann::json to_json(const T& value) {
    if constexpr (Text<T>) {
        return text_of(value);
    } else if constexpr (std::is_enum_v<T>) {
        return to_string(value);
    } else if constexpr (is_optional<T> || is_maybe<T>) {
        return value ? to_json(*value) : nlohmann::json(nullptr);
    } else if constexpr (is_list<T> || is_array<T>) {
        auto list = nlohmann::json::array();
        for (const auto& one : value)
            list.push_back(to_json(one));
        return list;
    } else if constexpr (is_map<T>) {
        auto object = nlohmann::json::object();
        for (const auto& [key, one] : value)
            object[to_json(key).template get<std::string>()] = to_json(one);
        return object;
    } else if constexpr (Record<T>) {
        auto object = nlohmann::json::object();
        for_each_member<T>([&]<class M>(const char* name, M T::* member) {
            if constexpr (is_maybe<M>) {
                if (!(value.*member)) return;
            }
            object[name] = to_json(value.*member);
        });
        return object;
    } else {
        return nlohmann::json(value);
    }
}

// The record in an answer of a daemon of this version. Throws an exception of the standard library or of
// nlohmann::json if a member is missing or of another type.
template <class T>
void read_json(const nlohmann::json& json, T& into) {
    if constexpr (Text<T>) {
        from_text(json.get<std::string>(), into);
    } else if constexpr (std::is_enum_v<T>) {
        const auto word = json.get<std::string>();
        bool known = false;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>([&](auto enumerator) {
            if (word != to_string(enumerator.value)) return;
            into = enumerator.value;
            known = true;
        });
        if (!known) throw_unknown_word(word);
    } else if constexpr (is_optional<T>) {
        // Not emplace(): g++ 14 warns falsely of the value that it would destroy.
        T value;
        if (!json.is_null()) {
            value = typename T::value_type();
            read_json(json, *value);
        }
        into = std::move(value);
    } else if constexpr (is_maybe<T>) {
        read_json(json, into.emplace());
    } else if constexpr (is_list<T>) {
        into.clear();
        for (const auto& one : json)
            read_json(one, into.emplace_back());
    } else if constexpr (is_array<T>) {
        for (std::size_t at = 0; at < into.size(); ++at)
            read_json(json.at(at), into[at]);
    } else if constexpr (is_map<T>) {
        into.clear();
        for (const auto& [name, one] : json.items()) {
            typename T::key_type key{};
            read_json(nlohmann::json(name), key);
            read_json(one, into[key]);
        }
    } else if constexpr (Record<T>) {
        for_each_member<T>([&]<class M>(const char* name, M T::* member) {
            const auto found = json.find(name);
            if (is_maybe<M> && found == json.end()) return;
            read_json(json.at(name), into.*member);
        });
    } else {
        into = json.get<T>();
    }
}
template <class T>
[[nodiscard]] T from_json(const nlohmann::json& json) {
    T value{};
    read_json(json, value);
    return value;
}

}  // namespace drawbridge::api
