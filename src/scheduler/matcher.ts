import { compareText } from '../order';
import { assignDevices } from './flow';
import { memo } from './memo';
import { components, MOST_OVERLAPPING, type Need, normalNeed, type Want } from './need';
import { type Binding, devicesOf, RequestMatcher } from './request-matcher';
import type { NodeShape, PodRequest, PodShape, ResourceName } from './shapes';
import type { Misfit } from './types';

/** How the devices of a node meet what a pod asks for. */
export interface Fit {
  readonly need: Need;
  /** What the pod's claim says, the narrowest request first. Empty when only synthetic devices match. */
  readonly claims: readonly Claim[];
  /** Memory in bytes of the devices that the pod takes. */
  readonly memory: number;
  /** The largest share of any kind of device of the node that the pod takes, from 0 to 1. */
  readonly share: number;
  /** What its container requests: as declared, or its share of the node. In the units of the ledger. */
  readonly resources: Readonly<Partial<Record<ResourceName, number>>>;
}

/** One request of a claim, bound to the device class whose devices it takes. */
export interface Claim {
  readonly request: string;
  readonly deviceClassName: string;
  readonly count: number;
  readonly selectors: readonly string[];
}

/** Matches pods with nodes, each pair of shapes once. */
export class Matcher {
  readonly requests = new RequestMatcher();
  readonly #fits = new Map<PodShape, Map<NodeShape, Fit | Misfit>>();

  /** How `pod` fits on an empty node, or the first reason why it does not. */
  fit(pod: PodShape, node: NodeShape): Fit | Misfit {
    return memo(this.#fits, pod, node, () => this.#compute(pod, node));
  }

  #compute(pod: PodShape, node: NodeShape): Fit | Misfit {
    const options: Binding[][] = [];
    for (const request of pod.requests) {
      const found = this.requests.bindings(request, node);
      if (!Array.isArray(found)) return found;
      options.push(found);
    }
    const wants = pod.requests.map(({ count }) => count);
    for (const bindings of combinations(options)) {
      const taken = assignDevices(
        wants,
        node.counts,
        bindings.map(({ kinds }) => kinds),
      );
      if (!taken) continue;
      const fit = toFit(pod, bind(pod, bindings, taken, node), node);
      return tooLarge(fit, node) ?? fit;
    }
    return { misfit: 'conflict', requests: pod.requests.map(({ name }) => name) };
  }
}

/** The resource of which a pod requests more than a node has. */
function tooLarge({ resources }: Fit, node: NodeShape): Misfit | undefined {
  for (const { name, amount } of node.resources) {
    const wanted = resources[name] ?? 0;
    if (wanted > amount) return { misfit: 'too-large', resource: name, wanted, has: amount };
  }
  return undefined;
}

/** A request with the class that it is bound to and the devices of each kind that it takes. */
interface Bound {
  readonly request: PodRequest;
  readonly deviceClassName?: string;
  readonly taken: readonly number[];
  /** Devices of a node that match, whether taken or not. */
  readonly matching: number;
  readonly kinds: readonly number[];
}

function bind(
  pod: PodShape,
  bindings: readonly Binding[],
  taken: readonly (readonly number[])[],
  node: NodeShape,
): Bound[] {
  return pod.requests.flatMap((request, r) => {
    const binding = bindings[r];
    return binding
      ? [{ request, ...binding, taken: taken[r] ?? [], matching: devicesOf(binding.kinds, node) }]
      : [];
  });
}

function toFit(pod: PodShape, bound: readonly Bound[], node: NodeShape): Fit {
  const claiming = bound.filter(({ deviceClassName }) => deviceClassName !== undefined);
  const usage = node.kinds.map((_, k) => claiming.reduce((used, { taken }) => used + (taken[k] ?? 0), 0));
  const share = Math.max(0, ...usage.map((count, k) => count / (node.counts[k] ?? 1)));
  const resources = resourcesFor(pod, node, share);
  return {
    need: needOf(claiming, resources, node),
    claims: [...claiming]
      .sort((a, b) => a.matching - b.matching || compareText(a.request.name, b.request.name))
      .map(toClaim),
    memory: usage.reduce((bytes, count, k) => bytes + count * (node.kinds[k]?.memory ?? 0), 0),
    share,
    resources,
  };
}

/** The part of a node's CPU and memory that pods share by default; the rest is for what runs on every node. */
const SHARED_PART = 0.9;

function resourcesFor(pod: PodShape, { resources }: NodeShape, share: number): Fit['resources'] {
  const shares = resources.map(
    ({ name, amount }) => [name, Math.floor(amount * SHARED_PART * share)] as const,
  );
  return { ...Object.fromEntries(shares.filter(([, amount]) => amount > 0)), ...pod.resources };
}

/** What the claim may take: a request that takes all that match takes each kind whole. */
function needOf(
  claiming: readonly Bound[],
  requested: Fit['resources'],
  { counts, resources }: NodeShape,
): Need {
  const wants = claiming.flatMap(({ request: { count }, kinds, matching }): Want[] =>
    matching > count
      ? [{ count, kinds }]
      : kinds.map((kind) => ({ count: counts[kind] ?? 0, kinds: [kind] })),
  );
  const amounts = resources.map(({ name, kind }): Want => ({ count: requested[name] ?? 0, kinds: [kind] }));
  const need = normalNeed([...wants, ...amounts]);
  return components(need).some(({ length }) => length > MOST_OVERLAPPING) ? 'node' : need;
}

function toClaim({ request, deviceClassName = '' }: Bound): Claim {
  const { name, count, selectors } = request;
  return { request: name, deviceClassName, count, selectors: selectors.map(({ expression }) => expression) };
}

/** Every choice of one item from each list, the first items first. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (!first) return yield [];
  for (const item of first) for (const others of combinations(rest)) yield [item, ...others];
}
