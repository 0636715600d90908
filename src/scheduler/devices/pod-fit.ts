import { compareText, groupBy } from '../../base/order';
import {
  addSidecarRequests,
  floorOf,
  RESOURCE_NAMES,
  type ResourceAmounts,
  type ResourceName,
  roundResourceDown,
} from '../compile/resource-requests';
import type { DeviceKind, NodeShape, PodDeviceRequest, PodShape, RequestAlternative } from '../compile/shapes';
import {
  groupConnected,
  type KindAmount,
  MAX_OVERLAPPING,
  normalizeFootprint,
  type PodFootprint,
} from '../packing/pod-footprint';
import { partOfParent } from '../packing/counter-sets';
import { type DevicePart, partOfDevice } from '../packing/shared-devices';
import { assignDevices } from './assign-devices';
import { partOf } from './device-parts';
import { countDevices, type RequestBinding } from './match-request';

/** How the devices of a node meet the requests of a pod. */
export interface PodFit {
  readonly footprint: PodFootprint;
  /** The content of the pod's claim, the narrowest request first. Empty if only synthetic devices match. */
  readonly claims: readonly Claim[];
  /** Memory in bytes of the devices that the pod takes. */
  readonly memory: number;
  /** The largest share of any kind of device of the node that the pod takes, from 0 to 1. */
  readonly share: number;
  /** The requests of the pod, sidecars included, in the units of the ledger. */
  readonly resources: ResourceAmounts;
  /** The requests of the engine's container: as declared, or the pod's share of the node less the sidecars, or floors. */
  readonly engineResources: ResourceAmounts;
  /** The resources that the engine's container requests a floor of, because nothing states how much it gets. */
  readonly floored: readonly ResourceName[];
  /** Attributes of constraints that the class does not state well enough to evaluate. */
  readonly unjudged: readonly string[];
}

/** One request of a claim, in the forms that the node can meet, the best first. */
export interface Claim {
  readonly request: string;
  readonly forms: readonly ClaimForm[];
}

