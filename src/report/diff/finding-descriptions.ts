import { adviseOnAccess } from './access-advice';
import { describeLostAccess } from './access-text';
import { resourceIdOf } from '../../api/kinds';
import { qualifiedNameOf } from '../../api/resource';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { formatAmount } from '../../base/money';
import { decapitalize, joinAnd, joinNames, pluralize } from '../../base/text';
import type { DeploymentDiff, ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import { keepCluster } from '../../diff/gateway-warnings';
import type { GateFinding } from '../../diff/gate-findings';
import { describeKept } from '../../diff/reach-changes';
import { type Cause, dedupeCauses } from '../../diff/replica-causes';
import type { ServiceOutage } from '../../diff/service-outages';
import type { SurgeNeed } from '../../diff/surge-needs';
import { indexDeploymentsById } from '../../fleet/fleet';
import { stopsBeforeMove } from '../../plan/replica-moves';
import { SECRET_HINT, TOKEN_HINT } from '../../plan/warnings/gated-models';
import type { LocatedFleet } from '../plan/plan-annotations';
import { describeBlocked } from './blocked-text';
import { describeGoneAddress, describeLostGateways } from './address-text';
import { CITE_IN_FULL, type CiteEdits, citeNumbers, formatDowntime } from './change-sentences';
import { type Advice, type Choice, noteSaved, orAccept, sortChoices, toAdvice } from './choices';
import type { EarlierEdits } from './earlier-edits';
import { describeLostEntry, describeShareSteps } from './entry-text';
import {
  describeApplied,
  describeDrained,
  describeOutage,
  describeServing,
  findEarlierEdits,
  listServingChoices,
  toOutageText,
} from './outage-sentences';
import { describeShares } from './lost-share-text';
import { adviseOnSeparable, adviseOnLeft } from './separate-edits';
import { describeGone, describeLostNames, describeUnannounced, describeUnanswered } from './model-name-text';

/** The fleet of findings, and how the edits that cause them are named. Default: with their fields and positions. */
export type Located = LocatedFleet & {
  readonly cite?: CiteEdits;

  /** What the change saves a month. Default: nothing, or that is not known. */
  readonly saved?: number | undefined;

  /** What to do about findings that the remedy of another problem settles. Default: that is not known. */
  readonly settled?: ReadonlyMap<GateFinding, Advice & Pick<FindingText, 'earlier'>>;
};

/** The wording and the position of a finding. */
export interface FindingText extends Advice {
  readonly code: DiagnosticCode;

  /** What is wrong, as a clause without a full stop. */
  readonly what: string;

  /** What is wrong, without the service that it is about: the same for all to which the same happens. Absent: it names one. */
  readonly shared?: string;

  /** The edits that cause it, to cite them once where services share a sentence. Absent: what is wrong cites them, or there are none. */
  readonly causes?: readonly Cause[];

  /** What clients see meanwhile, as clauses. Absent: they see nothing, or that is said. */
  readonly effects?: readonly string[];

  /** The edits of an earlier change that the advice asks for. Absent: it asks for something else. */
  readonly earlier?: EarlierEdits | undefined;

  /** The position. Absent if the declaration that causes it is gone. */
  readonly where: string | undefined;
}

/** Says what a finding is, what to do about it, and where. */
export function describeFinding(finding: GateFinding, located: Located): FindingText {
  const describe = DESCRIPTIONS[finding.kind] as (one: GateFinding, located: Located) => FindingText;
  return { ...describe(finding, located), ...located.settled?.get(finding) };
}

type Descriptions = {
  readonly [K in GateFinding['kind']]: (finding: Extract<GateFinding, { kind: K }>, located: Located) => FindingText;
};

const NONE_LEFT_HINT = 'Add capacity; if the deployment can go without replicas, add --accept-removals to plan --gate';

const DESCRIPTIONS: Descriptions = {
  outage: ({ change, applied, against, surge, shares, unselected, separable }, located) => ({
    code: 'outage',
    effects: describeShares({ change, shares, ...(unselected && { unselected }) }),
    earlier: findEarlierEdits(change, { applied }),
    ...withCauses(
      toOutageText(describeOutage(change, { applied, against }), {
        separable: adviseOnSeparable(change.changes, { causes: causesOf(change), separable, ...located }),
        surge: describeOwnSurge(surge, change),
        saved: located.saved,
      }),
      change,
      located,
    ),
    where: whereOf(change, located),
  }),
  'none-left': ({ change }, located) => ({
    code: 'outage',
    ...withCauses(
      { what: `${change.deployment} has no serving replica after the change: none has a place`, hint: NONE_LEFT_HINT },
      change,
      located,
    ),
    where: whereOf(change, located),
  }),
  'too-few-serving': ({ change, serving, minAvailable, raised, applied, against, surge }, located) => ({
    code: 'outage',
    earlier: findEarlierEdits(change, { applied }),
    what: `${change.deployment}: ${pluralize(serving, 'replica')} ${describeServing(serving, change)} during the rollout${describeApplied(change, applied)}, fewer than minAvailable: ${minAvailable}${describeDrained(change)}`,
    ...toAdvice(
      sortChoices([
        ...(raised ? [describeLaterRaise(raised, located)] : []),
        ...listServingChoices(change, { applied, against }).map((one) => noteSaved(one, located.saved)),
        ...listParallel(change, located),
        ...(raised ? [] : [{ text: `lower 'minAvailable' to ${serving} (cost unchanged)`, cost: 0, isDown: true }]),
      ]),
      describeOwnSurge(surge, change),
    ),
    where: whereOf(change, located),
  }),
  'entry-lost': (finding, located) => ({
    code: 'entry-lost',
    ...describeLostEntry(finding, located),
    where: located.locate(finding.service, ['spec', 'endpoints', finding.entry, 'selector']),
  }),
  'share-step': (finding, { locate }) => ({
    code: 'share-step',
    ...describeShareSteps(finding),
    where: finding.steps[0] && locate(finding.service, ['spec', 'endpoints', finding.steps[0].entry]),
  }),
  'address-gone': (finding, { locate }) => ({
    code: 'address-gone',
    ...describeGoneAddress(finding),
    where: finding.service && locate(finding.service, []),
  }),
  'access-lost': (finding, { locate, cite = CITE_IN_FULL }) => {
    const { service, causes } = finding;
    const shared = describeLostAccess(finding);
    return {
      code: 'access-lost',
      what: `${resourceIdOf(service)}: ${shared}${citeNumbers(causes, cite)}`,
      shared,
      causes,
      ...adviseOnAccess(finding),
      where: locate(service, []),
    };
  },
  'waves-blocked': (finding, { cite = CITE_IN_FULL }) => ({
    code: 'blocked-waves',
    ...describeBlocked(finding, cite),
    where: finding.comesBy.find(existsAfter)?.where,
  }),
  'service-outage': ({ service, targets, start }, { locate }) => ({
    code: 'outage',
    what: `${resourceIdOf(service)} has no serving replica ${start ? `for ${formatDowntime(start)} ` : ''}while the change is applied: its requests fail until ${joinNames(targets.map(formatNewTarget))} serves`,
    ...orAccept(
      { text: 'deploy first, send requests there in a second change, and remove the old deployment last' },
      'to accept downtime in this change',
    ),
    where: locate(service, ['spec', 'endpoints']),
  }),
  'no-gateway': ({ services, gateways }, { locate }) => ({
    code: 'address-gone',
    what: `No gateway serves ${joinNames(services.map(qualifiedNameOf))}: ${describeLostGateways(gateways)}`,
    ...orAccept({ text: 'keep a gateway until no client requests the services' }, 'if no client does'),
    where: services[0] && locate(services[0], []),
  }),
  'gateway-closed': ({ services, gateway, host, kept }, { locate }) => ({
    code: 'address-gone',
    what: `${host} is no longer reachable from the internet: clients of ${joinNames(services.map(qualifiedNameOf))} there get no answer any more`,
    hint: [
      "Keep 'public' until no client on the internet requests it; if no client does, add --accept-removals to plan --gate",
      ...describeKept(kept),
    ].join('. '),
    where: locate(gateway, ['spec', 'public']),
  }),
  'service-silent': ({ service, deployments }, { locate }) => ({
    code: 'outage',
    what: `${resourceIdOf(service)} answers nothing after the change: all replicas of ${joinNames(deployments)} stop for good`,
    hint: 'Keep the old nodes until the replicas have other places',
    where: locate(service, ['spec', 'endpoints']),
  }),
  'gateway-down': ({ service, clusters, where }, { locate }) => ({
    code: 'gateway-down',
    what: `${resourceIdOf(service)} has no ingress gateway until ${joinNames(clusters)} ${clusters.length === 1 ? 'serves' : 'serve'} again`,
    ...orAccept({ text: decapitalize(keepCluster('the new one serves')) }, 'to accept downtime in this change'),
    where: where ?? locate(service, []),
  }),
  'model-gone': (finding, { locate }) => ({
    code: 'model-gone',
    ...describeGone(finding),
    where: locate(finding.service, ['spec', 'endpoints']),
  }),
  'model-unanswered': (finding, { locate }) => ({
    code: 'model-gone',
    ...describeUnannounced(finding),
    where: locate(finding.service, ['spec', 'servedModelName']),
  }),
  'requests-fail': (finding, { locate }) => ({
    code: 'model-gone',
    ...describeUnanswered(finding),
    where: finding.deployments[0] && locate(finding.deployments[0], []),
  }),
  'names-gone': (finding, { locate }) => ({
    code: 'model-gone',
    ...describeLostNames(finding),
    where: locate(finding.deployment, []),
  }),
  'model-swapped': ({ change, model: { name, before, after } }, located) => ({
    code: 'model-swapped',
    what: `${change.deployment} has another model under the name '${name}': ${after} instead of ${before}`,
    hint: 'Deploy it next to this one, under a name of its own; if clients of this name may get it, add --accept-removals to plan --gate',
    where: argumentOf(change) ?? whereOf(change, located),
  }),
  removed: ({ former, replicas, clusters, service, namespaces = [] }) => {
    const of = namespaces.length === 1 ? 'namespace' : 'namespaces';
    const who = namespaces.length > 0 ? `pods of ${of} ${joinNames(namespaces)}` : 'clients';
    return {
      code: 'model-gone',
      what: `${former} and its ${pluralize(replicas, 'replica')} are removed: ${who} on ${joinNames(clusters)} that use its Service ${service} get no answer any more`,
      ...orAccept({ text: 'keep the deployment until no client uses it' }, 'if no client uses it'),
      where: undefined,
    };
  },
  'cluster-left': (left, { locate, cite = CITE_IN_FULL }) => {
    const { deployment, clusters, service, draining, unreplaced, causes } = left;
    const when = draining ? ` once old replicas are ${unreplaced ? 'replaced' : 'finalized'}` : '';
    return {
      code: 'model-gone',
      what: `${qualifiedNameOf(deployment)} and its Service ${service} leave ${joinAnd(clusters)}${when}: clients there get no answer any more${cite.because(causes)}`,
      ...adviseOnLeft(left, cite),
      where: causes.find(existsAfter)?.where ?? locate(deployment, []),
    };
  },
  'peers-lost': ({ deployment, lost, causes }, { locate, cite = CITE_IN_FULL }) => ({
    code: 'access-lost',
    what: `${qualifiedNameOf(deployment)} no longer admits ${joinNames(lost)}: clients there get no answer any more${cite.because(causes)}`,
    ...orAccept({ text: "keep them in 'networkPolicy.from' until none is a client" }, 'if none is'),
    where: locate(deployment, ['spec', 'template', 'spec', 'networkPolicy']),
  }),
  'download-refused': ({ change, download: { repository, at } }, { locate }) => {
    const isCache = at.resource.kind === 'ModelCache';
    const [lacks, hint] = isCache ? ['a cache without authSecret', SECRET_HINT] : ['no HF_TOKEN', TOKEN_HINT];
    return {
      code: 'gated-model',
      what: `${change.deployment} has ${lacks} for ${repository}, which is gated: engines that restart do not start again`,
      hint: `${hint}; if something else gives them a token, add --accept-removals to plan --gate`,
      where: locate(at.resource, at.path),
    };
  },
  renamed: ({ former, deployment, service, newService }, { locate }) => ({
    code: 'outage',
    what: `${former} has no serving replica while the change is applied: its new name is ${qualifiedNameOf(deployment)}, and clients in its clusters that use its Service ${service} get no answer any more (the new one is ${newService})`,
    ...orAccept(
      {
        text: 'declare the new deployment next to the old one in this change, and remove the old one in a later one, when clients use the new Service',
      },
      'to accept downtime in this change',
    ),
    where: locate(deployment, []),
  }),
};

/** The line of the arguments of an engine, or of what else makes its replicas change. */
function argumentOf({ changes }: DeploymentDiff): string | undefined {
  const causes = changes.flatMap((one) => one.causes).filter(existsAfter);
  return (causes.find(({ field }) => field?.path.includes('args')) ?? causes[0])?.where;
}

/** `keep 'minAvailable: 2' until this rollout is done (edit 1)`, which costs nothing. */
function describeLaterRaise(raised: Cause, { cite = CITE_IN_FULL }: Located): Choice {
  const before = raised.field?.before;
  const edit = cite.nameEdits([raised]);
  const where = edit === undefined ? '' : ` (${edit})`;
  const text =
    typeof before === 'number'
      ? `keep 'minAvailable: ${before}' until this rollout is done${where}`
      : `add 'minAvailable' when this rollout is done${where}`;
  return { text, cost: 0 };
}

/** `ml/q (new)`, `ml/p (the new name of ml/q)`. */
function formatNewTarget({ deployment, former }: ServiceOutage['targets'][number]): string {
  return `${deployment} (${former === undefined ? 'new' : `the new name of ${former}`})`;
}

/** Adds the edits that cause it. To finalize a replica is no edit. */
function withCauses<T extends { readonly what: string }>(
  text: T,
  change: DeploymentDiff,
  { cite = CITE_IN_FULL }: Located,
): T {
  const changes = change.changes.filter(({ finalized }) => !finalized);
  return { ...text, what: `${text.what}${cite.because(causesOf({ changes }))}` };
}

/** Where several replicas are replaced at the same time, that fewer are. */
function listParallel({ deployment }: DeploymentDiff, { fleet }: LocatedFleet): Choice[] {
  const { parallel = 1 } = indexDeploymentsById(fleet.deployments).get(deployment)?.spec.rollout ?? {};
  return parallel > 1 ? [{ text: "lower 'rollout.parallel' (cost unchanged)", cost: 0 }] : [];
}

/** `Its surge keeps up to 2 idle nodes of us/h100 ($143,314 a month) free`. Empty where nothing needs one. */
function describeOwnSurge(needs: readonly SurgeNeed[], { room, changes }: DeploymentDiff): string {
  // A surge is no way out where nodes go.
  if (!room || room.missing.length > 0 || changes.some(({ nodes }) => nodes !== undefined)) return '';
  const parts = needs.map(({ pool, nodes, replicas, cost }) => {
    const price = cost ? `${formatAmount(cost.perMonth, cost.currency)} a month` : 'price unknown';
    return `up to ${pluralize(nodes * replicas, 'idle node')} of ${pool} (${price})`;
  });
  return parts.length > 0 ? `Its surge keeps ${joinNames(parts)} free` : '';
}

/** The causes for which replicas stop serving. */
export function causesOf({ changes }: Pick<DeploymentDiff, 'changes'>): Cause[] {
  return dedupeCauses(changes.filter(endsServing).flatMap((one) => one.causes));
}

/** The line that causes a change of a deployment. If that line no longer exists, the declaration of the deployment. */
function whereOf(change: DeploymentDiff, { fleet, locate }: LocatedFleet): string | undefined {
  const declared = indexDeploymentsById(fleet.deployments).get(change.deployment);
  return causesOf(change).find(existsAfter)?.where ?? (declared && locate(declared, []));
}

function endsServing(change: ReplicaChangeWithCauses): boolean {
  const { action, down } = change;
  return action === 'remove' || stopsBeforeMove(change) || (action === 'roll' && down === true);
}

/** Reports whether a cause has a source position in the later state; removed fields and resources do not. */
function existsAfter({ action, field }: Cause): boolean {
  return field ? field.after !== undefined : action !== 'removed';
}
