import type { ResourcePath } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import type { Fleet } from '../../fleet/fleet';
import type { NodeShape, RequestAlternative } from '../../scheduler/compile/shapes';
import type { CompiledFleet, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { PodMatcher } from '../../scheduler/devices/match-pod';
import type { RequestMatcher } from '../../scheduler/devices/match-request';
import { rejectNew } from '../../scheduler/filters';
import { KnownAttributes } from '../../scheduler/lint/known-attributes';
import type * as Failing from '../../scheduler/lint/lint-selector';
import { type FindingsByRequest, findRequestUses, nodesOf, requestsOf, verdictsOf } from './device-request-uses';

/**
 * Finds selectors that fail on a device of a class that they match elsewhere. Such a pool counts as no match, because
 * the allocator of the cluster aborts the whole attempt to place a pod when a selector fails.
 */
export function findSelectorWarnings(
  fleet: Fleet,
  model: CompiledFleet,
  { requests }: PodMatcher,
): Diagnostic<ResourcePath>[] {
  const vocabulary = new KnownAttributes(fleet.classes);
  const nodes = nodesOf(model.clusters);
  const uses = findRequestUses(fleet, model, (demand) => {
    const candidates = model.clusters.filter((cluster) => !rejectNew(demand, cluster));
    return findFailures(demand, candidates.length < model.clusters.length ? nodesOf(candidates) : nodes, requests);
  });
  return [...uses].flatMap(({ resource, alternative, writtenPartOf, finding: failure }): Diagnostic<ResourcePath>[] => {
    const { selector, device, className, message } = failure;
    const expression = alternative.selectors[selector]?.expression;
    if (expression === undefined) return [];
    const { code, at, hint = GUARD_IT } = loadFailingRead(expression, message, vocabulary);
    const what = `the selector fails on device '${device}' of class ${className}, and matches devices of other classes: ${message}`;
    const { path, excerpt } = writtenPartOf(selector, at);
    return [{ ...warningAt(code, { resource, path }, what, hint), excerpt }];
  });
}

const GUARD_IT = 'Correct the selector, or check first that the value exists';

/** Loads the module on first use, because it needs the CEL library. */
function loadFailingRead(...args: Parameters<typeof Failing.findFailingRead>): Failing.FailingRead {
  return (require('../../scheduler/lint/lint-selector') as typeof Failing).findFailingRead(...args);
}

/** Finds the requests of a demand whose selectors fail on a node where its replicas may be placed. */
function findFailures(
  demand: ReplicaDemand,
  nodes: readonly NodeShape[],
  requests: RequestMatcher,
): FindingsByRequest<SelectorFailure> {
  const failures = new Map<RequestAlternative, SelectorFailure>();
  for (const alternative of requestsOf(demand)) {
    const failure = findFirstFailure(alternative, nodes, requests);
    if (failure) failures.set(alternative, failure);
  }
  return failures;
}

interface SelectorFailure {
  readonly selector: number;
  readonly message: string;
  readonly device: string;
  readonly className: string;
}

function findFirstFailure(
  alternative: RequestAlternative,
  nodes: readonly NodeShape[],
  matcher: RequestMatcher,
): SelectorFailure | undefined {
  // A cluster without DRA evaluates no selectors.
  const evaluating = nodes.filter(({ dra }) => dra);
  const answers = verdictsOf(alternative, evaluating, matcher);
  const matched = new Set(answers.flatMap(({ verdict, kind }) => (verdict.kind === 'match' ? kind.claimedAs : [])));
  for (const { verdict, kind } of answers) {
    const { name: device, claimedAs: className } = kind;
    if (verdict.kind !== 'error' || className === undefined || !matched.has(className)) continue;
    return { selector: verdict.selector, message: verdict.message, device, className };
  }
  return undefined;
}
