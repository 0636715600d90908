import { cel } from '../cel/cel';
import type { PreparedDevice } from '../cel/device';
import type { Mismatch } from '../cel/explain';
import type { Outcome } from '../cel/selector';
import { compareText } from '../order';
import { memo } from '../memo';
import type { Alternative, DeviceKind, NodeShape } from './shapes';
import type { Misfit } from './types';

/** Whether a kind of device meets a request, and otherwise the first selector (from 0) that it does not meet. */
export type Verdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match'; readonly selector: number }
  | { readonly kind: 'error'; readonly selector: number; readonly message: string };

/** A device class, or extended resource, that a request can be bound to, with its kinds of device that match. */
export interface Binding {
  /** Absent for synthetic devices. */
  readonly claimedAs?: string;
  readonly kinds: readonly number[];
}

/** Matches requests with the devices of a node. Evaluates what selectors say on each distinct device once. */
export class RequestMatcher {
  readonly #outcomes = new Map<object, Map<PreparedDevice, Outcome>>();

  /** How each kind of device of a node answers to a form of a request. */
  verdicts(form: Alternative, { kinds }: NodeShape): Verdict[] {
    return kinds.map((kind) => this.#verdict(form, kind));
  }

  /**
   * The device classes that can meet a form of a request alone, real ones before synthetic, then by name; or why none can.
   * A selector that fails on any device of a class rules the class out: the cluster's allocator aborts there.
   */
  bindings(request: string, form: Alternative, node: NodeShape): Binding[] | Misfit {
    const verdicts = this.verdicts(form, node);
    const bindings = bindingsOf(verdicts, node).filter(
      ({ claimedAs }) => form.claimedAs === undefined || form.claimedAs === claimedAs,
    );
    const sound = bindings.filter(({ claimedAs }) => !fails(claimedAs, verdicts, node));
    const able = sound.filter(({ kinds }) => devicesOf(kinds, node) >= form.count);
    const chosen = able.filter((binding) => strayKind(binding, node) === undefined);
    if (chosen.length > 0) return chosen.sort(realFirst);
    const [first] = able;
    if (first) return anyDevice(request, first, node);
    return this.#unmet({ request, form, node, verdicts, bindings });
  }

  #verdict({ selectors }: Alternative, { prepared }: DeviceKind): Verdict {
    for (const [selector, compiled] of selectors.entries()) {
      const meaning = compiled.meaning ?? compiled;
      const outcome = memo(this.#outcomes, meaning, prepared, () => compiled.match(prepared));
      if (outcome.kind !== 'match') return { ...outcome, selector };
    }
    return { kind: 'match' };
  }

  /** Why no class meets a request: too few devices, the nearest device that does not match, or an error. */
  #unmet({ request, form, node, verdicts, bindings }: Unmet): Misfit {
    const sound = bindings.filter(({ claimedAs }) => !fails(claimedAs, verdicts, node));
    const has = Math.max(0, ...sound.map(({ kinds }) => devicesOf(kinds, node)));
    const tooFew = { misfit: 'too-few', request, wanted: form.count, has } as const;
    if (has > 0) return tooFew;

    const failing = bindings.length > 0 || verdicts.every(({ kind }) => kind === 'error');
    if (failing && verdicts.length > 0) return selectorError(request, node, verdicts);

    const misses = verdicts.flatMap((verdict, k) => {
      const [kind, failed] = [node.kinds[k], verdict.kind === 'no-match' ? verdict.selector : -1];
      const selector = form.selectors[failed];
      return kind && selector
        ? [miss(request, failed, kind, cel().explainMismatch(selector, kind.prepared))]
        : [];
    });
    return misses.sort(nearestFirst)[0] ?? tooFew;
  }
}

/** A form of a request that no class of a node can meet. */
interface Unmet {
  readonly request: string;
  readonly form: Alternative;
  readonly node: NodeShape;
  readonly verdicts: readonly Verdict[];
  readonly bindings: readonly Binding[];
}

function miss(request: string, selector: number, { name }: DeviceKind, mismatch: Mismatch | undefined): Miss {
  return { misfit: 'no-match', request, selector, device: name, ...(mismatch && { mismatch }) };
}

/** The devices of some kinds on a node. */
export function devicesOf(kinds: readonly number[], node: NodeShape): number {
  return kinds.reduce((devices, k) => devices + (node.counts[k] ?? 0), 0);
}

/** A kind that a device plugin counts as the same resource, though the request does not match it. */
function strayKind({ claimedAs, kinds }: Binding, node: NodeShape): DeviceKind | undefined {
  if (node.dra || claimedAs === undefined) return undefined;
  return node.kinds.find((kind, k) => kind.claimedAs === claimedAs && !kinds.includes(k));
}

function anyDevice(request: string, binding: Binding, node: NodeShape): Misfit {
  const { claimedAs: resource = '' } = binding;
  return { misfit: 'any-device', request, resource, device: strayKind(binding, node)?.name ?? '' };
}

function bindingsOf(verdicts: readonly Verdict[], node: NodeShape): Binding[] {
  const classes = new Map<string | undefined, number[]>();
  for (const [k, { kind }] of verdicts.entries()) {
    const name = node.kinds[k]?.claimedAs;
    if (kind === 'match') classes.set(name, [...(classes.get(name) ?? []), k]);
  }
  return [...classes].map(([claimedAs, kinds]) => ({
    ...(claimedAs !== undefined && { claimedAs }),
    kinds,
  }));
}

/** Whether a selector fails on a device of a class. */
function fails(claimedAs: string | undefined, verdicts: readonly Verdict[], node: NodeShape): boolean {
  return verdicts.some(({ kind }, k) => kind === 'error' && node.kinds[k]?.claimedAs === claimedAs);
}

function selectorError(request: string, node: NodeShape, verdicts: readonly Verdict[]): Misfit {
  const k = verdicts.findIndex(({ kind }) => kind === 'error');
  const verdict = verdicts[k];
  if (verdict?.kind !== 'error') throw new Error('bug: no selector failed');
  const { selector, message } = verdict;
  return {
    misfit: 'selector-error',
    request,
    selector,
    device: node.kinds[k]?.name ?? '',
    message,
  };
}

function realFirst(a: Binding, b: Binding): number {
  const synthetic = Number(a.claimedAs === undefined) - Number(b.claimedAs === undefined);
  return synthetic || compareText(a.claimedAs ?? '', b.claimedAs ?? '');
}

type Miss = Misfit & { misfit: 'no-match' };

function nearestFirst(a: Miss, b: Miss): number {
  return b.selector - a.selector || (b.mismatch?.passed ?? 0) - (a.mismatch?.passed ?? 0);
}
