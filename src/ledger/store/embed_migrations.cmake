# Writes migrations.cpp from the numbered SQL files: cmake -DOUT=… -DDIR=… -P embed_migrations.cmake
file(GLOB files ${DIR}/*.sql)
list(SORT files)
set(rows "")
set(texts "")
set(version 99)  # the first file is 0100_schema.sql
foreach(file IN LISTS files)
  math(EXPR version "${version} + 1")
  get_filename_component(name ${file} NAME_WE)
  string(REGEX MATCH "^0*([0-9]+)_" _ ${name})
  if(NOT CMAKE_MATCH_1 EQUAL version)
    message(FATAL_ERROR "${file}: expected migration number ${version}")
  endif()
  file(READ ${file} sql HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${sql}")
  string(APPEND texts "constexpr char sql_${version}[] = {${bytes} '\\0'};\n")
  string(APPEND rows "    {${version}, \"${name}\", std::string_view(sql_${version}, sizeof sql_${version} - 1)},\n")
endforeach()
file(WRITE ${OUT} "#include \"store/migrations.hpp\"\n\nnamespace drawbridge::ledger {\nnamespace {\n${texts}
constexpr Migration all[] = {\n${rows}};\n}  // namespace\n
std::span<const Migration> migrations() { return all; }\n}  // namespace drawbridge::ledger\n")
