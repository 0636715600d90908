import { getOrCompute, lazily } from '../../base/memoize';
import { compareText, groupBy } from '../../base/order';
import type { PreparedDevice } from '../../cel/device';
import { cel } from '../../cel/lazy';
import type { SelectorOutcome } from '../../cel/selector';
import type { DeviceKind, NodeShape, RequestAlternative } from '../compile/shapes';
import type { Misfit } from '../reason';
import { type CapacityShortage, fitsTwice, partOf } from './device-parts';

/** Whether a kind of device meets a request, and otherwise the first selector (from 0) or the capacity that it does not. */
export type MatchVerdict =
  | { readonly kind: 'match' }
  | { readonly kind: 'no-match'; readonly selector: number }
  | { readonly kind: 'error'; readonly selector: number; readonly message: string }
  | ({ readonly kind: 'too-small' } & CapacityShortage);

/** A device class, or extended resource, that a request can be bound to, with its matching kinds of device. */
export interface RequestBinding {
  /** Absent for synthetic devices. */
  readonly claimedAs?: string;
  readonly kinds: readonly number[];
}

/** Matches requests with the devices of a node. Evaluates each selector on each distinct device once. */
export class RequestMatcher {
  readonly #outcomes = new Map<object, Map<PreparedDevice, SelectorOutcome>>();

