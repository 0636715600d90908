import { groupBy } from '../../../src/base/order';
import { parseQuantity } from '../../../src/cel/values/quantity';
import type { Client, KubeObject } from '../harness/client';
import { isOf, type Promised } from './expected';
import { COUNTERS, type KindName, KINDS, wish } from './kinds';
import type { Site } from './site';

interface Result {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;

  /** What it takes of a device that pods share. */
  readonly consumedCapacity?: Readonly<Record<string, string>>;
}

interface Claims {
  readonly items: readonly KubeObject[];
}

/** What is wrong with where the promised pods of a settled cluster are, or with the devices that they hold. */
export async function wrongDevices(site: Site, client: Client, promised: readonly Promised[]): Promise<string[]> {
  const claims = await claimsOf(site, client, promised);
  const pods = site.podsHere();
  const wrong = promised.flatMap((one) =>
    pods.flatMap((pod) => {
      const own = pod.metadata.namespace === site.namespace(one.namespace) && isOf(one, pod);
      return own ? [...wrongPool(site, one, pod), ...wrongHeld(one, pod, claims)] : [];
    }),
  );
  const results = [...claims.values()].flat();
  const whole = results.filter((result) => !isPart(result));
  return [...wrong, ...heldTwice(whole), ...dividedTooOften(whole), ...takenTooMuch(results.filter(isPart))];
}

/** Whether it is a part of a device that pods share. */
function isPart({ consumedCapacity }: Result): boolean {
  return consumedCapacity !== undefined;
}

/** What each claim holds, by its namespace and name. */
async function claimsOf(
  site: Site,
  client: Client,
  promised: readonly Promised[],
): Promise<ReadonlyMap<string, readonly Result[]>> {
  const namespaces = [...new Set(promised.map(({ namespace }) => site.namespace(namespace)))];
  const lists = await Promise.all(
    namespaces.map((name) => client.get<Claims>(`/apis/resource.k8s.io/v1/namespaces/${name}/resourceclaims`)),
  );
  return new Map(
    lists.flatMap(({ body }) =>
      body.items.map(({ metadata, status }) => {
        const allocation = status?.['allocation'] as { devices: { results: Result[] } } | undefined;
        return [`${metadata.namespace}/${metadata.name}`, allocation?.devices.results ?? []] as const;
      }),
    ),
  );
}

function wrongPool(site: Site, { pool }: Promised, { metadata, spec }: KubeObject): string[] {
  const node = String(spec?.['nodeName']);
  return node.startsWith(`${site.prefix}-${pool}-`) ? [] : [`${metadata.name} is on ${node}, not in pool ${pool}`];
}

function wrongHeld(promised: Promised, pod: KubeObject, claims: ReadonlyMap<string, readonly Result[]>): string[] {
  return promised.dra ? wrongClaim(promised, pod, claims) : wrongNumbers(promised, pod);
}

/** A device plugin may hand out any device of a resource: each that the node has must be one that is asked for. */
function wrongNumbers({ requests, kinds }: Promised, { metadata, spec }: KubeObject): string[] {
  const containers = (spec?.['containers'] ?? []) as { resources?: { limits?: Record<string, string> } }[];
  const held = { ...containers[0]?.resources?.limits };
  const wanted: Record<string, number> = {};
  for (const { wish: name, count } of requests) {
    const meant: readonly KindName[] = wish(name).kinds;
    const resources = new Set(kinds.filter((kind) => meant.includes(kind)).map((kind) => KINDS[kind].extendedResource));
    const sure = [...resources].find((resource) =>
      kinds.every((kind) => KINDS[kind].extendedResource !== resource || meant.includes(kind)),
    );
    if (sure === undefined) return [`${metadata.name} may be given devices that do not match ${name}`];
    wanted[sure] = (wanted[sure] ?? 0) + count;
  }
  const claims = spec?.['resourceClaims'] === undefined ? [] : [`${metadata.name} has a claim without DRA`];
  if (total(held) === total(wanted)) return claims;
  return [...claims, `${metadata.name} asked for ${JSON.stringify(wanted)} and holds ${JSON.stringify(held)}`];
}

