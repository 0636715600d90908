import type { Manifest } from '../../manifest/kubernetes/manifest';
import type { NamespacedName } from '../../routing/gateway-types';
import { MODEL_HEADER } from '../../routing/routing';
import { type ClusterContext, routeMetaOf, routeRefOf, createRoutingObject } from './routing-object';

/**
 * Shared by both scripts: a scanner that finds the top-level "model" members of a JSON object and leaves the rest
 * alone.
 *
 * The reader behind the gateway may parse the body less strictly. The scan therefore fails on anything that could hide
 * a second model: a key with an escape, a model that is not a string, unbalanced brackets.
 */
const SCANNER = String.raw`
-- The place of the quote that ends the string beginning at i. A backslash escapes what follows it.
local function string_end(s, i)
  local j = i + 1
  while true do
    local k = string.find(s, '["\\]', j)
    if k == nil then return nil end
    if string.byte(s, k) == 34 then return k end
    j = k + 2
  end
end

-- The value of the key that ends at j, if it is a string: where it begins and ends, with its quotes.
local function string_value(s, colon)
  if string.sub(s, colon + 1, colon + 1) ~= '"' then return nil end
  return colon + 1, string_end(s, colon + 1)
end

-- The places of all values of "model" of the outermost object. Nil for what is no such object, or hides some of them.
local function models(s)
  if string.find(s, '^%s*{') == nil then return nil end
  local found, depth, at = {}, 0, 1
  while true do
    local i = string.find(s, '["{}%[%]]', at)
    if i == nil then break end
    local c = string.sub(s, i, i)
    at = i + 1
    if c == '{' or c == '[' then
      depth = depth + 1
    elseif c ~= '"' then
      depth = depth - 1
    else
      local j = string_end(s, i)
      if j == nil then return nil end
      at = j + 1
      local _, colon = string.find(s, '^%s*:%s*', at)
      if depth == 1 and colon ~= nil then
        local key = string.sub(s, i + 1, j - 1)
        if string.find(key, '\\', 1, true) ~= nil then return nil end
        if key == 'model' then
          local from, to = string_value(s, colon)
          if to == nil then return nil end
          found[#found + 1] = { from = from, to = to }
          at = to + 1
        end
      end
    end
  end
  if depth ~= 0 or #found == 0 then return nil end
  return found
end

local function body_of(h)
  local body = h:body()
  if body == nil or body:length() == 0 then return nil end
  return body, body:getBytes(0, body:length())
end
`;

/**
 * Copies the model of a request into a header, so that rules can match on it: when a script changes a header, Envoy
 * selects the route again. Without a model, or with a model that no header can contain, the request keeps its route.
 * The last of several models counts, as in JSON parsers.
 */
export const READ_MODEL_SCRIPT = `${SCANNER}
function envoy_on_request(h)
  local _, s = body_of(h)
  local places = s and models(s)
  if places == nil then return end
  local last = places[#places]
  local name = string.sub(s, last.from + 1, last.to - 1)
  if #name > 253 or string.find(name, '[%c\\\\]') ~= nil then return end
  h:headers():replace('${MODEL_HEADER}', name)
end
`.trimStart();

/**
 * Replaces the model of a request with the name that the provider uses. A request without a replaceable model gets 400:
 * it must never reach the provider unchanged, with the credential that the gateway adds.
 *
 * If a Lua script fails, the request passes, so every path ends in a replacement or a response. The name is JSON text
 * in the filter context, which only `get` can read (Envoy Gateway 1.9.1).
 */
export const REPLACE_MODEL_SCRIPT = `${SCANNER}
local function with_model(s, places, name)
  local out, kept = {}, 1
  for _, place in ipairs(places) do
    out[#out + 1] = string.sub(s, kept, place.from - 1)
    out[#out + 1] = name
    kept = place.to + 1
  end
  out[#out + 1] = string.sub(s, kept)
  return table.concat(out)
end

function envoy_on_request(h)
  local body, s = body_of(h)
  local places = s and models(s)
  if places == nil then
    h:respond({ [':status'] = '400', ['content-type'] = 'application/json' },
      '{"error":{"type":"invalid_request_error","message":"the body has to be a JSON object with a string model"}}')
    return
  end
  local length = body:setBytes(with_model(s, places, h:filterContext():get('model')))
  h:headers():replace('content-length', tostring(length))
end
`.trimStart();

interface LuaScript {
  readonly name: string;
  readonly lua: string;
  readonly context?: Readonly<Record<string, string>>;
  readonly route: string;

  /** The name of the route rule. Absent: all rules. */
  readonly rule?: string;
}

export function renderScriptPolicy(service: NamespacedName, script: LuaScript, context: ClusterContext): Manifest {
  const { name, context: filterContext, route, rule } = script;
  const valueRef = { group: '', kind: 'ConfigMap', name };
  return createRoutingObject('EnvoyExtensionPolicy', routeMetaOf(service, context, route), {
    targetRefs: [routeRefOf(route, rule)],
    lua: [{ type: 'ValueRef', valueRef, ...(filterContext && { filterContext }) }],
  });
}

export function renderScriptConfigMap(
  service: NamespacedName,
  { name, lua }: Pick<LuaScript, 'name' | 'lua'>,
  context: ClusterContext,
): Manifest {
  const metadata = routeMetaOf(service, context, name);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { lua } };
}
