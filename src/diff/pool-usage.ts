import { DYNAMO } from '../catalog/backends';
import { DEPLOYMENT_LABEL } from '../api/labels';
import { validateAgainst } from '../api/schema/validate';
import { CHANNEL_CLAIM_NAME } from '../render/compute-domain';
import { Interner } from '../base/interning';
import { listAt, textAt, valueAt } from '../base/json';
import { groupBy, sortedBy } from '../base/order';
import { cel } from '../cel/lazy';
import type { Selector } from '../cel/selector';
import { SelectorError } from '../cel/selector-error';
import { readCopyBounds } from '../manifest/kubernetes/copy-bounds';
import { isWarmNodePod } from '../manifest/kubernetes/labels-and-annotations';
import type { AttributeConstraint, PodDeviceRequest, PodShape, RequestAlternative } from '../scheduler/compile/shapes';
import type { Pool } from '../scheduler/compiled-fleet';
import type { PodMatcher } from '../scheduler/devices/match-pod';
import type { PoolLoad } from '../scheduler/ledger';
import { footprintKeyOf, type PodFootprint } from '../scheduler/packing/pod-footprint';
import { sumPodRequests } from '../snapshot/pod-requests';
import { podSchema, type RecordedPod } from '../snapshot/recorded-objects';
import { formatNamespacedName, type LiveObject } from '../manifest/kubernetes/live-object';

/** A workload on a pool, and its load on the pool. */
export interface PoolUsage {
  /** The kind, namespace and name of the workload, and the pool if it is on several. */
  readonly id: string;

  /** The kind, namespace and name of the workload. */
  readonly workload: string;

  /** `namespace/name` of its deployment. */
  readonly deployment: string;
  readonly pool: Pool;

  /** The load of its pods, and of the pods that a rollout adds (`surge`). */
  readonly pods: readonly PoolLoad[];
  readonly surge: readonly PoolLoad[];
}

/** Whether a workload needs more than before. */
export function usesMore({ pool, pods, surge }: PoolUsage, before: PoolUsage | undefined): boolean {
  if (before?.pool !== pool) return true;
  return exceeds(pods, before.pods) || exceeds(surge, before.surge);
}

function exceeds(now: readonly PoolLoad[], before: readonly PoolLoad[]): boolean {
  return now.some(({ footprint }) => countPods(now, footprint) > countPods(before, footprint));
}

function countPods(loads: readonly PoolLoad[], footprint: PodFootprint): number {
  const key = footprintKeyOf(footprint);
  const equal = loads.filter((one) => footprintKeyOf(one.footprint) === key);
  return equal.reduce((sum, { pods }) => sum + pods, 0);
}

/** The inputs for computing the usage of workloads. */
interface UsageContext {
  readonly pools: readonly Pool[];

  /** The node label that contains the name of the pool. */
  readonly poolLabel: string;
  readonly matcher: PodMatcher;
}

/** Pods of a workload with the same template. */
interface PodGroup {
  readonly template: unknown;
  readonly pods: number;
  readonly surge: number;
}

/** The copies of a workload. One that an autoscaler sizes and that does not run counts with all that it can have. */
function copiesOf(object: LiveObject): number {
  return numberAt(object, ['replicas'], readCopyBounds(object)?.max ?? 1);
}

/** The workload kinds that waves wait for, with a function that lists their pods. */
const POD_GROUPS_BY_KIND: Readonly<Record<string, (object: LiveObject) => readonly PodGroup[]>> = {
  Deployment: (object) => {
    const surge = numberAt(object, ['strategy', 'rollingUpdate', 'maxSurge'], 0);
    return [{ template: specFieldAt(object, ['template']), pods: copiesOf(object), surge }];
  },
  LeaderWorkerSet: (object) => {
    const groups = copiesOf(object);
    const surge = numberAt(object, ['rolloutStrategy', 'rollingUpdateConfiguration', 'maxSurge'], 0);
    const workers = numberAt(object, ['leaderWorkerTemplate', 'size'], 1) - 1;
    const worker = specFieldAt(object, ['leaderWorkerTemplate', 'workerTemplate']);
    const leader = specFieldAt(object, ['leaderWorkerTemplate', 'leaderTemplate']);
    return [
      { template: leader, pods: groups, surge },
      { template: worker, pods: groups * workers, surge: surge * workers },
    ];
  },
  LLMInferenceService: (object) => {
    const prefill = specFieldAt(object, ['prefill']);
    const copies = Number(valueAt(prefill, ['replicas']) ?? 1);
    return [
      ...servicePods(object['spec'], copiesOf(object)),
      ...(prefill === undefined ? [] : servicePods(prefill, copies)),
    ];
  },
  DynamoGraphDeployment: (object) => {
    const surge = Number(specFieldAt(object, ['annotations', DYNAMO.annotations.maxSurge]) ?? 0);
    return listAt(object, ['spec', 'components']).map((component) => {
      const size = Number(valueAt(component, ['multinode', 'nodeCount']) ?? 1);
      const copies = Number(valueAt(component, ['replicas']) ?? 1);
      return { template: valueAt(component, ['podTemplate']), pods: copies * size, surge: surge * size };
    });
  },
};