/** A form of a request, bound to the device class, or extended resource, whose devices it takes. */
export interface ClaimForm {
  /** Absent if the request has only one form. */
  readonly name?: string;
  readonly claimedAs: string;
  readonly count: number;
  /** Whether it takes all devices of the node that match. They are `count`. */
  readonly all?: true;
  readonly selectors: readonly string[];
  /** The amount of each capacity that it takes of the device, as declared. */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** The devices that a pod claims in the first form of each request, by device class or extended resource. */
export function countClaimedDevices({ claims }: Pick<PodFit, 'claims'>): Readonly<Record<string, number>> {
  const devices: Record<string, number> = {};
  for (const { claimedAs, count } of claims.flatMap(({ forms }) => forms.slice(0, 1))) {
    devices[claimedAs] = (devices[claimedAs] ?? 0) + count;
  }
  return devices;
}

/**
 * The fit of a pod on a node: the devices of its first solution, and a footprint that is valid for every solution,
 * because the cluster may choose any.
 */
export function toPodFit(
  pod: PodShape,
  first: PodSolution,
  solutions: readonly PodSolution[],
  node: NodeShape,
): PodFit {
  const claiming = first.choices
    .map((choice, r) => ({ choice, taken: first.taken[r] ?? [] }))
    .filter(({ choice }) => claimsDevices(choice));
  const usage = node.kinds.map((_, k) => claiming.reduce((used, { taken }) => used + (taken[k] ?? 0), 0));
  const parts = partsTaken(claiming, node);
  const shares = usage.map((count, k) => (count > 0 ? (count * (parts[k]?.share ?? 1)) / devicesOnNode(node, k) : 0));
  const share = Math.min(1, Math.max(0, ...shares));
  const engine = engineRequestsOf(pod, node, { share, devices: countComputing(usage, node) });
  const engineResources = engine.amounts;
  const resources = addSidecarRequests(engineResources, pod.sidecars);
  const choices = claiming.map(({ choice }) => choice);
  choices.sort((a, b) => {
    const more = countDevices(a.binding.kinds, node) - countDevices(b.binding.kinds, node);
    return more || compareText(a.request.name, b.request.name);
  });
  return {
    footprint: footprintOf(solutions, resources, node, pod.gang === true),
    claims: choices.map((choice) => toClaim(choice, solutions, node)),
    memory: usage.reduce((bytes, count, k) => bytes + count * (parts[k]?.memory ?? node.kinds[k]?.memory ?? 0), 0),
    share,
    resources,
    engineResources,
    floored: engine.floored,
    unjudged: first.unjudged,
  };
}

/** The devices of a kind that are on a node at once. */
function devicesOnNode({ kinds, counts }: NodeShape, k: number): number {
  const partition = kinds[k]?.partition;
  return partition ? partition.set.count / partOfParent(partition) : (counts[k] ?? 1);
}

/** What a pod takes of one device of each kind that pods share: the largest part, and the memory in bytes. */
function partsTaken(
  claiming: readonly { readonly choice: RequestChoice; readonly taken: readonly number[] }[],
  node: NodeShape,
): ({ readonly share: number; readonly memory: number } | undefined)[] {
  return node.kinds.map((kind, k) => {
    const parts = claiming.flatMap(({ choice, taken }) =>
      (taken[k] ?? 0) > 0 ? (sharedPartOf(choice, kind) ?? []) : [],
    );
    if (parts.length === 0) return undefined;
    const memories = parts.map((part) => memoryOf(part, kind));
    return { share: Math.max(...parts.map(partOfDevice)), memory: Math.max(...memories) };
  });
}

function memoryOf({ taken }: DevicePart, { capacities, memory }: DeviceKind): number {
  const c = capacities.findIndex(({ name }) => name === 'memory' || name.endsWith('/memory'));
  return taken[c] ?? memory;
}

/** What a choice takes of each device of a kind, if pods share devices of the kind. */
export function sharedPartOf({ form }: RequestChoice, kind: DeviceKind | undefined): DevicePart | undefined {
  const part = kind?.shared ? partOf(form, kind) : undefined;
  return part && 'taken' in part ? part : undefined;
}

/** Whether a choice takes devices. Synthetic devices only narrow the choice of nodes. */
function claimsDevices({ binding }: RequestChoice): boolean {
  return binding.claimedAs !== undefined;
}

/** The part of a node's CPU and memory that pods share by default. The rest is for pods that run on every node. */
const DEFAULT_REQUEST_PART = 0.9;

/**
 * The largest part of a node that a pod without devices requests by default, so that ten of them fit in what the
 * shares leave.
 */
const DEFAULT_PART_WITHOUT_DEVICES = 0.01;

/** What a pod takes of a node by its devices. */
interface TakenPart {
  readonly share: number;
  readonly devices: number;
}

function engineRequestsOf(
  pod: PodShape,
  node: NodeShape,
  taken: TakenPart,
): { readonly amounts: ResourceAmounts; readonly floored: readonly ResourceName[] } {
  const defaults = RESOURCE_NAMES.map((name) => ({ name, ...defaultRequestOf(name, pod, node, taken) }));
  const used = defaults.filter(({ name, amount }) => amount > 0 && pod.resources[name] === undefined);
  return {
    amounts: { ...Object.fromEntries(used.map(({ name, amount }) => [name, amount])), ...pod.resources },
    floored: used.flatMap(({ name, isFloor }) => (isFloor ? [name] : [])),
  };
}

/** The request of an engine that states none: its share of the node, or a floor where there is no share. */
function defaultRequestOf(
  name: ResourceName,
  { sidecars, processes }: PodShape,
  { resources }: NodeShape,
  { share, devices }: TakenPart,
): { readonly amount: number; readonly isFloor: boolean } {
  const floor = floorOf(name, { processes, devices });
  const stated = resources.find((resource) => resource.name === name);
  if (!stated || stated.isUpperBound) return { amount: floor, isFloor: true };
  const limit = roundResourceDown(name, stated.amount * DEFAULT_PART_WITHOUT_DEVICES);
  if (share === 0) return { amount: Math.min(floor, limit), isFloor: true };
  const amount = stated.amount * DEFAULT_REQUEST_PART * share - (sidecars.running[name] ?? 0);
  return { amount: roundResourceDown(name, amount), isFloor: false };
}

/** The devices of a pod that compute: those with memory, which network cards do not have. */
function countComputing(usage: readonly number[], { kinds }: NodeShape): number {
  return usage.reduce((sum, count, k) => sum + ((kinds[k]?.memory ?? 0) > 0 ? count : 0), 0);
}

/**
 * A footprint that is valid for every solution: a pod that may take one of several things is charged for all of
 * them. If that is more than a node has, or cannot be determined, it is the whole node.
 */
function footprintOf(
  solutions: readonly PodSolution[],
  requested: PodFit['resources'],
  node: NodeShape,
  isGang: boolean,
): PodFootprint {
  if (solutions.some(({ open, choices }) => open && choices.some(claimsDevices))) return 'node';
  const choices = new Set(solutions.flatMap((solution) => solution.choices.filter(claimsDevices)));
  if (mixesShared([...choices], node)) return 'node';
  const byRequest = groupBy(choices, ({ request }) => request);
  const wants = [...byRequest.values()].flatMap((forms) =>
    keepLargest(forms.flatMap((choice) => kindAmountsOf(choice, node))),
  );
  const amounts = node.resources.map(({ name, kind }): KindAmount => ({ count: requested[name] ?? 0, kinds: [kind] }));
  const channel = isGang && wants.length > 0 && node.channel !== undefined ? [{ count: 1, kinds: [node.channel] }] : [];
  const footprint = normalizeFootprint([...wants, ...amounts, ...channel]);
  // `fitPartitions` has found devices for partitions.
  const whole = footprint.filter(({ partition }) => !partition);
  const counts = whole.map(({ count }) => count);
  const kinds = whole.map((amount) => amount.kinds);
  const judgeable = groupConnected(footprint).every(({ length }) => length <= MAX_OVERLAPPING);
  return judgeable && assignDevices(counts, node.counts, kinds) ? footprint : 'node';
}

/**
 * Whether shared devices, or partitions of one counter set, can be taken in several ways: by several requests or forms,
 * or instead of other kinds.
 */
function mixesShared(choices: readonly RequestChoice[], { kinds, counterSets = [] }: NodeShape): boolean {
  const numbers = [...kinds.keys()];
  const shared = numbers.filter((k) => kinds[k]?.shared).map((k) => [k]);
  const divided = counterSets.map((set) => numbers.filter((k) => kinds[k]?.partition?.set === set));
  return [...shared, ...divided].some((together) => {
    const touching = choices.filter(({ binding }) => binding.kinds.some((kind) => together.includes(kind)));
    const mixed = touching.some(({ binding }) => !binding.kinds.every((kind) => together.includes(kind)));
    return touching.length > 1 || mixed;
  });
}

/** The amounts that a claim may take. A request that takes all devices that match takes all of each kind. */
function kindAmountsOf(choice: RequestChoice, node: NodeShape): KindAmount[] {
  const { kinds } = choice.binding;
  const count = countOf(choice, node);
  const part = sharedPartOf(choice, node.kinds[kinds[0] ?? -1]);
  if (part) return [{ count, kinds, part }];
  const set = node.kinds[kinds[0] ?? -1]?.partition?.set;
  if (set) {
    const devices = kinds.flatMap((kind) => node.kinds[kind]?.partition?.devices ?? []);
    return [{ count, kinds: [set.kind], partition: { set, devices: devices.toSorted((a, b) => a - b) } }];
  }
  if (countDevices(kinds, node) > count) return [{ count, kinds }];
  return kinds.map((kind) => ({ count: node.counts[kind] ?? 0, kinds: [kind] }));
}

/** The largest amount from the same kinds among several forms of one request: a pod takes only one of them. */
function keepLargest(wants: readonly KindAmount[]): KindAmount[] {
  const byKinds = groupBy(wants, ({ kinds }) => kinds.join());
  return [...byKinds.values()].flatMap((same) => same.toSorted((a, b) => b.count - a.count).slice(0, 1));
}

function toClaim({ request }: RequestChoice, solutions: readonly PodSolution[], node: NodeShape): Claim {
  const choices = solutions.flatMap((solution) =>
    solution.choices.filter((choice) => choice.request === request && claimsDevices(choice)),
  );
  const forms = request.alternatives.flatMap((form): ClaimForm[] => {
    const choice = choices.find((other) => other.form === form);
    if (!choice) return [];
    const { name, all, capacity } = form;
    const count = countOf(choice, node);
    const { claimedAs = '' } = choice.binding;
    const selectors = form.selectors.map(({ expression }) => expression);
    return [
      {
        ...(name !== undefined && { name }),
        claimedAs,
        count,
        ...(all && { all }),
        selectors,
        ...(capacity && { capacity }),
      },
    ];
  });
  return { request: request.name, forms };
}

/** A form of a request, bound to the device class whose devices it would take. */
export interface RequestChoice {
  readonly request: PodDeviceRequest;
  readonly form: RequestAlternative;
  readonly binding: RequestBinding;
}

/** The devices that a choice takes of a node. */
export function countOf({ form, binding }: RequestChoice, node: NodeShape): number {
  return form.all ? countDevices(binding.kinds, node) : form.count;
}

/** A choice for every request of a pod that a node can meet at once. */
export interface PodSolution {
  readonly choices: readonly RequestChoice[];
  /** The devices of each kind that each request takes. */
  readonly taken: readonly (readonly number[])[];
  /** Whether constraints leave the cluster more than one choice. */
  readonly open: boolean;
  readonly unjudged: readonly string[];
}
