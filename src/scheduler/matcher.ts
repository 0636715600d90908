import { judge } from './constraints';
import { type Fit, toFit } from './fit-on-node';
import { assignDevices } from './flow';
import { memo } from '../memo';
import { RequestMatcher } from './request-matcher';
import type { Alternative, NodeShape, PodRequest, PodShape } from './shapes';
import type { Choice, Solution } from './solution';
import type { Misfit } from './types';

/** Matches pods with nodes, each pair of shapes once. */
export class Matcher {
  readonly requests = new RequestMatcher();
  readonly #fits = new Map<PodShape, Map<NodeShape, Fit | Misfit>>();

  /** How `pod` fits on an empty node, or the first reason why it does not. */
  fit(pod: PodShape, node: NodeShape): Fit | Misfit {
    return memo(this.#fits, pod, node, () => this.#compute(pod, node));
  }

  #compute(pod: PodShape, node: NodeShape): Fit | Misfit {
    const feature = pod.uses.find((one) => node.lacks.includes(one));
    if (feature) return { misfit: 'lacks', feature, dra: node.dra };
    const options: Choice[][] = [];
    for (const request of pod.requests) {
      const choices = this.#choices(request, node);
      if (!Array.isArray(choices)) return choices;
      options.push(choices);
    }
    const solutions = withOneClass(
      combinations(options).flatMap((choices) => solve(pod, choices, node) ?? []),
    );
    const [first] = solutions;
    if (!first) return unsolved(pod);
    const fit = toFit(pod, first, solutions, node);
    return tooLarge(fit, node) ?? fit;
  }

  /** Every form and class by which a node can meet a request alone; or why the first form cannot be met. */
  #choices(request: PodRequest, node: NodeShape): Choice[] | Misfit {
    const found = request.alternatives.map((form) => ({
      form,
      bindings: this.requests.bindings(request.name, form, node),
    }));
    const choices = found.flatMap(({ form, bindings }) =>
      Array.isArray(bindings) ? bindings.map((binding) => ({ request, form, binding })) : [],
    );
    const misfit = found.find(({ bindings }) => !Array.isArray(bindings))?.bindings;
    return choices.length > 0 || !misfit || Array.isArray(misfit) ? choices : misfit;
  }
}

/** The devices that each choice takes, where a node and the constraints of the pod allow all at once. */
function solve(pod: PodShape, choices: readonly Choice[], node: NodeShape): Solution | undefined {
  const names = choices.map(({ request }) => request.name);
  const bindings = choices.map(({ binding }) => binding);
  const { options, unjudged } = judge(pod.constraints, names, bindings, node);
  const wants = choices.map(({ form }) => form.count);
  const ways = options.flatMap((option) => {
    const taken = assignDevices(wants, option.counts, option.kinds);
    return taken ? [{ ...option, taken }] : [];
  });
  const [first] = ways;
  if (!first) return undefined;
  const narrowed = choices.map((choice, r): Choice => {
    return { ...choice, binding: { ...choice.binding, kinds: first.kinds[r] ?? [] } };
  });
  const open = ways.length > 1 || pod.constraints.some(({ rule }) => rule === 'distinct');
  return { choices: narrowed, taken: first.taken, open, unjudged };
}

/** The solutions that a claim leaves open: it names one class for each form, that of the first solution. */
function withOneClass(solutions: readonly Solution[]): Solution[] {
  const bound = new Map<Alternative, string | undefined>();
  return solutions.filter(({ choices }) => {
    const fits = choices.every(
      ({ form, binding }) => !bound.has(form) || bound.get(form) === binding.claimedAs,
    );
    if (fits) for (const { form, binding } of choices) bound.set(form, binding.claimedAs);
    return fits;
  });
}

function unsolved({ requests, constraints }: PodShape): Misfit {
  const names = requests.map(({ name }) => name);
  const attributes = constraints.map(({ attribute }) => attribute);
  return { misfit: 'conflict', requests: names, ...(attributes.length > 0 && { attributes }) };
}

/** The resource of which a pod requests more than a node has. */
function tooLarge({ resources }: Fit, node: NodeShape): Misfit | undefined {
  for (const { name, amount } of node.resources) {
    const wanted = resources[name] ?? 0;
    if (wanted > amount) return { misfit: 'too-large', resource: name, wanted, has: amount };
  }
  return undefined;
}

/** More combinations of forms and classes than this are not looked at; requests have few of either. */
const MOST_COMBINATIONS = 4096;

/** Every choice of one item from each list, the first items first. */
function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (chosen, list) =>
      chosen.flatMap((items) => list.map((item) => [...items, item])).slice(0, MOST_COMBINATIONS),
    [[]],
  );
}