/** The pods of one half of a service of KServe. Without a strategy, a Deployment adds one of few pods. */
function servicePods(workload: unknown, copies: number): PodGroup[] {
  const worker = valueAt(workload, ['worker']);
  const declared = valueAt(workload, ['rolloutStrategy', 'maxSurge']) ?? (worker === undefined ? 1 : 0);
  const surge = Number(declared);
  const leader = { template: { spec: valueAt(workload, ['template']) }, pods: copies, surge };
  if (worker === undefined) return [leader];
  const sizes = ['pipeline', 'data', 'dataLocal'].map((name) => valueAt(workload, ['parallelism', name]));
  const [pipeline, data = 1, local = 1] = sizes;
  const workers = Number(pipeline ?? Number(data) / Number(local)) - 1;
  return [leader, { template: { spec: worker }, pods: copies * workers, surge: surge * workers }];
}

/** Computes the usage of each workload on the pools of a cluster. Workloads on other pools are omitted. */
export function listPoolUsage(
  objects: readonly LiveObject[],
  { pools, poolLabel, matcher }: UsageContext,
): PoolUsage[] {
  const shapes = new PodShapes(objects);
  return objects.flatMap((object): PoolUsage[] => {
    if (isWarmNodePod(object.metadata.labels ?? {})) return [];
    const podGroups = POD_GROUPS_BY_KIND[object.kind]?.(object) ?? [];
    // The two halves of a pair may be on two pools.
    const byPool = groupBy(podGroups, ({ template }) => textAt(template, ['spec', 'nodeSelector', poolLabel]));
    return [...byPool].flatMap(([name, own], i) => {
      const pool = pools.find((one) => one.name === name);
      const workload = workloadKeyOf(object);
      const id = `${workload}${i === 0 ? '' : ` on ${name}`}`;
      return pool ? [{ id, workload, ...usageOn(pool, own, { object, shapes, matcher }) }] : [];
    });
  });
}

/** `Deployment ml/chat-0`. */
export function workloadKeyOf({ kind, ...object }: Pick<LiveObject, 'kind' | 'metadata'>): string {
  return `${kind} ${formatNamespacedName(object)}`;
}

interface PodGroupOwner extends Pick<UsageContext, 'matcher'> {
  readonly object: LiveObject;
  readonly shapes: PodShapes;
}

/** The usage of the pods of a workload that are on one pool. */
function usageOn(
  pool: Pool,
  podGroups: readonly PodGroup[],
  { object, shapes, matcher }: PodGroupOwner,
): Omit<PoolUsage, 'id' | 'workload'> {
  const { namespace = '', labels } = object.metadata;
  const footprints = podGroups.map(({ template }) => {
    const fit = matcher.fit(shapes.of(template, namespace, extendedResourcesOf(pool)), pool.node);
    // Pods that do not match the declared devices still hold some, so they count as a whole node.
    return 'misfit' in fit ? 'node' : fit.footprint;
  });
  const loadsOf = (part: 'pods' | 'surge'): PoolLoad[] =>
    podGroups
      .map((one, i) => ({ pool, footprint: footprints[i] ?? 'node', pods: one[part] }))
      .filter(({ footprint }) => footprint.length > 0);
  const deployment = `${namespace}/${labels?.[DEPLOYMENT_LABEL] ?? object.metadata.name}`;
  return { deployment, pool, pods: loadsOf('pods'), surge: loadsOf('surge') };
}

/**
 * The extended resources that are devices of a pool. On a pool with claims these are device classes, which no
 * container requests.
 */
function extendedResourcesOf({ node: { kinds } }: Pool): ReadonlySet<string> {
  return new Set(kinds.flatMap(({ claimedAs }) => claimedAs ?? []));
}

function specFieldAt(object: LiveObject, path: readonly string[]): unknown {
  return valueAt(object, ['spec', ...path]);
}

function numberAt(object: LiveObject, path: readonly string[], otherwise: number): number {
  const found = specFieldAt(object, path);
  return typeof found === 'number' ? found : otherwise;
}

/** Reads the resource requests of pods from their templates, in manifests and on API servers. */
class PodShapes {
  readonly #claims: ReadonlyMap<string, LiveObject>;
  readonly #shapes = new Interner<PodShape>();
  readonly #selectors = new Interner<Selector>();

  /** @param objects the objects that contain the claim templates of the pods */
  constructor(objects: readonly LiveObject[]) {
    const templates = objects.filter(({ kind }) => kind === 'ResourceClaimTemplate');
    this.#claims = new Map(templates.map((one) => [formatNamespacedName(one), one]));
  }

