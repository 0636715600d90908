import type { PreparedDevice } from '../cel/device';
import { explainMismatch } from '../cel/explain';
import type { Outcome, Selector } from '../cel/selector';
import { compareText } from '../order';
import { memo } from './memo';
import type { DeviceKind, NodeShape, PodRequest } from './shapes';
import type { Misfit } from './types';

/** Whether a kind of device meets a request, and otherwise the first selector (from 0) that it does not meet. */
export type Verdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match'; readonly selector: number }
  | { readonly kind: 'error'; readonly selector: number; readonly message: string };

/** A device class that a request can be bound to, with the kinds of device of that class that match. */
export interface Binding {
  /** Absent for synthetic devices. */
  readonly deviceClassName?: string;
  readonly kinds: readonly number[];
}

/** Matches requests with the devices of a node. Evaluates each selector on each distinct device once. */
export class RequestMatcher {
  readonly #outcomes = new Map<Selector, Map<PreparedDevice, Outcome>>();

  /** How each kind of device of a node answers to a request. */
  verdicts(request: PodRequest, { kinds }: NodeShape): Verdict[] {
    return kinds.map((kind) => this.#verdict(request, kind));
  }

  /**
   * The device classes that can meet a request alone, real ones before synthetic, then by name; or why none can.
   * A selector that fails on any device of a class rules the class out: the cluster's allocator aborts there.
   */
  bindings(request: PodRequest, node: NodeShape): Binding[] | Misfit {
    const verdicts = this.verdicts(request, node);
    const bindings = bindingsOf(verdicts, node);
    const sound = bindings.filter(({ deviceClassName }) => !fails(deviceClassName, verdicts, node));
    const able = sound.filter(({ kinds }) => devicesOf(kinds, node) >= request.count);
    if (able.length > 0) return able.sort(realFirst);
    return this.#unmet(request, node, verdicts, bindings);
  }

  #verdict(request: PodRequest, { prepared }: DeviceKind): Verdict {
    for (const [selector, compiled] of request.selectors.entries()) {
      const outcome = memo(this.#outcomes, compiled, prepared, () => compiled.match(prepared));
      if (outcome.kind !== 'match') return { ...outcome, selector };
    }
    return { kind: 'match' };
  }

  /** Why no class meets a request: too few devices, the nearest device that does not match, or an error. */
  #unmet(
    request: PodRequest,
    node: NodeShape,
    verdicts: readonly Verdict[],
    bindings: readonly Binding[],
  ): Misfit {
    const sound = bindings.filter(({ deviceClassName }) => !fails(deviceClassName, verdicts, node));
    const has = Math.max(0, ...sound.map(({ kinds }) => devicesOf(kinds, node)));
    if (has > 0) return { misfit: 'too-few', request: request.name, wanted: request.count, has };

    const failing = bindings.length > 0 || verdicts.every(({ kind }) => kind === 'error');
    if (failing) return selectorError(request, node, verdicts);

    const misses = verdicts.flatMap((verdict, k) =>
      verdict.kind === 'no-match' ? this.#miss(request, node.kinds[k], verdict.selector) : [],
    );
    return (
      misses.sort(nearestFirst)[0] ?? { misfit: 'too-few', request: request.name, wanted: request.count, has }
    );
  }

  #miss(
    request: PodRequest,
    kind: DeviceKind | undefined,
    selector: number,
  ): (Misfit & { misfit: 'no-match' })[] {
    const failing = request.selectors[selector];
    if (!kind || !failing) return [];
    const mismatch = explainMismatch(failing, kind.prepared);
    const { name: device } = kind;
    return [{ misfit: 'no-match', request: request.name, selector, device, ...(mismatch && { mismatch }) }];
  }
}

/** The devices of some kinds on a node. */
export function devicesOf(kinds: readonly number[], node: NodeShape): number {
  return kinds.reduce((devices, k) => devices + (node.counts[k] ?? 0), 0);
}

function bindingsOf(verdicts: readonly Verdict[], node: NodeShape): Binding[] {
  const classes = new Map<string | undefined, number[]>();
  for (const [k, { kind }] of verdicts.entries()) {
    const name = node.kinds[k]?.deviceClassName;
    if (kind === 'match') classes.set(name, [...(classes.get(name) ?? []), k]);
  }
  return [...classes].map(([deviceClassName, kinds]) => ({
    ...(deviceClassName !== undefined && { deviceClassName }),
    kinds,
  }));
}

/** Whether a selector fails on a device of a class. */
function fails(deviceClassName: string | undefined, verdicts: readonly Verdict[], node: NodeShape): boolean {
  return verdicts.some(
    ({ kind }, k) => kind === 'error' && node.kinds[k]?.deviceClassName === deviceClassName,
  );
}

function selectorError(request: PodRequest, node: NodeShape, verdicts: readonly Verdict[]): Misfit {
  const k = verdicts.findIndex(({ kind }) => kind === 'error');
  const verdict = verdicts[k];
  if (verdict?.kind !== 'error') throw new Error('bug: no selector failed');
  const { selector, message } = verdict;
  return {
    misfit: 'selector-error',
    request: request.name,
    selector,
    device: node.kinds[k]?.name ?? '',
    message,
  };
}

function realFirst(a: Binding, b: Binding): number {
  const synthetic = Number(a.deviceClassName === undefined) - Number(b.deviceClassName === undefined);
  return synthetic || compareText(a.deviceClassName ?? '', b.deviceClassName ?? '');
}

type Miss = Misfit & { misfit: 'no-match' };

function nearestFirst(a: Miss, b: Miss): number {
  return b.selector - a.selector || (b.mismatch?.passed ?? 0) - (a.mismatch?.passed ?? 0);
}
