import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import type { Client } from '../harness/client';
import { concurrently, sleep } from '../harness/concurrently';
import { Random } from '../harness/random';
import { until } from '../harness/until';
import type { Watch } from '../harness/watch';
import { wrongDevices } from './devices';
import { disturb } from './disturb';
import { type Promised, promisedBy } from './expected';
import type { FleetSpec } from './fleets';
import { type Tally, tryRefusals } from './other-way';
import { checkKai, type KaiCheck } from './kai';
import { plan, type Planned } from './plan';
import { type Queue, readQueue } from './quotas';
import { replayedFleet } from './replayed-fleets';
import { resourcesOf } from './resources';
import { type Pending, settle } from './settle';
import { openDeviceClasses, Site } from './site';

/** How the promises about one fleet were kept. */
export interface Replay {
  readonly seed: number;
  readonly spec: FleetSpec;
  readonly planned: Planned;
  readonly promised: number;
  readonly disturbances: number;
  readonly pending: readonly Pending[];
  readonly wrong: readonly string[];

  readonly queues: readonly QueueCheck[];

  /** Absent where promises were broken: there is nothing to compare then. Absent after the first round: it would be the same. */
  readonly tally?: Tally;
}

/** What the queues of a cluster come to when everything runs. Both are absent where it has none, or promises are broken. */
interface QueueCheck {
  readonly cluster: string;
  readonly kueue?: Queue | undefined;
  readonly kai?: KaiCheck | undefined;
}

/** A fleet to replay. */
export interface Play {
  readonly seed: number;

  /** Default: the fleet of the seed. */
  readonly spec?: FleetSpec;

  /** Which of its replays it is: pods come, and are disturbed, in another order in each. Default: the first, 0. */
  readonly round?: number;

  /** What no other fleet of the run is called. Default: after the seed and the round. */
  readonly fleetName?: string;

  /** For how long nothing may happen before what is missing counts as missing, in milliseconds. */
  readonly patience?: number;
}

/** So far apart are the numbers at random of two rounds of a fleet. */
const ROUND = 2 ** 20;

/** What engines that scale need of their cluster. Nothing is there: they keep their most copies. */
const MONITORING = { prometheus: { serverAddress: 'http://prometheus.monitoring:9090' }, rules: false };

/** Plans a fleet, makes it, applies our manifests, disturbs it, and compares what is with the plan. */
export async function replay(client: Client, pods: Watch, play: Play): Promise<Replay> {
  const { seed, round = 0, spec = replayedFleet(seed), fleetName = `f${seed}r${round}`, patience } = play;
  const random = new Random(seed + round * ROUND);
  const planned = plan(resourcesOf(spec, fleetName, MONITORING));
  const promised = promisedBy(planned, spec);
  await openDeviceClasses(client, planned.fleet);
  const sites = planned.clusters.map(
    ({ cluster }) => new Site(client, pods, planned.fleet, cluster, `${fleetName}-${cluster.metadata.name}`),
  );
  const results = await Promise.all(
    sites.map((site, i) => {
      const own = promised.filter(({ cluster }) => cluster === site.cluster.metadata.name);
      const sown = new Random(random.below(2 ** 31));
      return runSite(site, client, planned.clusters[i]!.manifests, { promised: own, random: sown, patience });
    }),
  );
  const pending = results.flatMap((result) => result.pending);
  const misplaced = results.flatMap((result) => result.wrong);
  const settled = pending.length === 0 && misplaced.length === 0;
  const queues = settled ? await Promise.all(sites.map((site) => checkQueues(site, client))) : [];
  const wrong = [...misplaced, ...queues.flatMap(({ kueue, kai }) => [...(kueue?.wrong ?? []), ...(kai?.wrong ?? [])])];
  const place = {
    client,
    pods,
    queues: new Map(queues.flatMap(({ cluster, kueue }) => (kueue ? [[cluster, kueue]] : []))),
  };
  const kept = settled && wrong.length === 0;
  const tally = kept && round === 0 ? await tryRefusals(place, planned, spec, sites) : undefined;
  await Promise.all(sites.map((site) => site.close()));
  return {
    seed,
    spec,
    planned,
    promised: promised.reduce((sum, one) => sum + one.pods, 0),
    disturbances: results.reduce((sum, { disturbances }) => sum + disturbances, 0),
    pending,
    wrong,
    queues,
    ...(tally && { tally }),
  };
}

async function checkQueues(site: Site, client: Client): Promise<QueueCheck> {
  const { metadata, spec } = site.cluster;
  return {
    cluster: metadata.name,
    kueue: await readQueue(site, client),
    kai: spec.scheduler?.type === 'KAI' ? await checkKai(site) : undefined,
  };
}

async function runSite(
  site: Site,
  client: Client,
  manifests: Planned['clusters'][number]['manifests'],
  { promised, random, patience }: { promised: readonly Promised[]; random: Random; patience: number | undefined },
): Promise<Pick<Replay, 'pending' | 'wrong' | 'disturbances'>> {
  const objects = atUpperBounds(manifests.filter(({ kind }) => kind !== 'Namespace'));
  await site.open(objects);
  // One at a time or many at once, in any order: a pod may be there before its claim template.
  await concurrently(
    random.pick([1, 4, 16]),
    random.shuffled(objects.flatMap((one) => site.here(one))),
    async (object) => {
      await sleep(random.below(30));
      await site.apply(object);
    },
  );
  const disturbances = objects.length > 0 ? await disturb(site, client, random) : 0;
  const { pending, wrong } = await findBroken(site, client, { promised, patience });
  return { pending, wrong, disturbances };
}

/** What is promised to a cluster, and how long nothing may happen before what is missing counts as missing. */
interface Expectation {
  readonly promised: readonly Promised[];
  readonly patience: number | undefined;
}

/** Waits until a cluster is calm, and compares what is with what is promised. */
export async function findBroken(
  site: Site,
  client: Client,
  { promised, patience }: Expectation,
): Promise<Pick<Replay, 'pending' | 'wrong'>> {
  const pending = await settle(site, promised, patience);
  const wrong = pending.length === 0 ? await wrongDevices(site, client, promised) : [];
  if (wrong.length === 0) return { pending, wrong };
  // We may have looked between two steps of a rollout; what is really wrong stays wrong.
  await until(`rollouts of ${site.prefix} end`, () => site.isRolledOut());
  return {
    pending: await settle(site, promised, patience),
    wrong: await wrongDevices(site, client, promised),
  };
}

/** Manifests as at the highest load: an autoscaler has given each workload its most copies. */
function atUpperBounds(manifests: readonly Manifest[]): Manifest[] {
  const most = new Map(
    manifests
      .filter(({ kind }) => kind === 'ScaledObject')
      .map((scaler) => {
        const { scaleTargetRef, maxReplicaCount } = scaler.spec as unknown as Scaler;
        return [targetOf(scaler, scaleTargetRef), maxReplicaCount];
      }),
  );
  return manifests
    .filter(({ kind }) => kind !== 'ScaledObject')
    .map((manifest) => {
      const replicas = most.get(targetOf(manifest, { kind: manifest.kind, name: manifest.metadata.name }));
      return replicas === undefined ? manifest : { ...manifest, spec: { ...manifest.spec, replicas } };
    });
}

function targetOf({ metadata }: Manifest, { kind, name }: Target): string {
  return `${metadata.namespace} ${kind} ${name}`;
}

interface Target {
  readonly kind: string;
  readonly name: string;
}

interface Scaler {
  readonly scaleTargetRef: Target;
  readonly maxReplicaCount: number;
}
