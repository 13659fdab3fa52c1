// The part of Asio and Beast that is compiled once: see cmake/Dependencies.cmake.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
