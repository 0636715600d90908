import { parseQuantity } from '../../../src/cel/values/quantity';
import type { Client, Doc, KubeObject } from '../harness/client';
import { KINDS } from './kinds';
import type { Site } from './site';

/** What a flavor of a cluster's queue has of a resource or a device class. */
export interface Quota {
  readonly flavor: string;
  readonly resource: string;
  readonly nominal: number;

  /** What the pods that run take of it. */
  readonly used: number;

  /** What the nodes of the flavor have. */
  readonly published: number;
}

/** What the queue of a cluster counts. */
export interface Queue {
  readonly flavors: readonly Flavor[];
  readonly quotas: readonly Quota[];
  readonly pods: number;

  /** What Kueue would not admit, and quotas that are not what there is. */
  readonly wrong: readonly string[];
}

interface Flavor {
  readonly name: string;

  /** The labels of its nodes. */
  readonly labels: Labels;

  /** Its quotas, by resource and device class. */
  readonly nominal: Amounts;
}

type Labels = Readonly<Record<string, string>>;
type Amounts = ReadonlyMap<string, number>;

/**
 * What Kueue would count on a settled cluster, by the rules of its sources, since its controller is not here. Everything
 * comes from the objects as the API server has them: queues, pods, claims, nodes and slices. Absent: there is no queue.
 */
export async function readQueue(site: Site, client: Client): Promise<Queue | undefined> {
  const [clusterQueue] = await site.stored('ClusterQueue');
  if (!clusterQueue) return undefined;
  const group = (clusterQueue.spec as unknown as ClusterQueueSpec).resourceGroups[0]!;
  const labels = new Map((await site.stored('ResourceFlavor')).map((one) => [one.metadata.name, nodeLabels(one)]));
  const flavors = group.flavors.map(({ name, resources }): Flavor => {
    const nominal = new Map(resources.map((one) => [one.name, amountOf(one.nominalQuota)]));
    return { name, labels: labels.get(site.namespace(name)) ?? {}, nominal };
  });
  const pods = await takenByPods(site, client, flavors);
  const quotas = flavors.flatMap((flavor) => {
    const own = pods.filter((pod) => pod.flavor === flavor);
    return [...flavor.nominal].map(([resource, nominal]): Quota => {
      const used = own.reduce((sum, { takes }) => sum + (takes.get(resource) ?? 0), 0);
      return { flavor: flavor.name, resource, nominal, used, published: publishedFor(site, flavor, resource) };
    });
  });
  return {
    flavors,
    quotas,
    pods: pods.length,
    wrong: [
      ...(await unqueued(site, clusterQueue)),
      ...pods.flatMap((pod) => notAdmitted(pod, group.coveredResources)),
      ...quotas.flatMap(wrongQuota).map((what) => `${clusterQueue.metadata.name}: ${what}`),
    ],
  };
}

/** Whether Kueue would admit further pods that take so many devices of each class. */
export function admits({ flavors, quotas }: Queue, nodeSelector: Labels, devices: Amounts): boolean {
  const flavor = flavors.find(({ labels }) => isWithin(labels, nodeSelector));
  const own = quotas.filter((quota) => quota.flavor === flavor?.name);
  return [...devices].every(([name, count]) => {
    const quota = own.find(({ resource }) => resource === name);
    return quota !== undefined && quota.used + count <= quota.nominal;
  });
}

interface ClusterQueueSpec {
  readonly namespaceSelector: { readonly matchExpressions: readonly { readonly values: readonly string[] }[] };
  readonly resourceGroups: readonly {
    readonly coveredResources: readonly string[];
    readonly flavors: readonly {
      readonly name: string;
      readonly resources: readonly { readonly name: string; readonly nominalQuota: string | number }[];
    }[];
  }[];
}

function nodeLabels({ spec }: KubeObject): Labels {
  return spec?.['nodeLabels'] as Labels;
}

/** Workloads that do not wait in a queue that leads to the cluster's. Their labels say which it is. */
async function unqueued(site: Site, { metadata, spec }: KubeObject): Promise<string[]> {
  const locals = await site.stored('LocalQueue');
  const { namespaceSelector } = spec as unknown as ClusterQueueSpec;
  const { values } = namespaceSelector.matchExpressions[0]!;
  const namespaces = new Set(values.map((name) => site.namespace(name)));
  const workloads = [...(await site.stored('Deployment')), ...(await site.stored('LeaderWorkerSet'))];
  return workloads.flatMap(({ kind, metadata: { name, namespace = '', labels } }) => {
    const queue = labels?.['kueue.x-k8s.io/queue-name'];
    const local = locals.find((one) => one.metadata.namespace === namespace && one.metadata.name === queue);
    const leads = site.namespace(String(local?.spec?.['clusterQueue'])) === metadata.name;
    if (leads && namespaces.has(namespace)) return [];
    return [`${kind} ${namespace}/${name} waits in ${queue ?? 'no queue'}, which does not lead to ${metadata.name}`];
  });
}

