import { compareText, groupBy } from '../order';
import { assignDevices } from './flow';
import { components, MOST_OVERLAPPING, type Need, normalNeed, type Want } from './need';
import { devicesOf } from './request-matcher';
import { type Requested, withHelpers } from './helpers';
import type { NodeShape, PodShape } from './shapes';
import type { Choice, Solution } from './solution';

/** How the devices of a node meet what a pod asks for. */
export interface Fit {
  readonly need: Need;
  /** What the pod's claim says, the narrowest request first. Empty when only synthetic devices match. */
  readonly claims: readonly Claim[];
  /** Memory in bytes of the devices that the pod takes. */
  readonly memory: number;
  /** The largest share of any kind of device of the node that the pod takes, from 0 to 1. */
  readonly share: number;
  /** What the pod requests, helpers and all. In the units of the ledger. */
  readonly resources: Requested;
  /** What of it the engine's container requests: as declared, or the pod's share of the node less the helpers. */
  readonly own: Requested;
  /** Attributes of constraints of which the class does not say enough to know whether they hold. */
  readonly unjudged: readonly string[];
}

/** One request of a claim, in the forms that the node can meet, the best first. */
export interface Claim {
  readonly request: string;
  readonly forms: readonly ClaimForm[];
}

/** A form of a request, bound to the device class, or extended resource, whose devices it takes. */
export interface ClaimForm {
  /** Absent where the request has one form only. */
  readonly name?: string;
  readonly claimedAs: string;
  readonly count: number;
  readonly selectors: readonly string[];
}

/**
 * What a pod takes of a node: devices by its first solution, and a need that holds for every solution, because
 * the cluster may choose any.
 */
export function toFit(pod: PodShape, first: Solution, solutions: readonly Solution[], node: NodeShape): Fit {
  const claiming = first.choices
    .map((choice, r) => ({ choice, taken: first.taken[r] ?? [] }))
    .filter(({ choice }) => claims(choice));
  const usage = node.kinds.map((_, k) => claiming.reduce((used, { taken }) => used + (taken[k] ?? 0), 0));
  const share = Math.max(0, ...usage.map((count, k) => (count > 0 ? count / (node.counts[k] ?? 1) : 0)));
  const own = ownRequests(pod, node, share);
  const resources = withHelpers(own, pod.helpers);
  return {
    need: needOf(solutions, resources, node),
    claims: [...claiming]
      .sort(
        (a, b) =>
          width(a.choice, node) - width(b.choice, node) ||
          compareText(a.choice.request.name, b.choice.request.name),
      )
      .map(({ choice }) => toClaim(choice, solutions)),
    memory: usage.reduce((bytes, count, k) => bytes + count * (node.kinds[k]?.memory ?? 0), 0),
    share,
    resources,
    own,
    unjudged: first.unjudged,
  };
}

/** Whether a choice takes devices; synthetic ones only narrow. */
function claims({ binding }: Choice): boolean {
  return binding.claimedAs !== undefined;
}

function width({ binding }: Choice, node: NodeShape): number {
  return devicesOf(binding.kinds, node);
}

/** The part of a node's CPU and memory that pods share by default; the rest is for what runs on every node. */
const SHARED_PART = 0.9;

function ownRequests(
  { resources: stated, helpers }: PodShape,
  { resources }: NodeShape,
  share: number,
): Requested {
  const shares = resources.map(
    ({ name, amount }) =>
      [name, Math.floor(amount * SHARED_PART * share) - (helpers.beside[name] ?? 0)] as const,
  );
  return { ...Object.fromEntries(shares.filter(([, amount]) => amount > 0)), ...stated };
}

/**
 * What holds for every solution: a pod that may take one thing or another is charged for both. Where that is more
 * than a node has, or cannot be told, it is the node as a whole.
 */
function needOf(solutions: readonly Solution[], requested: Fit['resources'], node: NodeShape): Need {
  if (solutions.some(({ open, choices }) => open && choices.some(claims))) return 'node';
  const choices = new Map(
    solutions.flatMap((solution) => solution.choices.filter(claims)).map((choice) => [choice, choice]),
  );
  const byRequest = groupBy(choices.values(), ({ request }) => request);
  const wants = [...byRequest.values()].flatMap((forms) =>
    widest(forms.flatMap((choice) => wantsOf(choice, node))),
  );
  const amounts = node.resources.map(
    ({ name, kind }): Want => ({ count: requested[name] ?? 0, kinds: [kind] }),
  );
  const need = normalNeed([...wants, ...amounts]);
  const hasAll =
    assignDevices(
      need.map(({ count }) => count),
      node.counts,
      need.map(({ kinds }) => kinds),
    ) !== undefined;
  const told = components(need).every(({ length }) => length <= MOST_OVERLAPPING);
  return hasAll && told ? need : 'node';
}

/** What a claim may take: a request that takes all that match takes each kind whole. */
function wantsOf({ form: { count }, binding: { kinds } }: Choice, node: NodeShape): Want[] {
  if (devicesOf(kinds, node) > count) return [{ count, kinds }];
  return kinds.map((kind) => ({ count: node.counts[kind] ?? 0, kinds: [kind] }));
}

/** Of several forms of one request, the largest amount from the same kinds: only one of them is taken. */
function widest(wants: readonly Want[]): Want[] {
  return [...groupBy(wants, ({ kinds }) => kinds.join()).values()].flatMap((same) => {
    const [largest] = same.toSorted((a, b) => b.count - a.count);
    return largest ? [largest] : [];
  });
}

function toClaim({ request }: Choice, solutions: readonly Solution[]): Claim {
  const choices = solutions.flatMap((solution) =>
    solution.choices.filter((choice) => choice.request === request && claims(choice)),
  );
  const forms = request.alternatives.flatMap((form): ClaimForm[] => {
    const choice = choices.find((other) => other.form === form);
    if (!choice) return [];
    const { name, count, selectors } = form;
    return [
      {
        ...(name !== undefined && { name }),
        claimedAs: choice.binding.claimedAs ?? '',
        count,
        selectors: selectors.map(({ expression }) => expression),
      },
    ];
  });
  return { request: request.name, forms };
}
