import { type Client, type KubeObject, ok } from '../harness/client';
import { concurrently } from '../harness/concurrently';
import { nodeObjects } from '../harness/nodes';
import { collection, pathOf } from '../harness/resources';
import type { Watch } from '../harness/watch';
import type { Planned } from './plan';
import { admits, type Queue, summed } from './quotas';
import { type Refusal, refusalsOf } from './refusals';
import type { FleetSpec } from './fleets';
import { openNamespace, type Site } from './site';
import { attempt } from './trial';

/** What the real scheduler made of what the plan refused. */
export interface Tally {
  /** Refused for the devices of a node; tried on such a node alone. */
  readonly devices: number;
  readonly devicesBound: string[];

  /** Refused because a selector fails on a device there; tried in the same way. */
  readonly selectorErrors: number;
  readonly selectorErrorsBound: number;

  /** Refused for want of room that is sure: tried on an empty pool, and in the pool as it is. */
  readonly capacity: number;
  readonly boundAlone: number;
  readonly boundInCompany: number;

  /** Those of them that Kueue would not admit either, and what the scheduler binds of these: its queue has too little. */
  readonly overQuota: number;
  readonly overQuotaBound: readonly string[];
}

/** No more of each kind for a fleet: the rest of the time belongs to promises. */
const MOST_TRIED = 4;

/** Where to try, and the queues of clusters that have one. */
interface Place {
  readonly client: Client;
  readonly pods: Watch;
  readonly queues: ReadonlyMap<string, Queue>;
}

/** Tries what the plan refused, while everything that it placed is running. */
export async function tryRefusals(
  { client, pods, queues }: Place,
  planned: Planned,
  spec: FleetSpec,
  sites: readonly Site[],
): Promise<Tally> {
  const all = refusalsOf(planned, spec);
  const of = (why: Refusal['why']): Refusal[] => all.filter((one) => one.why === why).slice(0, MOST_TRIED);
  const namespace = `${sites[0]!.prefix}-refused`;
  await openNamespace(client, namespace);
  const trial = { client, pods, planned, spec, namespace };

  const [devices, errors, capacity] = [of('devices'), of('selector-error'), of('capacity')];
  const onDevices = await concurrently(2, devices, (one, i) => bindsAlone(one, `d${i}`, trial));
  const onErrors = await concurrently(2, errors, (one, i) => bindsAlone(one, `s${i}`, trial));
  const alone = await concurrently(2, capacity, (one, i) => bindsAlone(one, `c${i}`, trial));
  const company: Company[] = [];
  for (const [i, one] of capacity.entries()) {
    const site = sites.find(({ cluster }) => cluster.metadata.name === one.cluster)!;
    company.push(await bindsInCompany(one, { name: `company-${i}`, site, queue: queues.get(one.cluster) }, trial));
  }
  const overQuota = company.filter(({ admitted }) => !admitted);
  return {
    devices: devices.length,
    devicesBound: devices.filter((_, i) => onDevices[i]).map(({ what }) => what),
    selectorErrors: errors.length,
    selectorErrorsBound: onErrors.filter(Boolean).length,
    capacity: capacity.length,
    boundAlone: alone.filter(Boolean).length,
    boundInCompany: company.filter(({ binds }) => binds).length,
    overQuota: overQuota.length,
    overQuotaBound: overQuota.filter(({ binds }) => binds).map(({ what }) => what),
  };
}

/** What became of what was refused, next to everything that runs. */
interface Company {
  readonly what: string;

  /** Whether the queue has quota for it. True where there is none. */
  readonly admitted: boolean;
  readonly binds: boolean;
}

/** How often to try again while the pods of the cluster change. */
const TRIES = 3;

async function bindsInCompany(
  { claims: [claims = []], pods: count, pool, what }: Refusal,
  { name, site, queue }: { readonly name: string; readonly site: Site; readonly queue: Queue | undefined },
  { client, pods, namespace }: Trial,
): Promise<Company> {
  const nodeSelector = { [site.cluster.spec.poolLabel]: pool };
  const devices = claims.map(({ forms: [form] }) => [form?.claimedAs ?? '', (form?.count ?? 0) * count] as const);
  const admitted = queue === undefined || admits(queue, nodeSelector, summed(devices));
  for (let i = 1; ; i++) {
    const before = await running(site, client);
    const trial = { namespace, name: `${name}-${i}`, claims, pods: count, nodeSelector };
    const binds = (await attempt(client, pods, trial)).bound === count;
    const after = await running(site, client);
    // A pod that is between two nodes leaves room for a moment: only what binds next to the same pods says something.
    if (!binds || admitted || before === after) return { what: `${what}, next to ${after}`, admitted, binds };
    if (i === TRIES) return { what, admitted, binds: false };
  }
}

/** The pods of a cluster and where each runs, as the API server has them now: a watch may be behind. */
async function running(site: Site, client: Client): Promise<string> {
  const namespaces = [...new Set(site.podsHere().map(({ metadata }) => metadata.namespace))].sort();
  const lists = await Promise.all(
    namespaces.map((one) => client.get<{ items: KubeObject[] }>(`/api/v1/namespaces/${one}/pods`)),
  );
  return lists
    .flatMap(({ body }) => body.items)
    .map(({ metadata, spec, status }) => {
      const phase = metadata.deletionTimestamp === undefined ? status?.['phase'] : 'Terminating';
      return `${metadata.namespace}/${metadata.name} on ${spec?.['nodeName']} (${metadata.uid}, ${phase})`;
    })
    .join(', ');
}

interface Trial {
  readonly client: Client;
  readonly pods: Watch;
  readonly planned: Planned;
  readonly spec: FleetSpec;
  readonly namespace: string;
}

/** Whether the scheduler binds what was refused on new nodes, as many as the pool has, by any way to claim it. */
async function bindsAlone(refusal: Refusal, name: string, trial: Trial): Promise<boolean> {
  const { client, pods, planned, spec, namespace } = trial;
  const nodeClass = planned.fleet.classes.find(({ metadata }) => metadata.name === refusal.className);
  const label = { [`${namespace}.test/trial`]: name };
  const declared = spec.clusters.find((one) => one.name === refusal.cluster)?.pools[Number(refusal.pool.slice(1))];
  const count = refusal.why === 'capacity' ? (declared?.nodes ?? 1) : 1;
  const nodes = Array.from({ length: count }, (_, i) =>
    nodeObjects(`${namespace}-${name}-${i}`, nodeClass, { labels: label }),
  ).flat();
  await concurrently(8, nodes, async (node) => ok(await client.post(collection(node), node), pathOf(node)));
  let binds = false;
  for (const [w, claims] of refusal.claims.entries()) {
    const how = { namespace, name: `${name}-${w}`, claims, pods: refusal.pods, nodeSelector: label };
    const { bound } = await attempt(client, pods, how);
    binds ||= bound === refusal.pods;
  }
  await concurrently(8, nodes, (node) => client.delete(pathOf(node)));
  return binds;
}