  verdicts(form: RequestAlternative, { kinds }: NodeShape): MatchVerdict[] {
    return kinds.map((kind) => this.#verdict(form, kind));
  }

  /**
   * The device classes that can meet a form of a request alone, real ones before synthetic, then by name; or why
   * none can. A selector that fails on any device of a class excludes the class, because the cluster's allocator
   * aborts on it.
   */
  bindings(request: string, form: RequestAlternative, node: NodeShape): RequestBinding[] | Misfit {
    const verdicts = this.verdicts(form, node);
    const matching = bindingsOf(verdicts, node).filter(
      ({ claimedAs }) => form.claimedAs === undefined || form.claimedAs === claimedAs,
    );
    const usable = matching.filter(({ claimedAs }) => !hasSelectorError(claimedAs, verdicts, node));
    const able = usable.filter(({ kinds }) => countDevices(kinds, node) >= form.count);
    const distinct = able.filter((binding) => findRepeatedKind(form, binding, node) === undefined);
    const chosen = distinct.filter((binding) => findStrayKind(binding, node) === undefined);
    if (chosen.length > 0) return chosen.sort(compareRealFirst);
    const [repeated] = able.flatMap((binding) => findRepeatedKind(form, binding, node) ?? []);
    if (repeated) return { misfit: 'same-device', request, wanted: form.count, device: repeated.name };
    const [first] = able;
    if (first) {
      const [resource, device] = [first.claimedAs ?? '', findStrayKind(first, node)?.name ?? ''];
      return { misfit: 'any-device', request, resource, device };
    }

    const has = Math.max(0, ...usable.map(({ kinds }) => countDevices(kinds, node)));
    const tooFew = { misfit: 'too-few', request, wanted: form.count, has } as const;
    if (usable.length > 0) return tooFew;
    const failing = matching.length > 0 || verdicts.every(({ kind }) => kind === 'error');
    if (failing && verdicts.length > 0) return toSelectorError(request, form, node, verdicts);
    return findNearestMiss(request, form, verdicts, node) ?? findTooSmall(request, verdicts, node) ?? tooFew;
  }

  #verdict(form: RequestAlternative, kind: DeviceKind): MatchVerdict {
    const { prepared } = kind;
    for (const [selector, compiled] of form.selectors.entries()) {
      const meaning = compiled.meaning ?? compiled;
      const outcome = getOrCompute(this.#outcomes, meaning, prepared, () => compiled.match(prepared));
      if (outcome.kind !== 'match') return { ...outcome, selector };
    }
    const part = kind.shared || form.capacity ? partOf(form, kind) : undefined;
    return part && 'wanted' in part ? { kind: 'too-small', ...part } : { kind: 'match' };
  }
}

/**
 * The device that passes the most selectors of a request, and nearly passes the next. It is searched for where the misfit
 * is read: most have their place on another pool.
 */
function findNearestMiss(
  request: string,
  { selectors, where }: RequestAlternative,
  verdicts: readonly MatchVerdict[],
  { kinds }: NodeShape,
): Misfit | undefined {
  const failed = verdicts.flatMap((verdict, k) => {
    const kind = kinds[k];
    return kind && verdict.kind === 'no-match' ? [{ kind, selector: verdict.selector }] : [];
  });
  if (failed.length === 0) return undefined;
  const nearest = lazily(() => explainNearest(failed, selectors));
  return {
    misfit: 'no-match',
    request,
    get selector() {
      return nearest().selector;
    },
    ...(where && { where }),
    get device() {
      return nearest().device;
    },
    get mismatch() {
      return nearest().mismatch;
    },
  };
}

interface Miss {
  readonly kind: DeviceKind;
  readonly selector: number;
}

type ExplainedMiss = Pick<NoMatch, 'selector' | 'device' | 'mismatch'>;

function explainNearest(misses: readonly Miss[], selectors: RequestAlternative['selectors']): ExplainedMiss {
  const explained = misses.map(({ kind, selector }): ExplainedMiss => {
    const failed = selectors[selector];
    return { selector, device: kind.name, mismatch: failed && cel().explainMismatch(failed, kind.prepared) };
  });
  const [nearest] = explained.sort(compareNearest);
  if (!nearest) throw new Error('bug: all devices match');
  return nearest;
}

/** The first device that satisfies the selectors, and has too little of a capacity. */
function findTooSmall(request: string, verdicts: readonly MatchVerdict[], { kinds }: NodeShape): Misfit | undefined {
  const k = verdicts.findIndex(({ kind }) => kind === 'too-small');
  const verdict = verdicts[k];
  if (verdict?.kind !== 'too-small') return undefined;
  const { kind: _, ...shortage } = verdict;
  return { misfit: 'too-small', request, device: kinds[k]?.name ?? '', ...shortage };
}

/** A kind of which one device may be allocated several times for one request, because pods share it. */
function findRepeatedKind(
  form: RequestAlternative,
  { kinds }: RequestBinding,
  node: NodeShape,
): DeviceKind | undefined {
  if (form.count === 1) return undefined;
  return kinds
    .flatMap((k) => node.kinds[k] ?? [])
    .find((kind) => {
      const part = kind.shared ? partOf(form, kind) : undefined;
      return part && 'taken' in part && fitsTwice(part);
    });
}

/** The number of devices of some kinds on a node. */
export function countDevices(kinds: readonly number[], node: NodeShape): number {
  return kinds.reduce((devices, k) => devices + (node.counts[k] ?? 0), 0);
}

/** A kind that a device plugin counts as the same resource, though the request does not match it. */
function findStrayKind({ claimedAs, kinds }: RequestBinding, node: NodeShape): DeviceKind | undefined {
  if (node.dra || claimedAs === undefined) return undefined;
  return node.kinds.find((kind, k) => kind.claimedAs === claimedAs && !kinds.includes(k));
}

function bindingsOf(verdicts: readonly MatchVerdict[], node: NodeShape): RequestBinding[] {
  const matching = verdicts.flatMap(({ kind }, k) => (kind === 'match' ? [k] : []));
  const classes = groupBy(matching, (k) => node.kinds[k]?.claimedAs);
  return [...classes].map(([claimedAs, kinds]) => ({ ...(claimedAs !== undefined && { claimedAs }), kinds }));
}

function hasSelectorError(claimedAs: string | undefined, verdicts: readonly MatchVerdict[], node: NodeShape): boolean {
  return verdicts.some(({ kind }, k) => kind === 'error' && node.kinds[k]?.claimedAs === claimedAs);
}

function toSelectorError(
  request: string,
  { where }: RequestAlternative,
  node: NodeShape,
  verdicts: readonly MatchVerdict[],
): Misfit {
  const k = verdicts.findIndex(({ kind }) => kind === 'error');
  const verdict = verdicts[k];
  if (verdict?.kind !== 'error') throw new Error('bug: no selector failed');
  const { selector, message } = verdict;
  const at = { request, selector, ...(where && { where }), device: node.kinds[k]?.name ?? '' };
  return { misfit: 'selector-error', ...at, message };
}

function compareRealFirst(a: RequestBinding, b: RequestBinding): number {
  const synthetic = Number(a.claimedAs === undefined) - Number(b.claimedAs === undefined);
  return synthetic || compareText(a.claimedAs ?? '', b.claimedAs ?? '');
}

type NoMatch = Misfit & { misfit: 'no-match' };

function compareNearest(a: ExplainedMiss, b: ExplainedMiss): number {
  return b.selector - a.selector || (b.mismatch?.passed ?? 0) - (a.mismatch?.passed ?? 0);
}
