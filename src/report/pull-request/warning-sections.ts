import { qualifiedNameOf } from '../../api/resource';
import { capitalize } from '../../base/text';
import type { Diagnostic } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import type { Cost } from '../../cost/cost';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { Plan } from '../../plan/plan';
import { listNewlyUnpriced } from '../cost/cost-notes';
import { toGateProblems } from '../diff/gate-text';
import type { Refusals } from '../diff/refusals';
import type { Block } from '../document/document';
import { MAX_SINGLE_ITEMS } from '../document/group-alike';
import { findFreshPolicies, splitWarnings } from '../plan/fresh-remarks';
import { homelessOf } from '../plan/homeless-text';
import type { LocatedFleet } from '../plan/plan-annotations';
import { formatDrain } from '../plan/drain-text';
import { type FindEdits, nameNumbers } from './edit-list';
import {
  formatList,
  formatWarning,
  groupPolicies,
  groupWarnings,
  omitSaidMismatches,
  splitWarningLines,
  WHOLE,
} from './warning-lines';

/** What decides which warnings a comment shows. */
interface WarnedComment {
  readonly refusals: Refusals;

  /** The warnings of the earlier state. Warnings that both states have are folded. */
  readonly earlierWarnings: readonly Diagnostic[];

  /** What policies say of the earlier state. What they say of both states is folded. Default: that is not known. */
  readonly earlierPolicies?: Plan['policies'] | undefined;

  /** The cost of the earlier state. What has no price only since the change is named. Default: that is not known. */
  readonly earlierCost?: Cost | undefined;
  readonly gate?: { readonly located: LocatedFleet } | undefined;

  /** The edits at a position, by which warnings name it. */
  readonly editsAt?: FindEdits;

  /** The position of warnings that no edit causes. Default: there are none. */
  readonly at?: string | undefined;
}

/** The warnings of a change, by where a comment has them. */
export interface SortedWarnings {
  /** Those of requests that may be lost and of engines that do not start, which come before the tables. */
  readonly urgent: readonly string[];

  /** The others that are not folded, as a list. */
  readonly lines: readonly string[];
  readonly folds: readonly [string, readonly Block[]][];

  /** Those that the earlier state has too. */
  readonly known: readonly string[];
}

/** Warnings that a replica which stops or has no place brings with it, or an entry that selects nothing any more. */
const FOLLOWING: ReadonlySet<DiagnosticCode> = new Set([
  'share-down',
  'fewer-replicas',
  'no-requests',
  'unserved-entry',
]);

/** Warnings that a replica without a place brings with it: one that stops for a time has its place afterwards. */
const FOLLOWING_UNPLACED: ReadonlySet<DiagnosticCode> = new Set(['lost-redundancy', 'too-few-placed']);

/** Warnings of engines that do not start, or may not. */
const NOT_STARTING: readonly DiagnosticCode[] = [
  'bad-flag-value',
  'gated-model',
  'large-weights',
  'long-context',
  'misspelled-flag',
  'misspelled-image',
  'misspelled-model',
  'no-command',
  'unknown-flag',
  'unmounted-model',
];

/** Warnings of requests that may get no answer. */
const URGENT: ReadonlySet<DiagnosticCode> = new Set([
  'fewer-nodes',
  'share-down',
  'cluster-down',
  'stale-routes',
  'fewer-replicas',
  'limit-lowered',
  ...NOT_STARTING,
]);

const ROOM: DiagnosticCode = 'room-lost';

/** What the table of deployments says of tools that apply clusters independently. */
const INDEPENDENT: DiagnosticCode = 'independent-clusters';

/**
 * Sorts the warnings that a change brings: what follows from what is refused anyway, details of lost room and missing
 * prices are folded.
 */
