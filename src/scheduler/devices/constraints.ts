import { groupBy } from '../../base/order';
import type { AttributeConstraint, NodeShape } from '../compile/shapes';
import type { RequestBinding } from './match-request';

interface AllowedDevices {
  /** By request, in the order of the pod. */
  readonly kinds: readonly (readonly number[])[];
  /** The amount of each kind on a node that the pod may use. */
  readonly counts: readonly number[];
}

/**
 * Applies the constraints of a pod to a node. A constraint is evaluated if the class states the attribute for every
 * kind of device that the requests may take. Otherwise the result is unknown, and the constraint counts as met.
 *
 * @param requests the names of the requests, in the order of `bindings`
 * @returns every choice that satisfies the constraints, and the attributes of those that are not evaluated
 */
export function applyConstraints(
  constraints: readonly AttributeConstraint[],
  requests: readonly string[],
  bindings: readonly RequestBinding[],
  node: NodeShape,
): { readonly options: readonly AllowedDevices[]; readonly unjudged: readonly string[] } {
  let options: AllowedDevices[] = [{ kinds: bindings.map(({ kinds }) => kinds), counts: node.counts }];
  const unjudged: string[] = [];
  for (const { rule, attribute, requests: named } of constraints) {
    const concerned = [...requests.keys()].filter((r) => named.length === 0 || named.includes(requests[r] ?? ''));
    const accepted = concerned.flatMap((r) => bindings[r]?.kinds ?? []);
    const values = groupKindsByValue(attribute, accepted, node);
    if (values) options = options.flatMap((option) => CONSTRAINT_RULES[rule](option, concerned, values));
    else unjudged.push(attribute);
  }
  return { options, unjudged };
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
