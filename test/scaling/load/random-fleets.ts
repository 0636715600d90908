import { concurrently, sleep } from '../../kubernetes/harness/concurrently';
import { Random } from '../../kubernetes/harness/random';
import { disturb } from '../../kubernetes/promises/disturb';
import { promisedBy, type Promised } from '../../kubernetes/promises/expected';
import { fleetOf, type FleetSpec, scaledFleet } from '../../kubernetes/promises/fleets';
import { plan } from '../../kubernetes/promises/plan';
import { findBroken } from '../../kubernetes/promises/replay';
import { resourcesOf } from '../../kubernetes/promises/resources';
import { type Pending, settle } from '../../kubernetes/promises/settle';
import { openDeviceClasses, Site as ClusterSite } from '../../kubernetes/promises/site';
import { KEDA } from '../harness/keda';
import type { Part } from '../main';
import { type Site, withSite } from './site';

/**
 * Load raises all engines of random fleets to their upper bounds at once. Every copy must be bound, with devices that
 * no other has, whatever happens to pods and workloads in between.
 */
export const fleets: Part = { name: 'fleets', run: () => withSite(tryFleets) };

/** Fleets, and how many of them at once. */
const FLEETS = 12;
const WIDTH = 4;

/** Longer than KEDA and the HorizontalPodAutoscaler need on a busy machine, in milliseconds. */
const PATIENCE = 150_000;

/** A signal that reads what the engines say, without recording rules for each of many engines. */
const SCALING = {
  on: [{ prometheus: { query: 'sum(vllm:num_requests_waiting{$(labels)})', threshold: 4 } }],
  up: { pods: 10, every: '15s' },
  down: { after: '5m' },
};

async function tryFleets(site: Site) {
  const seeds = Array.from({ length: FLEETS }, (_, i) => i + 1);
  const results = await concurrently(WIDTH, seeds, (seed) => tryFleet(site, seed));
  const total = (of: (result: FleetResult) => number): number => results.reduce((sum, one) => sum + of(one), 0);
  const failures = results.flatMap(({ failures }) => failures);
  const [pods, disturbances] = [total(({ pods }) => pods), total(({ disturbances }) => disturbances)];
  const words = `${pods} pods at the upper bounds of ${FLEETS} fleets, ${disturbances} disturbances`;
  return { failures, figures: [`KEDA ${KEDA}: ${words}, ${failures.length} broken promises`] };
}

/** What came of a fleet: the pods of all copies, and what is wrong. */
interface FleetResult {
  readonly pods: number;
  readonly disturbances: number;
  readonly failures: readonly string[];
}

async function tryFleet(site: Site, seed: number): Promise<FleetResult> {
  const name = `f${seed}`;
  const spec = named(scaledFleet(fleetOf(seed), SCALING), name);
  const planned = plan(resourcesOf(spec, name, { prometheus: { serverAddress: site.prometheus } }));
  const promised = promisedBy(planned, spec);
  await openDeviceClasses(site.client, planned.fleet);
  const results = await concurrently(2, planned.clusters, async ({ cluster, manifests }, i) => {
    const clusterName = cluster.metadata.name;
    const one = new ClusterSite(site.client, site.watch, planned.fleet, cluster, clusterName, (object) => [object]);
    const own = promised.filter(({ cluster }) => cluster === clusterName);
    const objects = manifests.filter(({ kind }) => kind !== 'Namespace');
    if (own.length === 0) return [];
    await one.open(objects);
    for (const object of objects.flatMap((manifest) => one.here(manifest))) await one.apply(object);
    return [await watchCluster(site, one, own, new Random(seed * 100 + i))];
  });
  const all = results.flat();
  return {
    pods: promised.reduce((sum, { pods }) => sum + pods, 0),
    disturbances: all.reduce((sum, { disturbances }) => sum + disturbances, 0),
    failures: all.flatMap(({ failures }) => failures.map((failure) => `fleet ${seed}: ${failure}`)),
  };
}

async function watchCluster(
  { client }: Site,
  one: ClusterSite,
  promised: readonly Promised[],
  random: Random,
): Promise<Pick<FleetResult, 'disturbances' | 'failures'>> {
  const first = await settle(one, promised, PATIENCE);
  const disturbances = await disturb(one, client, random);
  await sleep(1000);
  const { pending, wrong } = await findBroken(one, client, { promised, patience: PATIENCE });
  await one.close();
  return { disturbances, failures: [...[...first, ...pending].map(describe), ...wrong] };
}

function describe({ promised: { cluster, labels }, missing, message }: Pending): string {
  return `${cluster} ${Object.values(labels).join('/')}: ${missing} missing: ${message}`;
}

/** Clusters with names that no other fleet has, because series have the name of their cluster. */
function named(spec: FleetSpec, fleet: string): FleetSpec {
  return { ...spec, clusters: spec.clusters.map((cluster) => ({ ...cluster, name: `${fleet}-${cluster.name}` })) };
}