export function sortWarnings(diff: FleetDiff, plan: Plan, comment: WarnedComment): SortedWarnings {
  const { refusals, gate, earlierCost } = comment;
  const refused = gate ? toGateProblems(listFindings(refusals), gate.located) : [];
  const { fresh: all, known } = splitWarnings(plan, { ...comment, refused });
  const fresh = omitSaidMismatches(omitWhole(all, comment.at), listReasons(refusals));
  const unplaced = listUnplaced(refusals, diff);
  const causes = [...unplaced, ...listDown(refusals), ...listMisrouted(refusals, diff)];
  const follows = ({ code, message }: Diagnostic): boolean => {
    if (code === ROOM) return refusals.unplaced.length > 0;
    // What a drain leaves on fewer clusters stays there once all replicas fit.
    if (FOLLOWING_UNPLACED.has(code)) return plan.drains.length === 0 && unplaced.some((id) => names(message, id));
    return FOLLOWING.has(code) && causes.some((id) => names(message, id));
  };
  const [following, others] = [fresh.filter(follows), fresh.filter((one) => !follows(one))];
  // The verdict on the policies says what is not certain.
  const warned = plan.policies.filter(({ severity, unsure }) => severity === 'warning' && unsure === undefined);
  const policies = findFreshPolicies(warned, comment.earlierPolicies ?? []);
  const [room = [], independent = []] = [ROOM, INDEPENDENT].map((own) => others.filter(({ code }) => code === own));
  const rest = others.filter(({ code }) => code !== ROOM && code !== INDEPENDENT);
  const split = splitWarningLines(rest, URGENT, comment.editsAt);
  const texts = [
    ...plan.drains.filter(({ stuck }) => stuck.length > 0).map(formatDrain),
    ...groupPolicies(policies.fresh),
    ...split.others,
    ...room.map((one) => formatRoom(one, comment.editsAt)),
  ];
  return {
    urgent: formatList(':warning:', split.first, 'warnings'),
    lines: formatList(':warning:', texts, 'warnings'),
    folds: [
      [`Warnings of what follows from the refusals: ${following.length}`, formatFolded(following, comment.editsAt)],
      ['Where clusters are applied independently, as with Argo CD', formatFolded(independent, comment.editsAt)],
      ['Room for further replicas', formatFolded(room, comment.editsAt)],
      ['No price', earlierCost ? listNewlyUnpriced(plan.cost, earlierCost) : []],
    ],
    known: [...groupPolicies(policies.known), ...known.map((one) => formatWarning(one))],
  };
}

/** Each warning with all that it says; many of one kind share a line. */
function formatFolded(warnings: readonly Diagnostic[], editsAt?: FindEdits): string[] {
  if (warnings.length > MAX_SINGLE_ITEMS) return groupWarnings(warnings, editsAt);
  return warnings.map((one) => formatWarning(one, editsAt));
}

function omitWhole(warnings: readonly Diagnostic[], at: string | undefined): Diagnostic[] {
  return warnings.map((one) => (one.at === at ? { ...one, at: WHOLE } : one));
}

/** The room that is lost and the edits that take it: the rest is folded. */
function formatRoom({ message, at, alsoAt = [] }: Diagnostic, editsAt?: FindEdits): string {
  const numbers = new Set([at, ...alsoAt].flatMap((where) => editsAt?.(where) ?? []));
  const edits = [...numbers].sort((a, b) => a - b);
  const cause = edits.length === 0 ? '' : ` (${nameNumbers(edits)})`;
  return `${capitalize(message)}${cause}.`;
}

function listFindings({ findings, unplaced }: Refusals): Refusals['findings'] {
  return [...findings, ...unplaced.flatMap((one) => one.findings)];
}

/** All that a comment says of why replicas have no place. */
function listReasons({ errors, unplaced }: Refusals): string[] {
  const deployments = unplaced.flatMap((one) => one.deployments);
  return [
    ...errors.map(({ message }) => message),
    ...deployments.flatMap(({ why, error }) => [why, ...(error ? [error.message] : [])]),
  ];
}

/** The deployments of which replicas have no place, and the services that send requests to them. */
function listUnplaced({ unplaced, errors }: Refusals, { routes }: FleetDiff): string[] {
  const homeless = errors.flatMap((error) => homelessOf(error)?.deployment ?? []);
  const ids = new Set([...homeless, ...unplaced.flatMap(({ deployments }) => deployments.map(({ id }) => id))]);
  const services = routes.services.filter(({ targets, members }) =>
    [...targets, ...members].some(({ target }) => ids.has(target)),
  );
  return [...ids, ...services.map(({ service }) => service)];
}

/** The deployments of which no replica, or too few, serve for a time. */
function listDown({ findings }: Refusals): string[] {
  return findings.flatMap((one) => ('change' in one ? [one.change.deployment] : []));
}

/** The services of which an entry selects nothing any more, and what they send requests to, before or after. */
function listMisrouted({ findings }: Refusals, { routes }: FleetDiff): string[] {
  const lost = new Set(findings.flatMap((one) => (one.kind === 'entry-lost' ? [qualifiedNameOf(one.service)] : [])));
  return routes.services
    .filter(({ service }) => lost.has(service))
    .flatMap(({ service, targets, members }) => [service, ...[...targets, ...members].map(({ target }) => target)]);
}

/** Whether a text has a name that is no part of a longer one. */
function names(text: string, id: string): boolean {
  const at = text.indexOf(id);
  if (at === -1) return false;
  const next = text.charAt(at + id.length);
  return !/[\w-]/.test(next) || names(text.slice(at + id.length), id);
}
