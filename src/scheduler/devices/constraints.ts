import type { AttributeConstraint, NodeShape } from '../compile/shapes';
import type { RequestBinding } from './match-request';

/** Kinds of device that a choice of requests may take from, and how many of each. */
export interface AllowedDevices {
  /** By request, in the order of the pod. */
  readonly kinds: readonly (readonly number[])[];
  /** What a node has of each kind, as far as the pod may use it. */
  readonly counts: readonly number[];
}

/** What constraints leave of a node for a pod. */
export interface ConstraintResult {
  /** Every choice that satisfies the constraints; the devices of a pod are of one of them. */
  readonly options: readonly AllowedDevices[];
  /** Attributes of constraints that the class does not state for every device in question. */
  readonly unjudged: readonly string[];
}

/**
 * What the constraints of a pod allow on a node. A constraint is judged where the class states the attribute for
 * every kind of device that the requests may take; elsewhere nobody can know, and it counts as met.
 *
 * @param requests the names of the requests, in the order of `bindings`
 */
export function applyConstraints(
  constraints: readonly AttributeConstraint[],
  requests: readonly string[],
  bindings: readonly RequestBinding[],
  node: NodeShape,
): ConstraintResult {
  const start: ConstraintResult = {
    options: [{ kinds: bindings.map(({ kinds }) => kinds), counts: node.counts }],
    unjudged: [],
  };
  return constraints.reduce(({ options, unjudged }, constraint): ConstraintResult => {
    const concerned = requests.flatMap((name, r) => (appliesTo(constraint, name) ? [r] : []));
    const values = groupKindsByValue(
      constraint,
      concerned.flatMap((r) => bindings[r]?.kinds ?? []),
      node,
    );
    if (!values) return { options, unjudged: [...unjudged, constraint.attribute] };
    return {
      options: options.flatMap((option) => CONSTRAINT_RULES[constraint.rule](option, concerned, values)),
      unjudged,
    };
  }, start);
}

/** The kinds that have each value of an attribute. */
type KindsByValue = ReadonlyMap<string, readonly number[]>;

/** How each rule narrows what a pod may take. */
const CONSTRAINT_RULES: Readonly<
  Record<
    AttributeConstraint['rule'],
    (from: AllowedDevices, requests: readonly number[], values: KindsByValue) => AllowedDevices[]
  >
> = {
  /** One choice for each value: the requests take kinds of that value only. */
  match: ({ kinds, counts }, requests, values) =>
    [...values.values()].map((ofValue) => ({
      counts,
      kinds: kinds.map((accepted, r) =>
        requests.includes(r) ? accepted.filter((kind) => ofValue.includes(kind)) : accepted,
      ),
    })),
  /** One device of each value: the first kind that has it stands for all. */
  distinct: ({ kinds, counts }, _, values) => {
    const single = new Map(
      [...values.values()].flatMap((ofValue) => ofValue.map((kind, i) => [kind, i === 0 ? 1 : 0])),
    );
    return [{ kinds, counts: counts.map((count, kind) => Math.min(count, single.get(kind) ?? count)) }];
  },
};

function appliesTo({ requests }: AttributeConstraint, name: string): boolean {
  return requests.length === 0 || requests.includes(name);
}

/** The kinds by value, or nothing where one of them does not state the attribute. */
function groupKindsByValue(
  { attribute }: AttributeConstraint,
  kinds: readonly number[],
  node: NodeShape,
): KindsByValue | undefined {
  const values = new Map<string, number[]>();
  for (const kind of new Set(kinds)) {
    const value = node.kinds[kind]?.attributes[attribute];
    if (value === undefined) return undefined;
    values.set(value, [...(values.get(value) ?? []), kind]);
  }
  return values;
}
