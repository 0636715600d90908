import * as fc from 'fast-check';
import { findRefusals } from '../../../src/analyze/survive/survive';
import { survive } from '../../../src/analyze/survive/survive';
import { assemble } from '../../../src/fleet/fleet';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { decide } from '../../../src/plan/decide';
import type { Decision } from '../../../src/plan/decision';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { schedule } from '../../../src/scheduler/schedule';
import { FEW_UNLUCKY, unlessUnlucky } from '../../routing/unlucky';
import { edited } from '../what-if/edit';
import { type EntrySpec, resourcesOf, type RoutedSpec, routedSpec, type ServiceSpec } from './routed-fleets';

/** FLEETWRIGHT_BRUTE=1000 for the long run. */
const RUNS = { numRuns: Number(process.env.FLEETWRIGHT_BRUTE ?? 0) || 20, seed: 17 };

/** One thing that answers requests: a replica, or with no cluster an endpoint outside the fleet. */
interface Server {
  readonly namespace: string;
  readonly cluster?: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** All that answers requests where replicas are so placed. */
function serversOf({ sites, models, rented }: RoutedSpec, placements: Decision['schedule']['placements']): Server[] {
  const replicas = placements.flatMap(({ deployment, cluster, index, draining }): Server[] => {
    const [namespace = '', name = ''] = deployment.split('/');
    const { app } = models.find(({ id }) => id === deployment)!;
    if (draining || !sites.find((one) => one.name === cluster)!.edge) return [];
    const where = { 'fleetwright.dev/cluster': cluster, 'fleetwright.dev/replica-index': String(index) };
    return [{ namespace, cluster, labels: { app, 'fleetwright.dev/deployment': name, ...where } }];
  });
  const endpoints = Array.from({ length: rented }, (): Server => {
    return { namespace: 'team-a', labels: { app: 'rented' } };
  });
  return [...replicas, ...endpoints];
}

function usableBy({ namespace }: ServiceSpec, { namespace: own, cluster }: Server, granted: boolean): boolean {
  return own === namespace || (granted && namespace === 'team-a' && own === 'team-b' && cluster !== undefined);
}

/** How many servers each of some entries has: a server belongs to the first that selects it. */
function countsOf(entries: readonly EntrySpec[], servers: readonly Server[]): number[] {
  const counts = entries.map(() => 0);
  for (const { labels } of servers) {
    const first = entries.findIndex((one) => Object.entries(one.labels).every(([key, value]) => labels[key] === value));
    if (first >= 0) counts[first]!++;
  }
  return counts;
}

/** What stays of one kind of requests, as a part; of none that nothing answered before. */
function partOf(entries: readonly EntrySpec[], before: readonly Server[], then: readonly Server[]): number | undefined {
  const [had, has] = [countsOf(entries, before), countsOf(entries, then)];
  const tier = Math.min(...entries.flatMap((one, e) => (had[e]! > 0 ? [one.tier] : [])));
  const own = entries.flatMap(({ weight, tier: of }, e) => (of === tier && had[e]! > 0 ? [{ weight, e }] : []));
  if (own.length === 0) return undefined;
  const kept = own.reduce((sum, { weight, e }) => sum + weight * Math.min(1, has[e]! / had[e]!), 0);
  return kept / own.reduce((sum, { weight }) => sum + weight, 0);
}

/** What stays of the requests of which the least does. */
function leastOf(service: ServiceSpec, before: readonly Server[], then: readonly Server[]): number {
  const kinds = [true, false].map((canary) => service.entries.filter((one) => one.canary === canary));
  return Math.min(1, ...kinds.flatMap((entries) => partOf(entries, before, then) ?? []));
}

/** What answers the kind of requests that the least does, of the kinds that anything answered before. */
function answeringOf(service: ServiceSpec, before: readonly Server[], then: readonly Server[]) {
  const kinds = [true, false].flatMap((canary) => {
    const entries = service.entries.filter((one) => one.canary === canary);
    const answers = (one: Server): boolean => countsOf(entries, [one]).some((n) => n > 0);
    if (!before.some(answers)) return [];
    const endpoints = then.filter((one) => one.cluster === undefined && answers(one)).length;
    return [{ replicas: then.filter(answers).length - endpoints, endpoints }];
  });
  return kinds.reduce((least, one) => (enough(one) < enough(least) ? one : least), kinds[0]!);
}

/** How many replicas are as good as what answers: an endpoint outside the fleet as any number. */
function enough({ replicas, endpoints }: { replicas: number; endpoints: number }): number {
  return endpoints > 0 ? 99 : replicas;
}

/** Whether some kind of requests has nothing of its first tier left, and something of the second. */
function fallsBack({ entries }: ServiceSpec, before: readonly Server[], then: readonly Server[]): boolean {
  return [true, false].some((canary) => {
    const own = entries.filter((one) => one.canary === canary);
    const has = countsOf(own, then);
    const first = partOf(own, before, then) === 0;
    return first && own.some(({ tier }, e) => tier === 1 && has[e]! > 0);
  });
}

/** Exact parts are thirds and sevenths; what is reported is cut to four places. */
function cut(part: number): number {
  return Number((Math.floor(part * 1e4 + 1e-6) / 1e4).toFixed(4));
}

function hitOf(
  spec: RoutedSpec,
  service: ServiceSpec,
  lost: ReadonlySet<string>,
  servers: Record<'before' | 'later', Server[]>,
) {
  const usable = (all: readonly Server[]) => all.filter((one) => usableBy(service, one, spec.granted));
  const [before, later] = [usable(servers.before), usable(servers.later)];
  const atOnce = before.filter(({ cluster }) => cluster === undefined || !lost.has(cluster));
  const gateways = spec.gateways.flat();
  const open = gateways.filter((cluster) => !lost.has(cluster)).length;
  const counted = before.some((one) => countsOf(service.entries, [one]).some((n) => n > 0));
  if (!counted) return undefined;
  const touched = [true, false].some((canary) => {
    const own = service.entries.filter((one) => one.canary === canary);
    return JSON.stringify(countsOf(own, before)) !== JSON.stringify(countsOf(own, atOnce));
  });
  if (!touched && open === gateways.length) return undefined;
  return {
    atOnce: open === 0 ? 0 : cut(leastOf(service, before, atOnce)),
    after: open === 0 ? 0 : cut(leastOf(service, before, later)),
    gateways: { before: gateways.length, atOnce: open },
    ...splitOf(spec.gateways, lost),
    ...answeringOf(service, before, atOnce),
    ...(open > 0 && fallsBack(service, before, atOnce) && { fallback: true }),
  };
}

/** The gateways that lose a cluster, of several. */
function splitOf(gateways: readonly (readonly string[])[], lost: ReadonlySet<string>) {
  const counted = gateways.map((clusters, i) => {
    return { gateway: `g${i}`, before: clusters.length, atOnce: clusters.filter((one) => !lost.has(one)).length };
  });
  const byGateway = counted.filter(({ before, atOnce }) => atOnce < before);
  return gateways.length > 1 && byGateway.length > 0 ? { byGateway } : {};
}

/** Services of which some kind of requests is answered by too few replicas, or none as no gateway is left. */
function tooFew(spec: RoutedSpec, losses: readonly string[][], servers: Server[], required: number): string[] {
  return spec.services.flatMap((service, i) => {
    const usable = servers.filter((one) => usableBy(service, one, spec.granted));
    if (!usable.some((one) => countsOf(service.entries, [one]).some((n) => n > 0))) return [];
    const left = [[], ...losses].map((gone) => {
      if (spec.gateways.flat().every((cluster) => gone.includes(cluster))) return 0;
      const then = usable.filter(({ cluster }) => cluster === undefined || !gone.includes(cluster));
      return enough(answeringOf(service, usable, then));
    });
    return Math.min(...left) < required ? [`${service.namespace}/s${i}`] : [];
  });
}

const PLACED = new Set(['InferenceClass', 'InferenceCluster', 'ModelDeployment']);

test('of each service stays what its entries, tiers and replicas add up to', () => {
  let judged = 0;
  let refused = 0;
  fc.assert(
    fc.property(routedSpec, fc.constantFrom(undefined, 'region'), (spec, label) => {
      const resources = resourcesOf(spec);
      const decision = unlessUnlucky(() => decide(assemble(resources), () => '', EMPTY_LOCK));
      const { placements } = decision.schedule;
      // Gateways would name clusters that are gone. What depends on routes is which clusters they do not reach.
      const avoids = new Map(decision.model.deployments.map((one) => [one.id, one.avoids]));
      const placing = resources.filter(({ kind }) => PLACED.has(kind));
      const survival = survive(decision, label);
      const clustersOf = (lost: string): string[] =>
        spec.sites.flatMap(({ name, region }) => ((label ? region : name) === lost ? [name] : []));
      for (const required of [1, 2]) {
        const losses = survival.losses.map(({ lost }) => clustersOf(lost));
        const want = tooFew(spec, losses, serversOf(spec, placements), required);
        const reported = findRefusals(required, survival).refusedServices.map((one) => one.service);
        expect(reported).toEqual(want.sort());
        refused += want.length;
      }
      for (const { lost, services } of survival.losses) {
        const gone = clustersOf(lost);
        const left = gone.reduce((all, cluster) => edited(all, { kind: 'lose', cluster }), placing);
        const model = compileFleet(assemble(left), () => '');
        const deployments = model.deployments.map((one) => ({
          ...one,
          avoids: avoids.get(one.id) ?? new Set<string>(),
        }));
        const later = schedule({ ...model, deployments }, placements).placements;
        const servers = { before: serversOf(spec, placements), later: serversOf(spec, later) };
        const want = spec.services.flatMap((service, i) => {
          const hit = hitOf(spec, service, new Set(gone), servers);
          return hit ? [{ service: `${service.namespace}/s${i}`, ...hit }] : [];
        });
        expect(services).toEqual(want.sort((a, b) => (a.service < b.service ? -1 : 1)));
        judged += want.length;
      }
    }),
    { ...RUNS, ...FEW_UNLUCKY },
  );
  expect(judged).toBeGreaterThan(RUNS.numRuns);
  expect(refused).toBeGreaterThan(RUNS.numRuns);
});
