-- wrk sends the same patches as the client, to the same draws. All requests are built before it starts.
local draws = tonumber(os.getenv("BENCH_DRAWS"))
local first_id = tonumber(os.getenv("BENCH_FIRST_ID"))
local headers = {
  Authorization = "Bearer " .. os.getenv("BENCH_TOKEN"),
  Accept = "application/json",
  ["Content-Type"] = "application/json",
}
local requests = {}
local sent = 0

init = function()
  local path = wrk.path:gsub("/$", "") .. "/caseBudgets/draws/"
  for id = first_id, first_id + draws - 1 do
    table.insert(requests, wrk.format("PATCH", path .. id, headers, '{"fieldE":"paid in the morning run"}'))
  end
end

request = function()
  sent = sent + 1
  return requests[1 + (sent - 1) % #requests]
end

done = function(summary)
  local errors = summary.errors
  print(string.format('{"requests": %d, "seconds": %.6f, "bytes": %d, "failed": %d}', summary.requests,
    summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
