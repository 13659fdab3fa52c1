-- wrk requests the same pages as a poll, one after the other, and ignores the answers. All requests are built before it
-- starts.
local page_size = tonumber(os.getenv("BENCH_PAGE_SIZE"))
local draws = tonumber(os.getenv("BENCH_DRAWS"))
local first_id = tonumber(os.getenv("BENCH_FIRST_ID"))
local headers = {Authorization = "Bearer " .. os.getenv("BENCH_TOKEN"), Accept = "application/json"}
local requests = {}
local sent = 0

init = function()
  local list = wrk.path:gsub("/$", "") .. "/caseBudgets/draws?pageNumber=1&pageSize=" .. page_size ..
    "&sortBy=id&sortOrder=asc"
  for seen = 0, draws - 1, page_size do
    local after = seen > 0 and "&id%5Bgt%5D=" .. (first_id + seen - 1) or ""
    table.insert(requests, wrk.format("GET", list .. after .. "&status=3", headers))
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
