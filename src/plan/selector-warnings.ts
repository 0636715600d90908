import type { Fault } from '../api/checks/fault';
import { excerptOf } from '../excerpt';
import type { Fleet } from '../fleet';
import type * as Failing from '../lint/failing-read';
import { Vocabulary } from '../lint/vocabulary';
import { rejectNew } from '../scheduler/filters';
import type { Matcher } from '../scheduler/matcher';
import type { Demand, Model, Site } from '../scheduler/model';
import type { RequestMatcher, Verdict } from '../scheduler/request-matcher';
import type { Alternative, NodeShape } from '../scheduler/shapes';
import { formsOf, type SaidOf, saidUses } from './form-uses';

/**
 * Selectors that fail on a device of a class that they match elsewhere. Such a pool counts as no match, because
 * the cluster's allocator gives up a whole attempt to place a pod when a selector fails there.
 */
export function selectorWarnings(fleet: Fleet, model: Model, { requests }: Matcher): Fault[] {
  const vocabulary = new Vocabulary(fleet.classes);
  const nodes = nodesOf(model.sites);
  const uses = saidUses(fleet, model, (demand) => {
    const open = model.sites.filter((site) => !rejectNew(demand, site));
    return failuresOf(demand, open.length < model.sites.length ? nodesOf(open) : nodes, requests);
  });
  return [...uses].flatMap(({ resource, form, pathOf, said: failure }): Fault[] => {
    const { selector, device, className, message } = failure;
    const expression = form.selectors[selector]?.expression;
    if (expression === undefined) return [];
    const { start, end, ...said } = failingRead(expression, message, vocabulary);
    const what = `the selector fails on device '${device}' of class ${className}, which it matches elsewhere: ${message}`;
    return [{ ...said, resource, path: pathOf(selector), what, excerpt: excerptOf(expression, start, end) }];
  });
}

/** Loaded on first use, as all that needs the CEL library. */
function failingRead(...args: Parameters<typeof Failing.failingRead>): Failing.Failing {
  return (require('../lint/failing-read') as typeof Failing).failingRead(...args);
}

/** The forms of a demand that fail on a node where its replicas may be. */
function failuresOf(demand: Demand, nodes: readonly NodeShape[], requests: RequestMatcher): SaidOf<Failure> {
  const failures = formsOf(demand).flatMap((form): [Alternative, Failure][] => {
    const failure = firstFailure(form, nodes, requests);
    return failure ? [[form, failure]] : [];
  });
  return new Map(failures);
}

/** The distinct nodes of some clusters. */
function nodesOf(sites: readonly Site[]): NodeShape[] {
  const nodes = new Set(sites.flatMap(({ pools }) => pools.map(({ node }) => node)));
  // Without DRA nothing on the cluster evaluates a selector.
  return [...nodes].filter(({ dra }) => dra);
}

interface Failure {
  readonly selector: number;
  readonly message: string;
  readonly device: string;
  readonly className: string;
}

function firstFailure(
  form: Alternative,
  nodes: readonly NodeShape[],
  matcher: RequestMatcher,
): Failure | undefined {
  const answers = nodes.flatMap((node) =>
    matcher.verdicts(form, node).map((verdict, k) => toAnswer(verdict, node, k)),
  );
  const matched = new Set(
    answers.filter(({ verdict }) => verdict.kind === 'match').map(({ className }) => className),
  );
  for (const { verdict, className, device } of answers) {
    if (verdict.kind !== 'error' || className === undefined || !matched.has(className)) continue;
    return { selector: verdict.selector, message: verdict.message, device, className };
  }
  return undefined;
}

interface Answer {
  readonly verdict: Verdict;
  readonly device: string;
  readonly className: string | undefined;
}

function toAnswer(verdict: Verdict, { kinds }: NodeShape, k: number): Answer {
  return { verdict, device: kinds[k]?.name ?? '', className: kinds[k]?.claimedAs };
}
