import { isMap } from '../base/json';
import { DEVICE_CLASSES } from '../catalog/device-classes';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Rewrites device requests of a ModelDeployment as members have them today. Earlier releases of modelplane.ai had them
 * for the whole deployment or replica, named device classes, and wrote expressions as a ResourceClaim does. Parts
 * without such requests are the same objects as before; so is the document if there are none, or if they are ambiguous.
 */
export function modernizeDeviceRequests(document: unknown): unknown {
  if (!isMap(document) || !isMap(document['spec']) || document['kind'] !== 'ModelDeployment') return document;
  const spec = moveToMembers(document['spec']);
  return spec === document['spec'] ? document : { ...document, spec };
}

/** The fields of a deployment, of its replicas and of their engines that held the requests of all members. */
const SHARED = ['nodeSelector', 'deviceRequests'] as const;

function moveToMembers(spec: Fields): Fields {
  const template = mapAt(spec, 'template');
  const replica = template && mapAt(template, 'spec');
  if (!template || !replica || !Array.isArray(replica['engines'])) return spec;
  const holders = [spec, replica].filter((holder) => SHARED.some((field) => field in holder));
  const [holder] = holders;
  const shared = holder && readRequests(holder);
  const canMove = holders.length === 1 && shared !== undefined && !membersOf(replica['engines']).some(hasRequests);
  const engines = mapItems(replica['engines'], (engine) =>
    withField(engine, 'members', (members) =>
      mapItems(members, (member) => modernizeMember(canMove ? { nodeSelector: shared, ...member } : member)),
    ),
  );
  if (!canMove) {
    if (engines === replica['engines']) return spec;
    return { ...spec, template: { ...template, spec: { ...replica, engines } } };
  }
  const rest = { ...without(replica, SHARED), engines };
  return { ...without(spec, SHARED), template: { ...template, spec: rest } };
}

function membersOf(engines: readonly unknown[]): Fields[] {
  return engines.flatMap((engine) => (isMap(engine) && Array.isArray(engine['members']) ? engine['members'] : []));
}

function hasRequests(member: unknown): boolean {
  return isMap(member) && SHARED.some((field) => field in member);
}

/** The selector of nodes in the fields of a holder. Undefined if they contradict each other or hold no requests. */
function readRequests(holder: Fields): Fields | undefined {
  const { nodeSelector, deviceRequests } = holder;
  if (nodeSelector !== undefined && deviceRequests !== undefined) return undefined;
  if (Array.isArray(deviceRequests)) return { devices: deviceRequests };
  return isMap(nodeSelector) && Array.isArray(nodeSelector['devices']) ? nodeSelector : undefined;
}

function modernizeMember(member: Fields): Fields {
  const shared = 'deviceRequests' in member ? readRequests(member) : undefined;
  const moved = shared ? { nodeSelector: shared, ...without(member, SHARED) } : member;
  return withField(moved, 'nodeSelector', (selector) =>
    isMap(selector) ? withField(selector, 'devices', (devices) => mapItems(devices, modernizeRequest)) : selector,
  );
}

function modernizeRequest(request: Fields): Fields {
  const exact = mapAt(request, 'exactly');
  const flat = exact ? { ...without(request, ['exactly']), ...exact } : request;
  return modernizeClass(withField(flat, 'selectors', modernizeSelectors));
}

function modernizeSelectors(selectors: unknown): unknown {
  if (!Array.isArray(selectors)) return selectors;
  const modern = selectors.map((selector: unknown) => {
    if (typeof selector === 'string') return { cel: selector };
    const cel = isMap(selector) && mapAt(selector, 'cel');
    return isMap(selector) && cel && 'expression' in cel ? { ...selector, cel: cel['expression'] } : selector;
  });
  return modern.every((one, i) => one === selectors[i]) ? selectors : modern;
}

/** Replaces the name of a known device class by the condition of that class, which a device of it meets. */
function modernizeClass(request: Fields): Fields {
  const known = DEVICE_CLASSES.find(({ name }) => name === request['deviceClassName']);
  const { selectors = [] } = request;
  if (!known || !Array.isArray(selectors)) return request;
  const { driver, type } = known;
  const ofType = type === undefined ? '' : ` && device.attributes["${driver}"].type == "${type}"`;
  const cel = `device.driver == "${driver}"${ofType}`;
  return { ...without(request, ['deviceClassName', 'selectors']), selectors: [{ cel }, ...(selectors as unknown[])] };
}

function mapAt(holder: Fields, field: string): Fields | undefined {
  const value = holder[field];
  return isMap(value) ? value : undefined;
}

/** A copy with another value of a field; the same object if the field is absent or keeps its value. */
function withField(holder: Fields, field: string, change: (value: unknown) => unknown): Fields {
  if (!(field in holder)) return holder;
  const value = change(holder[field]);
  return value === holder[field] ? holder : { ...holder, [field]: value };
}

/** A list with every map in it changed; the same list if none changes. */
function mapItems(list: unknown, change: (item: Fields) => Fields): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map((item: unknown) => (isMap(item) ? change(item) : item));
  return changed.every((one, i) => one === list[i]) ? list : changed;
}

function without(holder: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(holder).filter(([field]) => !fields.includes(field)));
}
