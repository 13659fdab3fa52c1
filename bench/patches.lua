-- wrk sends the patches that the client sends, to the same draws.
local draws = tonumber(os.getenv("BENCH_DRAWS"))
local base = wrk.path:gsub("/$", "")
local headers = {
  Authorization = "Bearer " .. os.getenv("BENCH_TOKEN"),
  Accept = "application/json",
  ["Content-Type"] = "application/json",
}
local first_id = tonumber(os.getenv("BENCH_FIRST_ID"))
local sent = 0

request = function()
  local id = first_id + sent % draws
  sent = sent + 1
  return wrk.format("PATCH", base .. "/caseBudgets/draws/" .. id, headers, '{"fieldE":"paid in the morning run"}')
end

done = function(summary)
  local errors = summary.errors
  print(string.format('{"requests": %d, "seconds": %.6f, "bytes": %d, "failed": %d}', summary.requests,
    summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