/** A pod that runs, and what Kueue counts for it. */
interface Taken {
  readonly pod: KubeObject;

  /** The one whose labels the pod selects. Absent: none or several. */
  readonly flavor: Flavor | undefined;
  readonly takes: Amounts;

  /** Requests of its claims that Kueue does not count. */
  readonly uncounted: readonly string[];
}

async function takenByPods(site: Site, client: Client, flavors: readonly Flavor[]): Promise<Taken[]> {
  const pods = site.podsHere();
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace))];
  const lists = await Promise.all(
    namespaces.map((name) =>
      client.get<{ items: KubeObject[] }>(`/apis/resource.k8s.io/v1/namespaces/${name}/resourceclaims`),
    ),
  );
  const claims = new Map(
    lists.flatMap(({ body }) => body.items.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one])),
  );
  return pods.map((pod) => {
    const selected = flavors.filter(({ labels }) => isWithin(labels, (pod.spec?.['nodeSelector'] ?? {}) as Labels));
    const requests = requestsOf(pod, claims);
    const uncounted = requests.filter(({ exactly }) => !isCounted(exactly)).map((request) => JSON.stringify(request));
    const takes = summed([
      ...containersOf(pod).flatMap(({ resources }) => amountsOf({ ...resources?.limits, ...resources?.requests })),
      ...requests.map(({ exactly }): [string, number] => [String(exactly?.deviceClassName), exactly?.count ?? 0]),
    ]);
    return { pod, flavor: selected.length === 1 ? selected[0] : undefined, takes, uncounted };
  });
}

interface Request {
  readonly exactly?: Doc & { readonly deviceClassName: string; readonly count?: number };
}

function requestsOf({ metadata, status }: KubeObject, claims: ReadonlyMap<string, KubeObject>): Request[] {
  const own = (status?.['resourceClaimStatuses'] ?? []) as { resourceClaimName?: string }[];
  return own.flatMap(({ resourceClaimName }) => {
    const claim = claims.get(`${metadata.namespace}/${resourceClaimName}`);
    return (claim?.spec?.['devices'] as { requests: Request[] } | undefined)?.requests ?? [];
  });
}

/** Kueue counts requests for a number of whole devices of one class (KueueDRAIntegration). */
function isCounted(exactly: Request['exactly']): boolean {
  return exactly?.['allocationMode'] === 'ExactCount' && exactly['capacity'] === undefined;
}

interface Container {
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

function containersOf({ spec }: KubeObject): readonly Container[] {
  return (spec?.['containers'] ?? []) as Container[];
}

function notAdmitted({ pod, flavor, takes, uncounted }: Taken, covered: readonly string[]): string[] {
  const { namespace, name } = pod.metadata;
  const others = [...takes.keys()].filter((resource) => !covered.includes(resource));
  return [
    ...(flavor ? [] : ['it selects no flavor, or several']),
    ...others.map((resource) => `the queue does not cover ${resource}`),
    ...uncounted.map((request) => `the queue does not count ${request}`),
  ].map((what) => `Kueue would not admit ${namespace}/${name}: ${what}`);
}

function wrongQuota({ flavor, resource, nominal, used, published }: Quota): string[] {
  const of = `${resource} of ${flavor}`;
  return [
    ...(used > nominal ? [`the quota is ${nominal} ${of}, and pods that the plan placed take ${used}`] : []),
    ...(nominal !== published ? [`the quota is ${nominal} ${of}, and its nodes have ${published}`] : []),
  ];
}

/** What the nodes of a flavor have of a resource, or in slices of a device class. */
function publishedFor(site: Site, { labels }: Flavor, resource: string): number {
  const nodes = site.nodeObjects('Node').filter(({ metadata }) => isWithin(labels, metadata.labels ?? {}));
  const names = new Set<unknown>(nodes.map(({ metadata }) => metadata.name));
  const allocatable = nodes.map(({ status }) => (status?.['allocatable'] as Labels | undefined)?.[resource] ?? 0);
  const driver = Object.values(KINDS).find(({ deviceClassName }) => deviceClassName === resource)?.driver;
  const slices = site
    .nodeObjects('ResourceSlice')
    .filter(({ spec }) => spec?.['driver'] === driver && names.has(spec?.['nodeName']));
  const devices = slices.map(({ spec }) => ((spec?.['devices'] ?? []) as unknown[]).length);
  return [...allocatable.map(amountOf), ...devices].reduce((sum, one) => sum + one, 0);
}

function isWithin(labels: Labels, others: Labels): boolean {
  return Object.entries(labels).every(([key, value]) => others[key] === value);
}

/** Adds up amounts by name. */
export function summed(amounts: readonly (readonly [string, number])[]): Amounts {
  const sums = new Map<string, number>();
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + amount);
  return sums;
}

function amountsOf(quantities: Labels): [string, number][] {
  return Object.entries(quantities).map(([name, quantity]) => [name, amountOf(quantity)]);
}

function amountOf(quantity: string | number): number {
  return parseQuantity(String(quantity)).asApproximateFloat();
}