function total(amounts: Readonly<Record<string, string | number>>): number {
  return Object.values(amounts).reduce<number>((sum, amount) => sum + Number(amount), 0);
}

function wrongClaim({ requests }: Promised, pod: KubeObject, claims: ReadonlyMap<string, readonly Result[]>): string[] {
  const { metadata, spec } = pod;
  const results = heldBy(pod, claims);
  return requests.flatMap(({ wish: name, count, memory = '0' }, r) => {
    const own = results.filter(({ request }) => request === `r${r}`);
    // The name of a device is the name of its kind with a number.
    const kinds = own.map(({ device }) => device.replace(/-\d+$/, '') as KindName);
    const fine = kinds.every((kind) => (wish(name).kinds as readonly KindName[]).includes(kind));
    const here = own.every(({ pool }) => pool === spec?.['nodeName']);
    const enough = own.every(({ consumedCapacity }) => bytes(consumedCapacity?.['memory'] ?? memory) >= bytes(memory));
    // Of a device that pods share, each must be another one.
    const distinct = new Set(own.map(({ device }) => device)).size === own.length;
    if (own.length === count && fine && here && enough && distinct) return [];
    return [`${metadata.name} asked for ${count} of ${name} and holds ${kinds.join(', ') || 'nothing'}`];
  });
}

/** By the claims that the pod names: those of a pod that had its name before may still be there. */
function heldBy({ metadata, status }: KubeObject, claims: ReadonlyMap<string, readonly Result[]>): Result[] {
  const own = (status?.['resourceClaimStatuses'] ?? []) as { resourceClaimName?: string }[];
  return own.flatMap(({ resourceClaimName }) => claims.get(`${metadata.namespace}/${resourceClaimName}`) ?? []);
}

function heldTwice(results: readonly Result[]): string[] {
  const names = results.map(({ driver, pool, device }) => `${driver} ${pool} ${device}`);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  return twice.map((name) => `${name} is held twice`);
}

/** GPUs of which the partitions that pods hold take more of a counter than there is. */
function dividedTooOften(results: readonly Result[]): string[] {
  const held = results.flatMap(({ pool, device }) => {
    const { placements = [] } = KINDS[device.replace(/-\d+$/, '') as KindName];
    // Devices are numbered GPU by GPU.
    const number = Number(device.replace(/^.*-/, ''));
    const takes = placements[number % placements.length];
    return takes ? [{ gpu: `${pool} ${Math.floor(number / placements.length)}`, takes }] : [];
  });
  return [...groupBy(held, ({ gpu }) => gpu)].flatMap(([gpu, own]) =>
    Object.entries(COUNTERS).flatMap(([counter, has]) => {
      const taken = own.reduce((sum, { takes }) => sum + Number(takes[counter] ?? 0), 0);
      return taken <= Number(has) ? [] : [`GPU ${gpu} has ${has} of ${counter}, and pods take ${taken}`];
    }),
  );
}

/** Parts of one device that add up to more than it has. */
function takenTooMuch(parts: readonly Result[]): string[] {
  const devices = groupBy(parts, ({ driver, pool, device }) => `${driver} ${pool} ${device}`);
  return [...devices].flatMap(([name, own]) => {
    const kind = KINDS[name.replace(/^.* /, '').replace(/-\d+$/, '') as KindName];
    return Object.entries(kind.capacity).flatMap(([capacity, { value }]) => {
      const taken = own.reduce((sum, { consumedCapacity }) => sum + bytes(consumedCapacity?.[capacity] ?? '0'), 0);
      return taken <= bytes(value) ? [] : [`${name} has ${value} of ${capacity}, and pods take ${taken}`];
    });
  });
}

function bytes(quantity: string): number {
  return parseQuantity(quantity).asApproximateFloat();
}
