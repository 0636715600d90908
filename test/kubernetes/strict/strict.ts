import { assemble } from '../../../src/fleet';
import { renderCluster } from '../../../src/render/cluster';
import { computeReplicas } from '../../../src/render/replica';
import { compile } from '../../../src/scheduler/compile';
import { Matcher } from '../../../src/scheduler/matcher';
import type { Client, KubeObject } from '../harness/client';
import { startControlPlane } from '../harness/control-plane';
import { concurrently } from '../harness/concurrently';
import { findCrds, installCrds } from '../harness/crds';
import { templatesAsSets } from '../harness/gangs';
import { say } from '../harness/say';
import type { Options, Part, Report } from '../part';
import { plan, type Planned } from '../promises/plan';
import { type Input, inputs } from './inputs';
import { podOf } from './pods';
import { applyTwice, send, tryPod } from './send';
import { Tally } from './tally';
import { changed, UPDATES } from './updates';

/** Every object that we emit is one that the API server takes, keeps and lets us change. */
export const strict: Part = { name: 'strict', run };

/** Generated fleets beside the examples. */
const FLEETS = { short: 12, long: 60 };

async function run({ long, seed }: Options): Promise<Report> {
  const plane = await startControlPlane({ daemons: false });
  let passed = false;
  try {
    const { crds, skipped } = await findCrds();
    for (const line of skipped) say(`  ${line}`);
    await installCrds(plane.client, crds);
    const gangs = crds.some(({ text }) => /^\s+kind: LeaderWorkerSet$/m.test(text));
    const tally = new Tally(crds.length);
    const all = inputs(seed, FLEETS[long ? 'long' : 'short']);
    const work = concurrently(4, all, (input, i) =>
      sendFleet(plane.client, input, `s${i}`, { tally, gangs }),
    );
    await Promise.race([plane.failure, work]);
    const report = tally.report(skipped);
    passed = report.failures.length === 0;
    return report;
  } finally {
    const logs = await plane.stop(!passed);
    if (logs) say(`  the logs of the control plane are in ${logs}`);
  }
}

interface Context {
  readonly tally: Tally;

  /** Whether the API server knows LeaderWorkerSets. */
  readonly gangs: boolean;
}

async function sendFleet(client: Client, input: Input, prefix: string, context: Context): Promise<void> {
  const planned = plan(input.resources);
  for (const { cluster, manifests } of planned.clusters) {
    const place = `${prefix}-${cluster.metadata.name}`;
    await sendManifests(client, manifests, place, context);
    for (const [what, change] of Object.entries(UPDATES)) {
      const after = rendered(planned, changed(input.resources, change), cluster.metadata.name);
      const objects = after.flatMap((manifest) => here(manifest, place, context));
      const kept = objects.filter(
        (object) =>
          !manifests.some((one) => JSON.stringify(here(one, place, context)[0]) === JSON.stringify(object)),
      );
      const faults = await concurrently(4, kept, (object) => applyTwice(client, object));
      context.tally.updated(what, kept.length, faults.flat());
    }
  }
}

/** The manifests of a cluster when declarations change and replicas stay where they are. */
function rendered(
  { schedule }: Planned,
  resources: Input['resources'],
  cluster: string,
): readonly KubeObject[] {
  const fleet = assemble(resources);
  const model = compile(fleet, ({ kind, metadata }) => `${kind} ${metadata.name}`);
  const replicas = computeReplicas(fleet, model, new Matcher(), schedule.placements);
  return fleet.clusters.flatMap((one) =>
    one.metadata.name === cluster ? renderCluster(one, replicas, { fleet }) : [],
  );
}

async function sendManifests(
  client: Client,
  manifests: readonly KubeObject[],
  place: string,
  context: Context,
): Promise<void> {
  const namespaces = new Set(
    manifests.map(({ metadata }) => metadata.namespace).filter((name) => name !== undefined),
  );
  for (const name of namespaces) await openNamespace(client, `${place}-${name}`);
  await concurrently(4, manifests, async (manifest) => {
    for (const object of here(manifest, place, context)) {
      context.tally.sent(object.kind ?? '', await send(client, object));
    }
    const own = {
      ...manifest,
      metadata: { ...manifest.metadata, namespace: `${place}-${manifest.metadata.namespace}` },
    };
    const sets = templatesAsSets(own);
    for (const set of sets) context.tally.sent('StatefulSet of a gang', await send(client, set));
    for (const pod of [own, ...sets].flatMap(podOf)) {
      const { faults, warning } = await tryPod(client, pod);
      context.tally.pod(faults, warning);
    }
  });
}

/** A manifest in the namespace that stands for its own; nothing where the API server does not know its kind. */
function here(manifest: KubeObject, place: string, { gangs }: Context): KubeObject[] {
  if (manifest.kind === 'LeaderWorkerSet' && !gangs) return [];
  const { namespace, name } = manifest.metadata;
  const metadata =
    manifest.kind === 'Namespace'
      ? { ...manifest.metadata, name: `${place}-${name}` }
      : { ...manifest.metadata, namespace: `${place}-${namespace}` };
  return [{ ...manifest, metadata }];
}

/** Refuses pods below the level `baseline`, tells of those below `restricted`, and has the account that pods need. */
async function openNamespace(client: Client, name: string): Promise<void> {
  const labels = {
    'pod-security.kubernetes.io/enforce': 'baseline',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  await client.post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  await client.post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
}
