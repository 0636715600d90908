import type { PreparedDevice } from '../cel/device';
import { explainMismatch } from '../cel/explain';
import type { Outcome, Selector } from '../cel/selector';
import { compareText } from '../order';
import type { Need } from './capacity';
import { assignDevices } from './flow';
import type { DeviceKind, NodeShape, PodRequest, PodShape } from './shapes';
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

/** Matches pods with nodes. Evaluates each selector on each distinct device once, and each pair of shapes once. */
export class Matcher {
  readonly #outcomes = new Map<Selector, Map<PreparedDevice, Outcome>>();
  readonly #fits = new Map<PodShape, Map<NodeShape, Fit | Misfit>>();

  /** How `pod` fits on an empty node, or the first reason why it does not. */
  fit(pod: PodShape, node: NodeShape): Fit | Misfit {
    return memo(this.#fits, pod, node, () => this.#compute(pod, node));
  }

  #compute(pod: PodShape, node: NodeShape): Fit | Misfit {
    const options: Binding[][] = [];
    for (const request of pod.requests) {
      const found = this.#bindings(request, node);
      if (!Array.isArray(found)) return found;
      options.push(found);
    }
    for (const bindings of combinations(options)) {
      const taken = assignDevices(
        pod.requests.map(({ count }) => count),
        node.counts,
        bindings.map(({ kinds }) => kinds),
      );
      if (taken) return toFit(pod, node, { bindings, taken });
    }
    return { misfit: 'conflict', requests: pod.requests.map(({ name }) => name) };
  }

  /** The device classes that can meet a request alone, real ones before synthetic, then by name. */
  #bindings(request: PodRequest, node: NodeShape): Binding[] | Misfit {
    const classes = new Map<string | undefined, number[]>();
    const failing = new Map<string | undefined, Misfit>();
    for (const [k, kind] of node.kinds.entries()) {
      const verdict = this.#verdict(request, kind);
      if (verdict === true)
        classes.set(kind.deviceClassName, [...(classes.get(kind.deviceClassName) ?? []), k]);
      else if (verdict.misfit === 'selector-error') failing.set(kind.deviceClassName, verdict);
    }
    const able = [...classes].filter(
      ([name, kinds]) => !failing.has(name) && sum(kinds, node) >= request.count,
    );
    if (able.length > 0) return able.map(([name, kinds]) => binding(name, kinds)).sort(realFirst);
    return [...failing.values()][0] ?? this.#unmet(request, node, [...classes.values()]);
  }

  /** Whether a kind of device satisfies all selectors of a request; the first that it does not satisfy stops. */
  #verdict(
    request: PodRequest,
    kind: DeviceKind,
  ): true | (Misfit & { misfit: 'no-match' | 'selector-error' }) {
    for (const [selector, compiled] of request.selectors.entries()) {
      const outcome = memo(this.#outcomes, compiled, kind.prepared, () => compiled.match(kind.prepared));
      const failed = { request: request.name, selector, device: kind.name };
      if (outcome.kind === 'error') return { misfit: 'selector-error', ...failed, message: outcome.message };
      if (outcome.kind === 'no-match') return { misfit: 'no-match', ...failed };
    }
    return true;
  }

  /** Why no class meets a request: too few devices of the best class, or the nearest device that does not match. */
  #unmet(request: PodRequest, node: NodeShape, matched: readonly number[][]): Misfit {
    if (matched.length > 0) {
      const has = Math.max(...matched.map((kinds) => sum(kinds, node)));
      return { misfit: 'too-few', request: request.name, wanted: request.count, has };
    }
    const misses = node.kinds.map((kind) => this.#miss(request, kind)).sort(nearestFirst);
    return misses[0] ?? { misfit: 'too-few', request: request.name, wanted: request.count, has: 0 };
  }

  #miss(request: PodRequest, kind: DeviceKind): Misfit & { misfit: 'no-match' } {
    const verdict = this.#verdict(request, kind);
    const selector = verdict === true ? 0 : verdict.selector;
    const failing = request.selectors[selector];
    const mismatch = failing && explainMismatch(failing, kind.prepared);
    return {
      misfit: 'no-match',
      request: request.name,
      selector,
      device: kind.name,
      ...(mismatch && { mismatch }),
    };
  }
}

/** A device class that a request can be bound to, with the kinds of device of that class that match. */
interface Binding {
  readonly deviceClassName: string | undefined;
  readonly kinds: readonly number[];
}

function binding(deviceClassName: string | undefined, kinds: readonly number[]): Binding {
  return { deviceClassName, kinds };
}

function realFirst(a: Binding, b: Binding): number {
  if ((a.deviceClassName === undefined) !== (b.deviceClassName === undefined))
    return a.deviceClassName === undefined ? 1 : -1;
  return compareText(a.deviceClassName ?? '', b.deviceClassName ?? '');
}

function nearestFirst(a: Misfit & { misfit: 'no-match' }, b: Misfit & { misfit: 'no-match' }): number {
  return b.selector - a.selector || (b.mismatch?.passed ?? 0) - (a.mismatch?.passed ?? 0);
}

/** Every choice of one item from each list, the first items first. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (!first) return yield [];
  for (const item of first) for (const others of combinations(rest)) yield [item, ...others];
}

interface Assignment {
  readonly bindings: readonly Binding[];
  readonly taken: readonly (readonly number[])[];
}

function toFit(pod: PodShape, node: NodeShape, { bindings, taken }: Assignment): Fit {
  const bound = pod.requests.map((request, r) => ({ request, binding: bindings[r], taken: taken[r] ?? [] }));
  const claiming = bound.filter(({ binding }) => binding?.deviceClassName !== undefined);
  const usage = node.kinds.map((_, k) => claiming.reduce((used, { taken }) => used + (taken[k] ?? 0), 0));
  const flexible = claiming.some(
    ({ request, binding }) =>
      (binding?.kinds.length ?? 0) > 1 && sum(binding?.kinds ?? [], node) > request.count,
  );
  return {
    need: flexible ? 'node' : usage,
    claims: claiming
      .map(({ request, binding }) => ({
        claim: toClaim(request, binding),
        width: sum(binding?.kinds ?? [], node),
      }))
      .sort((a, b) => a.width - b.width || compareText(a.claim.request, b.claim.request))
      .map(({ claim }) => claim),
    memory: usage.reduce((bytes, count, k) => bytes + count * (node.kinds[k]?.memory ?? 0), 0),
  };
}

function toClaim(request: PodRequest, binding: Binding | undefined): Claim {
  return {
    request: request.name,
    deviceClassName: binding?.deviceClassName ?? '',
    count: request.count,
    selectors: request.selectors.map(({ expression }) => expression),
  };
}

function sum(kinds: readonly number[], node: NodeShape): number {
  return kinds.reduce((devices, k) => devices + (node.counts[k] ?? 0), 0);
}

function memo<A, B, V>(table: Map<A, Map<B, V>>, a: A, b: B, compute: () => V): V {
  const row = table.get(a) ?? new Map<B, V>();
  table.set(a, row);
  const known = row.get(b);
  if (known !== undefined) return known;
  const value = compute();
  row.set(b, value);
  return value;
}