  /**
   * The resource requests of a pod of a template. Each rendered pod has one claim for devices, and on racks one for a
   * channel, whose template the driver makes. Other claims whose template is not among the objects request nothing.
   *
   * @param counted extended resources that are devices of the node. Other extended resources are ignored
   */
  of(template: unknown, namespace: string, counted: ReadonlySet<string>): PodShape {
    const claims = listAt(template, ['spec', 'resourceClaims']);
    const devices = claims.flatMap((claim) => {
      const found = this.#claims.get(`${namespace}/${textAt(claim, ['resourceClaimTemplateName'])}`);
      return found ? [valueAt(found, ['spec', 'spec', 'devices'])] : [];
    });
    const pod = parsePod(template);
    const requests = [...devices.flatMap((one) => this.#requests(one)), ...extendedRequestsOf(pod, counted)];
    const constraints = devices.flatMap(parseConstraints);
    const resources = { cpu: sumPodRequests(pod, 'cpu'), memory: sumPodRequests(pod, 'memory') };
    const sidecars = { running: {}, startup: {} };
    const claimsChannel = claims.some((claim) => textAt(claim, ['name']) === CHANNEL_CLAIM_NAME);
    const channel = claimsChannel ? ({ gang: true } as const) : {};
    const shape = { requests, constraints, uses: [], resources, sidecars, processes: 0, ...channel };
    return this.#shapes.intern(JSON.stringify(shape), () => shape);
  }

  #requests(devices: unknown): PodDeviceRequest[] {
    return listAt(devices, ['requests']).map((request) => {
      const several = listAt(request, ['firstAvailable']);
      const forms = several.length > 0 ? several : [valueAt(request, ['exactly'])];
      return { name: textAt(request, ['name']), alternatives: forms.map((form) => this.#form(form)) };
    });
  }

  #form(form: unknown): RequestAlternative {
    const name = textAt(form, ['name']);
    const expressions = listAt(form, ['selectors']).map((one) => textAt(one, ['cel', 'expression']));
    return {
      ...(name !== '' && { name }),
      claimedAs: textAt(form, ['deviceClassName']),
      count: Number(valueAt(form, ['count']) ?? 1),
      ...(textAt(form, ['allocationMode']) === 'All' && { all: true }),
      selectors: expressions.map((text) => this.#selectors.intern(text, () => compileSelector(text))),
      ...capacityOf(form),
    };
  }
}

/** The part of a device that a request takes, in the order of the names. */
function capacityOf(form: unknown): Pick<RequestAlternative, 'capacity'> {
  const requests = valueAt(form, ['capacity', 'requests']);
  if (typeof requests !== 'object' || requests === null) return {};
  const sorted = sortedBy(Object.entries(requests), ([name]) => name);
  return { capacity: Object.fromEntries(sorted.map(([name, amount]) => [name, String(amount)])) };
}

/** Compiles a selector. An invalid selector becomes one that fails on every device. */
function compileSelector(expression: string): Selector {
  try {
    return cel().compileSelector(expression);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { expression, match: () => ({ kind: 'error', message: error.message }) };
  }
}

function parseConstraints(devices: unknown): AttributeConstraint[] {
  return listAt(devices, ['constraints']).map((constraint): AttributeConstraint => {
    const requests = listAt(constraint, ['requests']).map(String);
    const match = textAt(constraint, ['matchAttribute']);
    return match === ''
      ? { rule: 'distinct', attribute: textAt(constraint, ['distinctAttribute']), requests }
      : { rule: 'match', attribute: match, requests };
  });
}

function parsePod(template: unknown): RecordedPod {
  const spec = {
    containers: parseContainers(template, 'containers'),
    initContainers: parseContainers(template, 'initContainers'),
  };
  const checked = validateAgainst(podSchema, { metadata: { name: 'template' }, spec });
  return 'value' in checked ? checked.value : EMPTY_POD;
}

const EMPTY_POD: RecordedPod = podSchema.parse({ metadata: { name: 'template' }, spec: { containers: [] } });

/** The resources of containers. In Kubernetes, a limit without a request is also the request. */
function parseContainers(template: unknown, list: string): object[] {
  return listAt(template, ['spec', list]).map((container) => {
    const [limits, requests] = ['limits', 'requests'].map((one) => valueAt(container, ['resources', one]));
    const restartPolicy = valueAt(container, ['restartPolicy']);
    return { resources: { requests: Object.assign({}, limits, requests) as object }, restartPolicy };
  });
}

function extendedRequestsOf({ spec }: RecordedPod, counted: ReadonlySet<string>): PodDeviceRequest[] {
  return [...counted].flatMap((name): PodDeviceRequest[] => {
    const amounts = spec.containers.map(({ resources }) => Number(resources.requests[name] ?? 0));
    const count = amounts.reduce((sum, one) => sum + one, 0);
    return count > 0 ? [{ name, alternatives: [{ claimedAs: name, count, selectors: [] }] }] : [];
  });
}
