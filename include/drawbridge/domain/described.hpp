// Records: structs that BOOST_DESCRIBE_STRUCT describes next to their definition.
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <map>

namespace drawbridge {

template <class T>
concept Record = boost::describe::has_describe_members<T>::value;

// Calls `what(name, pointer to member)` for each member, in the order of the description.
template <Record T, class What>
void for_each_member(What&& what) {
    using Members = boost::describe::describe_members<T, boost::describe::mod_public>;
    boost::mp11::mp_for_each<Members>([&](auto member) { what(member.name, member.pointer); });
}

template <class T>
inline constexpr bool is_map = false;
template <class K, class T>
inline constexpr bool is_map<std::map<K, T>> = true;

}  // namespace drawbridge
