import { compareText } from '../order';
import { assignDevices } from './flow';
import { memo } from './memo';
import { components, MOST_OVERLAPPING, type Need, normalNeed, type Want } from './need';
import { type Binding, devicesOf, RequestMatcher } from './request-matcher';
import type { NodeShape, PodRequest, PodShape } from './shapes';
import type { Misfit } from './types';

/** How the devices of a node meet what a pod asks for. */
export interface Fit {
  readonly need: Need;
  /** What the pod's claim says, the narrowest request first. Empty when only synthetic devices match. */
  readonly claims: readonly Claim[];
  /** Memory in bytes of the devices that the pod takes. */
  readonly memory: number;
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
      if (taken) return toFit(bind(pod, bindings, taken, node), node);
    }
    return { misfit: 'conflict', requests: pod.requests.map(({ name }) => name) };
  }
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

function toFit(bound: readonly Bound[], node: NodeShape): Fit {
  const claiming = bound.filter(({ deviceClassName }) => deviceClassName !== undefined);
  const usage = node.kinds.map((_, k) => claiming.reduce((used, { taken }) => used + (taken[k] ?? 0), 0));
  return {
    need: needOf(claiming, node),
    claims: [...claiming]
      .sort((a, b) => a.matching - b.matching || compareText(a.request.name, b.request.name))
      .map(toClaim),
    memory: usage.reduce((bytes, count, k) => bytes + count * (node.kinds[k]?.memory ?? 0), 0),
  };
}

/** What the claim may take: a request that takes all that match takes each kind whole. */
function needOf(claiming: readonly Bound[], { counts }: NodeShape): Need {
  const wants = claiming.flatMap(({ request: { count }, kinds, matching }): Want[] =>
    matching > count
      ? [{ count, kinds }]
      : kinds.map((kind) => ({ count: counts[kind] ?? 0, kinds: [kind] })),
  );
  const need = normalNeed(wants);
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
