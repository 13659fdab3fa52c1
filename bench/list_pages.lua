-- wrk asks for the pages that a poll asks for, one after the other, and doesn't look at them.
local page_size = tonumber(os.getenv("BENCH_PAGE_SIZE"))
local draws = tonumber(os.getenv("BENCH_DRAWS"))
local base = wrk.path:gsub("/$", "")
local headers = {Authorization = "Bearer " .. os.getenv("BENCH_TOKEN"), Accept = "application/json"}
local first_id = tonumber(os.getenv("BENCH_FIRST_ID"))
local seen = 0

request = function()
  local target = base .. "/caseBudgets/draws?pageNumber=1&pageSize=" .. page_size .. "&sortBy=id&sortOrder=asc"
  if seen > 0 then target = target .. "&id%5Bgt%5D=" .. (first_id + seen - 1) end
  seen = seen + page_size
  if seen >= draws then seen = 0 end
  return wrk.format("GET", target .. "&status=3", headers)
end

done = function(summary)
  local errors = summary.errors
  print(string.format('{"requests": %d, "seconds": %.6f, "bytes": %d, "failed": %d}', summary.requests,
    summary.duration / 1e6, summary.bytes,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
