import { groupBy } from '../../base/order';
import type { AttributeConstraint, NodeShape } from '../compile/shapes';
import type { RequestBinding } from './match-request';

/** The devices that a pod may use. */
export interface AllowedDevices {
  /** By request, in the order of the pod. */
  readonly kinds: readonly (readonly number[])[];
  /** The amount of each kind on a node that the pod may use. */
  readonly counts: readonly number[];
}

/** A constraint, the requests that it applies to, and the kinds of each value of its attribute. */
interface JudgedConstraint extends AttributeConstraint {
  readonly concerned: readonly number[];
  readonly byValue: number[][];
}

/** What constraints leave a pod to search, and the attributes of those that are not evaluated. */
export interface ConstraintSearch {
  readonly start: AllowedDevices;
  readonly judged: readonly JudgedConstraint[];
  readonly unjudged: readonly string[];
}

/**
 * Prepares the constraints of a pod for a node. A constraint is evaluated if the class states the attribute for every
 * kind of device that the requests may take. Otherwise the result is unknown, and the constraint counts as met.
 *
 * @param requests the names of the requests, in the order of `bindings`
 */
export function prepareConstraints(
  constraints: readonly AttributeConstraint[],
  requests: readonly string[],
  bindings: readonly RequestBinding[],
  node: NodeShape,
): ConstraintSearch {
  const judged: JudgedConstraint[] = [];
  const unjudged: string[] = [];
  for (const constraint of constraints) {
    const { attribute, requests: named } = constraint;
    const concerned = [...requests.keys()].filter((r) => named.length === 0 || named.includes(requests[r] ?? ''));
    const accepted = concerned.flatMap((r) => bindings[r]?.kinds ?? []);
    const byValue = groupKindsByValue(attribute, accepted, node);
    if (byValue) judged.push({ ...constraint, concerned, byValue });
    else unjudged.push(attribute);
  }
  return { start: { kinds: bindings.map(({ kinds }) => kinds), counts: node.counts }, judged, unjudged };
}

/** The most choices that are tried. A pod of which more would have to be tried does not fit. */
const MAX_STEPS = 20_000;

/**
 * Finds the first choices that satisfy the constraints of a pod, two at most: whether there is a second one matters,
 * which one does not. Searches depth first. Of values whose devices differ in nothing else, such as the PCIe roots of a
 * node, all fail if one does.
 *
 * @param mayFit whether a choice can still lead to one that fits: false is final for all that is narrower
 * @param solve what the pod takes with a choice, if it fits
 */
export function searchConstraints<T>(
  { start, judged }: Pick<ConstraintSearch, 'start' | 'judged'>,
  node: NodeShape,
  mayFit: (option: AllowedDevices) => boolean,
  solve: (option: AllowedDevices) => T | undefined,
): T[] {
  const found: T[] = [];
  let steps = 0;
  const search = (at: number, option: AllowedDevices): void => {
    const constraint = judged[at];
    if (!constraint) {
      const solution = solve(option);
      if (solution !== undefined) found.push(solution);
      return;
    }
    const failed = new Set<string>();
    for (const values of choicesOf(constraint)) {
      const alike = describeValue(values, option, { node, judged, constraint });
      if (alike !== undefined && failed.has(alike)) continue;
      const before = found.length;
      const [next] = CONSTRAINT_RULES[constraint.rule](option, constraint.concerned, values);
      if (next && mayFit(next)) search(at + 1, next);
      if (found.length > 1 || ++steps > MAX_STEPS) return;
      if (found.length === before && alike !== undefined) failed.add(alike);
    }
  };
  search(0, start);
  const [first] = found;
  // Where the search was cut, there may be a second one.
  return first !== undefined && steps > MAX_STEPS ? [first, first] : found;
}

/** The choices that a constraint leaves: one for each value that devices share, and one if they differ. */
function choicesOf({ rule, byValue }: JudgedConstraint): number[][][] {
  return rule === 'match' ? byValue.map((kinds) => [kinds]) : [byValue];
}

interface Surroundings {
  readonly node: NodeShape;
  readonly judged: readonly JudgedConstraint[];
  readonly constraint: JudgedConstraint;
}

/**
 * A text that is equal for values whose devices can be exchanged: equal numbers of devices, for the same requests, with
 * the same values of all other attributes. Undefined where exchanging them may matter.
 */
function describeValue(
  [kinds = [], ...others]: readonly number[][],
  option: AllowedDevices,
  { node, judged, constraint }: Surroundings,
): string | undefined {
  const apart = judged.some(({ rule }) => rule === 'distinct');
  const divided = kinds.some((kind) => node.kinds[kind]?.shared || node.kinds[kind]?.partition);
  if (others.length > 0 || apart || divided) return undefined;
  const attributes = judged.map(({ attribute }) => attribute).filter((one) => one !== constraint.attribute);
  const described = kinds.map((kind) => {
    const takers = [...option.kinds.keys()].filter((r) => option.kinds[r]?.includes(kind));
    const values = attributes.map((attribute) => node.kinds[kind]?.attributes[attribute] ?? null);
    return JSON.stringify([option.counts[kind], takers, values]);
  });
  return described.sort().join(' ');
}

type ConstraintRule = (from: AllowedDevices, requests: readonly number[], byValue: number[][]) => AllowedDevices[];

/** How each rule narrows what a pod may take, given the kinds of each value of the attribute. */
const CONSTRAINT_RULES: Readonly<Record<AttributeConstraint['rule'], ConstraintRule>> = {
  /** One choice for each value: the requests take kinds of that value only. */
  match: ({ kinds, counts }, requests, byValue) =>
    byValue.map((ofValue) => ({
      counts,
      kinds: kinds.map((accepted, r) =>
        requests.includes(r) ? accepted.filter((kind) => ofValue.includes(kind)) : accepted,
      ),
    })),
  /** One device of each value: only the first kind that has it counts. */
  distinct: ({ kinds, counts }, _, byValue) => {
    const single = new Map(byValue.flatMap((kinds) => kinds.map((kind, i) => [kind, i === 0 ? 1 : 0])));
    return [{ kinds, counts: counts.map((count, kind) => Math.min(count, single.get(kind) ?? count)) }];
  },
};

/** The kinds that have each value of an attribute, or nothing if one of them does not state it. */
function groupKindsByValue(attribute: string, kinds: readonly number[], node: NodeShape): number[][] | undefined {
  const groups = groupBy(new Set(kinds), (kind) => node.kinds[kind]?.attributes[attribute]);
  return groups.has(undefined) ? undefined : [...groups.values()];
}
