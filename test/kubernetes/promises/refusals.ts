import type { CompiledCluster as ModelSite } from '../../../src/scheduler/compiled-fleet';
import type { Claim } from '../../../src/scheduler/devices/pod-fit';
import type { Rejection } from '../../../src/scheduler/reason';
import { membersOf } from './expected';
import type { EngineSpec, FleetSpec, RequestSpec } from './fleets';
import { type KindName, KINDS, wish } from './kinds';
import type { Planned } from './plan';

/** Something that the plan refused, to be tried on the real thing. */
export interface Refusal {
  readonly cluster: string;
  readonly pool: string;
  readonly className: string;

  /** Why: the devices of a node do not meet it, a selector fails on one of them, or the pool has no room for sure. */
  readonly why: 'devices' | 'selector-error' | 'capacity';

  /** What it is, for a message. */
  readonly what: string;

  /** Ways to claim what each pod asks for; any of them counts. Pods of a gang's idle leader are left out. */
  readonly claims: readonly (readonly Claim[])[];
  readonly pods: number;
}

/**
 * What a plan refused, each kind of engine once for a class of nodes where devices are the reason. Not without DRA:
 * there a plan refuses what a device plugin would hand out though it may be the wrong device.
 */
export function refusalsOf(planned: Planned, spec: FleetSpec): Refusal[] {
  const found = planned.schedule.shortfalls.flatMap(({ deployment, rejections }) => {
    const engines = spec.deployments.find(({ id }) => id === deployment)?.engines ?? [];
    return rejections.flatMap((rejection) => refusal(planned, spec, deployment, engines, rejection));
  });
  const keys = found.map(({ why, className, claims, cluster, pool, pods }) =>
    JSON.stringify(why === 'capacity' ? [cluster, pool, claims, pods] : [className, claims]),
  );
  return found.filter((_, i) => keys.indexOf(keys[i]!) === i);
}

function refusal(
  planned: Planned,
  spec: FleetSpec,
  deployment: string,
  engines: readonly EngineSpec[],
  { cluster, pool, reason }: Rejection,
): Refusal[] {
  if (pool === undefined || (reason.filter !== 'devices' && reason.filter !== 'capacity')) return [];
  const engine = engines[Number(reason.engine.slice(1))];
  const at = spec.clusters.find(({ name, dra }) => name === cluster && dra);
  const declared = at?.pools[Number(pool.slice(1))];
  const has = spec.classes.find(({ name }) => name === declared?.className)?.has;
  if (!engine || !declared || !has) return [];
  const why =
    reason.filter === 'capacity' ? 'capacity' : reason.misfit === 'selector-error' ? reason.misfit : 'devices';
  const claiming = membersOf(engine).filter(({ requests }) => requests.length > 0);
  const claims =
    why === 'capacity' ? boundClaims(planned, deployment, cluster, pool, reason.engine) : waysToClaim(engine, has);
  const what = `${deployment} ${reason.engine} on ${cluster}/${pool}: ${JSON.stringify(reason)}`;
  const pods = claiming.reduce((sum, member) => sum + member.pods, 0);
  return [{ cluster, pool, className: declared.className, why, what, claims, pods: why === 'capacity' ? pods : 1 }];
}

/** The claim that the plan would have made, had there been room. */
function boundClaims(planned: Planned, id: string, cluster: string, pool: string, name: string): Claim[][] {
  const site = planned.model.clusters.find((site): site is ModelSite => site.name === cluster);
  const node = site?.pools.find((one) => one.name === pool)?.node;
  const engine = planned.model.deployments
    .find((workload) => workload.id === id)
    ?.demand.engines.find((one) => one.name === name);
  const pod = engine?.members.find(({ pod }) => pod.requests.length > 0)?.pod;
  const fit = node && pod && planned.matcher.fit(pod, node);
  return fit && !('misfit' in fit) ? [[...fit.claims]] : [];
}

/** Every choice of a device class for each request, the narrowest request first. */
function waysToClaim({ requests }: EngineSpec, has: readonly { kind: KindName; count: number }[]): Claim[][] {
  const options = requests.map((request, r) => classesOf(request, has).map((one) => toClaim(request, r, one)));
  const ways = options.reduce<Claim[][]>(
    (ways, choices) => ways.flatMap((way) => choices.map((choice) => [...way, choice])),
    [[]],
  );
  const width = ({ request }: Claim): number => matching(requests[Number(request.slice(1))]!, has);
  return ways.map((way) => way.sort((a, b) => width(a) - width(b)));
}

/** The device classes on a node that a request could mean; the usual one where there is none. */
function classesOf({ wish: name }: RequestSpec, has: readonly { kind: KindName }[]): string[] {
  const kinds: readonly KindName[] = wish(name).kinds;
  const here = has.filter(({ kind }) => kinds.includes(kind)).map(({ kind }) => KINDS[kind].deviceClassName);
  return here.length > 0 ? [...new Set(here)] : [KINDS[kinds[0]!].deviceClassName];
}

function matching({ wish: name }: RequestSpec, has: readonly { kind: KindName; count: number }[]): number {
  const kinds: readonly KindName[] = wish(name).kinds;
  return has.reduce((sum, { kind, count }) => sum + (kinds.includes(kind) ? count : 0), 0);
}

function toClaim({ wish: name, count, memory }: RequestSpec, r: number, deviceClassName: string): Claim {
  const capacity = memory && { capacity: { memory } };
  return { request: `r${r}`, forms: [{ claimedAs: deviceClassName, count, selectors: [wish(name).cel], ...capacity }] };
}
