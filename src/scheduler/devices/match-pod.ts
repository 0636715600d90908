import { lacksClaimFeature } from '../../api/kubernetes-features';
import { getOrCompute } from '../../base/memoize';
import type { NodeShape, PodDeviceRequest, PodShape, RequestAlternative } from '../compile/shapes';
import type { Misfit } from '../reason';
import { assignDevices } from './assign-devices';
import { assignParts } from './assign-parts';
import { fitPartitions } from './assign-partitions';
import { type AllowedDevices, prepareConstraints, searchConstraints } from './constraints';
import { RequestMatcher } from './match-request';
import { countOf, type PodFit, type PodSolution, type RequestChoice, sharedPartOf, toPodFit } from './pod-fit';

/** Matches pods with nodes, each pair of shapes once. */
export class PodMatcher {
  readonly requests = new RequestMatcher();
  readonly #fits = new Map<PodShape, Map<NodeShape, PodFit | Misfit>>();

  /** How `pod` fits on an empty node, or the first reason why it does not. */
  fit(pod: PodShape, node: NodeShape): PodFit | Misfit {
    return getOrCompute(this.#fits, pod, node, () => this.#compute(pod, node));
  }

  #compute(pod: PodShape, node: NodeShape): PodFit | Misfit {
    const feature = pod.uses.find((used) => node.lacks.includes(used));
    if (feature) return { misfit: 'lacks', feature, dra: node.dra };
    const uncounted = pod.uses.find((used) => lacksClaimFeature(node.scheduler ?? 'Default', used));
    if (uncounted) return { misfit: 'uncounted', feature: uncounted, scheduler: node.scheduler ?? 'Default' };
    const options: RequestChoice[][] = [];
    for (const request of pod.requests) {
      const choices = this.#choices(request, node);
      if (!Array.isArray(choices)) return choices;
      options.push(choices);
    }
    const solved = listCombinations(options).flatMap((choices) => solveChoices(pod, choices, node) ?? []);
    const whole = solved.filter((solution) => findPartOfNode(solution, node) === undefined);
    const solutions = keepOneClassPerForm(whole);
    const [first] = solutions;
    if (!first) {
      const part = solved[0] && findPartOfNode(solved[0], node);
      if (part) return part;
      const attributes = pod.constraints.map(({ attribute }) => attribute);
      const requests = pod.requests.map(({ name }) => name);
      return { misfit: 'conflict', requests, ...(attributes.length > 0 && { attributes }) };
    }
    const fit = toPodFit(pod, first, solutions, node);
    return findTooLarge(fit, node) ?? fit;
  }

  /** Every form and class that meets a request alone on a node, or why the first form cannot be met. */
  #choices(request: PodDeviceRequest, node: NodeShape): RequestChoice[] | Misfit {
    const choices: RequestChoice[] = [];
    let misfit: Misfit | undefined;
    for (const form of request.alternatives) {
      const bindings = this.requests.bindings(request.name, form, node);
      if (Array.isArray(bindings)) choices.push(...bindings.map((binding) => ({ request, form, binding })));
      else misfit ??= bindings;
    }
    return choices.length > 0 || !misfit ? choices : misfit;
  }
}

/** The devices that each choice takes, if a node and the constraints of the pod allow all choices at once. */
function solveChoices(pod: PodShape, choices: readonly RequestChoice[], node: NodeShape): PodSolution | undefined {
  const names = choices.map(({ request }) => request.name);
  const bindings = choices.map(({ binding }) => binding);
  const constraints = prepareConstraints(pod.constraints, names, bindings, node);
  const wants = choices.map((choice) => countOf(choice, node));
  const distinct = pod.constraints.some(({ rule }) => rule === 'distinct');
  const all = wants.reduce((sum, count) => sum + count, 0);
  // Pods share these devices, so that one can be taken several times.
  const most = (counts: readonly number[]) => counts.map((has, k) => (node.kinds[k]?.shared ? all : has));
  const mayFit = ({ counts, kinds }: AllowedDevices) => assignDevices(wants, most(counts), kinds) !== undefined;
  const solve = (option: AllowedDevices) => {
    const whole = assignDevices(wants, option.counts, option.kinds);
    const taken =
      whole ?? (distinct ? undefined : assignParts(wants, offeredKinds(choices, option.counts, node), option.kinds));
    const divided = node.counterSets && !fitPartitions(wants, option.kinds, node);
    return taken && !divided ? { ...option, taken, sharing: !whole } : undefined;
  };
  const [first, second] = searchConstraints(constraints, node, mayFit, solve);
  if (!first) return undefined;
  const narrowed = choices.map((choice, r) => ({
    ...choice,
    binding: { ...choice.binding, kinds: first.kinds[r] ?? [] },
  }));
  const open = second !== undefined || first.sharing || distinct;
  return { choices: narrowed, taken: first.taken, open, unjudged: constraints.unjudged };
}

function offeredKinds(choices: readonly RequestChoice[], counts: readonly number[], { kinds }: NodeShape) {
  return counts.map((has, k) => {
    const kind = kinds[k];
    return { has, ...(kind?.shared && { parts: choices.map((choice) => sharedPartOf(choice, kind)) }) };
  });
}

/** The solutions that one claim permits: it names one class for each form, that of the first solution. */
function keepOneClassPerForm(solutions: readonly PodSolution[]): PodSolution[] {
  const bound = new Map<RequestAlternative, string | undefined>();
  return solutions.filter(({ choices }) => {
    const fits = choices.every(({ form, binding }) => !bound.has(form) || bound.get(form) === binding.claimedAs);
    if (fits) for (const { form, binding } of choices) bound.set(form, binding.claimedAs);
    return fits;
  });
}

/** The part that a solution takes of devices whose driver allocates all of a node, or none. */
function findPartOfNode({ choices, taken }: PodSolution, { kinds, counts }: NodeShape): Misfit | undefined {
  const together = [...kinds.keys()].filter((k) => kinds[k]?.wholeNode);
  const countTogether = (numbers: readonly number[] = []) => together.reduce((sum, k) => sum + (numbers[k] ?? 0), 0);
  const claiming = choices
    .map(({ request, binding }, r) => ({ request: request.name, binding, count: countTogether(taken[r]) }))
    .filter(({ binding, count }) => binding.claimedAs !== undefined && count > 0);
  const wanted = claiming.reduce((sum, { count }) => sum + count, 0);
  const devices = countTogether(counts);
  if (wanted === 0 || wanted === devices) return undefined;
  return { misfit: 'part-of-node', requests: claiming.map(({ request }) => request), wanted, devices };
}

/** The resource of which a pod requests more than a node has. */
function findTooLarge({ resources }: PodFit, node: NodeShape): Misfit | undefined {
  for (const { name, amount } of node.resources) {
    const wanted = resources[name] ?? 0;
    if (wanted > amount) return { misfit: 'too-large', resource: name, wanted, has: amount };
  }
  return undefined;
}

/** The most combinations of forms and classes that are tried; requests have few of either. */
const MAX_COMBINATIONS = 4096;

/** Every choice of one item from each list, the first items first. */
function listCombinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (chosen, list) => chosen.flatMap((items) => list.map((item) => [...items, item])).slice(0, MAX_COMBINATIONS),
    [[]],
  );
}
