import { expandModels } from '../../../src/engine/expand/expand-models';
import { assemble } from '../../../src/fleet/fleet';
import { compileFleet } from '../../../src/plan/compile-fleet';
import { renderCluster } from '../../../src/render/cluster';
import { computeReplicas } from '../../../src/replicas/compute-replicas';
import { resolveRouting } from '../../../src/routing/resolve-routing';
import { PodMatcher } from '../../../src/scheduler/devices/match-pod';
import type { Client, KubeObject } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import { startControlPlane } from '../harness/control-plane';
import { findCrds, installCrds } from '../harness/crds';
import { learnKinds } from '../harness/resources';
import { say } from '../harness/say';
import type { Options, Part, Report } from '../part';
import { plan, type Planned } from '../promises/plan';
import { expectedManifests } from './expected';
import { tryInferencePools } from './inference-pools';
import { type Input, inputs } from './inputs';
import { openLevels } from './misjudged';
import { applyTwice } from './send';
import { here, sendCluster } from './send-cluster';
import { Tally } from './tally';
import { changed, UPDATES } from './updates';

/** Every object that we emit is one that the API server takes, keeps and lets us change. */
export const strict: Part = { name: 'strict', run };

/** Generated fleets next to the examples. */
const FLEETS = { short: 12, long: 60 };

async function run({ long, seed }: Options): Promise<Report> {
  const plane = await startControlPlane({ daemons: false });
  let passed = false;
  try {
    const crds = await findCrds();
    await installCrds(plane.client, crds);
    await learnKinds(plane.client);
    await openLevels(plane.client);
    const tally = new Tally(crds.length);
    await tryInferencePools(plane.client, tally);
    const fleets = inputs(seed, FLEETS[long ? 'long' : 'short']).map(planInput);
    const work = concurrently(4, fleets, (fleet, i) => sendFleet(plane.client, fleet, `s${i}`, tally));
    await Promise.race([plane.failure, work]);
    await Promise.race([plane.failure, sendExpected(plane.client, fleets, tally)]);
    const report = tally.report();
    passed = report.failures.length === 0;
    return report;
  } finally {
    const logs = await plane.stop(!passed);
    if (logs) say(`  the logs of the control plane are in ${logs}`);
  }
}

/** A fleet whose manifests are sent, and what becomes of it. */
interface PlannedInput {
  readonly resources: Input['resources'];
  readonly planned: Planned;
}

function planInput({ resources }: Input): PlannedInput {
  return { resources, planned: plan(resources) };
}

async function sendFleet(client: Client, fleet: PlannedInput, prefix: string, tally: Tally): Promise<void> {
  const { resources, planned } = fleet;
  for (const { cluster, manifests } of planned.clusters) {
    await sendCluster(client, manifests, `${prefix}-${cluster.metadata.name}`, tally);
  }
  for (const [what, change] of Object.entries(UPDATES)) {
    const after = rendered(planned, changed(resources, change));
    for (const { cluster, manifests } of planned.clusters) {
      const before = new Set(manifests.map(textOf));
      const objects = after(cluster.metadata.name)
        .filter((manifest) => !before.has(textOf(manifest)) && tally.forms.isNew(what, manifest))
        .flatMap((manifest) => here(manifest, `${prefix}-${cluster.metadata.name}`, tally));
      const faults = await concurrently(4, objects, (object) => applyTwice(client, object));
      tally.updated(what, objects.length, faults.flat());
    }
  }
}

/**
 * Sends what files of examples have and no plan: equal objects get equal answers. Namespaces are sent again, because
 * their levels decide about pods.
 */
async function sendExpected(client: Client, fleets: readonly PlannedInput[], tally: Tally): Promise<void> {
  const clusters = fleets.flatMap(({ planned }) => planned.clusters);
  const sent = new Set(clusters.flatMap(({ manifests }) => manifests.map(textOf)));
  const isNew = (manifest: KubeObject): boolean => manifest.kind === 'Namespace' || !sent.has(textOf(manifest));
  await concurrently(4, expectedManifests(), ({ manifests }, i) =>
    sendCluster(client, manifests.filter(isNew), `e${i}`, tally),
  );
}

function textOf(manifest: object): string {
  return JSON.stringify(manifest);
}

/** The manifests of each cluster when declarations change and replicas stay where they are, with engines as declared now. */
function rendered({ schedule }: Planned, resources: Input['resources']): (cluster: string) => readonly KubeObject[] {
  const fleet = expandModels(assemble(resources), {});
  const model = compileFleet(fleet, ({ kind, metadata }) => `${kind} ${metadata.name}`);
  const shapes = new Map(model.deployments.map(({ id, shape }) => [id, shape]));
  const placements = schedule.placements.map((placement) => {
    return { ...placement, shape: shapes.get(placement.deployment) ?? placement.shape };
  });
  const replicas = computeReplicas(fleet, model, new PodMatcher(), placements);
  const { routing } = resolveRouting(fleet, replicas);
  return (cluster) =>
    fleet.clusters.flatMap((one) =>
      one.metadata.name === cluster ? renderCluster(one, replicas, { fleet, routing }) : [],
    );
}
