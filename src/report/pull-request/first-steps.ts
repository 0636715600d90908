import { formatCount } from '../../base/figures';
import { formatAmount } from '../../base/money';
import { groupBy, sortUnique } from '../../base/order';
import { idText, joinAnd, joinNames, pluralize } from '../../base/text';
import type { Cost } from '../../cost/cost';
import type { CostChanges } from '../../cost/cost-changes';
import type { Sum } from '../../cost/sum';
import type { FleetDiff } from '../../diff/fleet-diff';
import type { ClusterNeeds, Plan } from '../../plan/plan';
import type { RequiredObject } from '../../render/external-references';
import type { Placement } from '../../scheduler/placement';
import type { ChangeStep } from '../diff/change-steps';
import { describeProtectedClusters } from '../diff/protected-text';
import { describeJoiningClusters } from '../diff/joining-clusters';
import { describeNodeOrder } from '../diff/node-order';
import { describeNewReleases } from '../diff/scaling-text';
import { escapeMarkdown, formatCode } from '../document/write-markdown';
import type { DeploymentRow } from './deployment-rows';
import { listKeptReplicas } from './kept-clauses';
import { ANY_FLEET, formatLockSteps, type NextCommands } from './lock-steps';
import { countUnhelpful } from '../../diff/idle-nodes';
import { listCreatedClusters, sortNewNeeds } from './new-needs';
import { listPackingChanges } from './pool-sizes';
import { describeInManifests } from './pod-security-notes';
import { isRecord } from './record-steps';

/** The most clusters of an object that are named above what is folded. */
const MAX_NAMED = 5;

/** The most objects that are named there. */
const MAX_OBJECTS = 8;

/**
 * Lists what an earlier change does, what must exist before a change is applied and is new with it, and what comes last.
 * Empty where there is nothing of them.
 */
export function listFirstSteps(
  needs: readonly ClusterNeeds[],
  diff: FleetDiff,
  { warnings, deployments, merges }: FirstStepsPlan = NO_PLAN,
): ChangeStep[] {
  const { first, onNewClusters } = sortNewNeeds(needs, diff);
  const before = toWanted(first);
  const wanted = [...listNewNamespaces(before, diff), ...before];
  return [
    ...describeProtectedClusters(diff.protectedClusters, formatCode),
    ...listVolumeSteps(diff),
    ...listPackingSteps(diff),
    ...describeJoiningClusters(diff, formatCode),
    ...describeNewReleases(diff.newReleases, formatCode),
    ...describeNodeOrder(diff, formatCode, {
      wanted: listWanted(wanted),
      warnings,
      idle: countUnhelpful({ deployments }, diff),
      merges,
    }),
    ...listOnNewClusters(toWanted(onNewClusters), merges ? listCreatedClusters(diff) : [], merges),
  ];
}

/** What is known of a plan, and whether merging a change applies its manifests. Default: that is not known. */
type FirstStepsPlan = Pick<Plan, 'warnings' | 'deployments'> & { readonly merges?: boolean };

const NO_PLAN: FirstStepsPlan = { warnings: [], deployments: [] };

interface WantedObject {
  readonly cluster: string;
  readonly object: RequiredObject;

  /** What its name does not say. */
  readonly note?: string;
}

function toWanted(needs: readonly ClusterNeeds[]): WantedObject[] {
  return needs.flatMap(({ cluster, objects }) => objects.map((object) => ({ cluster, object })));
}

/** Names objects to create: once where several clusters need them, and together where these are of one kind. */
function listWanted(wanted: readonly WantedObject[]): string[] {
  const objects = [...groupBy(wanted, (one) => `${one.object.kind} ${nameOf(one.object)} ${one.note}`).values()];
  const texts = groupBy(objects.slice(0, MAX_OBJECTS).map(toNamed), ({ kind, where }) => `${kind}${where}`).values();
  const left = objects.length - MAX_OBJECTS;
  return [...[...texts].map(formatKind), ...(left > 0 ? [`${pluralize(left, 'more object')} (below)`] : [])];
}

interface NamedObject {
  readonly kind: string;
  readonly name: string;

  /** ` on `us` (also in the manifests)`. */
  readonly where: string;
}

/** One object that several clusters need. */
function toNamed(all: readonly WantedObject[]): NamedObject {
  const clusters = joinNames(
    all.map(({ cluster }) => formatCode(cluster)),
    MAX_NAMED,
  );
  const [{ object, note }] = all as readonly [WantedObject];
  const gateways = all.length === 1 ? 'the gateway' : 'the gateways';
  const place = isRecord(object) ? `, to ${gateways} on ${clusters}` : ` on ${clusters}`;
  const where = `${place}${note === undefined ? '' : ` (${note})`}`;
  return { kind: object.kind, name: nameOf(object), where };
}

/** ``create Secrets `ml/a` and `ml/b` on `us` ``. */
function formatKind(objects: readonly NamedObject[]): string {
  const [{ kind, where }] = objects as readonly [NamedObject];
  const ending = kind.endsWith('s') ? 'es' : 's';
  const verb = kind === 'Helm release' ? 'install' : 'create';
  return `${verb} ${kind}${objects.length > 1 ? ending : ''} ${joinAnd(objects.map(({ name }) => name))}${where}`;
}

/**
 * What is created on clusters that the change creates: nothing can be there before.
 *
 * @param registered the clusters that Argo CD does not know yet
 * @param merges whether merging the change applies its manifests
 */
function listOnNewClusters(
  wanted: readonly WantedObject[],
  registered: readonly string[],
  merges = false,
): ChangeStep[] {
  const clusters = sortUnique([...wanted.map(({ cluster }) => cluster), ...registered]).map(formatCode);
  if (clusters.length === 0) return [];
  const what = [...describeRegistration(registered.map(formatCode)), ...listWanted(wanted)].join('; ');
  const anytime = merges ? 'before or after merging' : 'before or after manifests are applied';
  const when = `when the stack has created ${joinNames(clusters, MAX_NAMED)} (${anytime})`;
  return [
    {
      time: 'created',
      when,
      what: `${what}. What needs ${clusters.length > 1 || wanted.length > 0 ? 'them' : 'it'} waits.`,
    },
  ];
}

/** ``register `eu` in Argo CD under this name``: its folder has the manifests. */
function describeRegistration(clusters: readonly string[]): string[] {
  const names = clusters.length === 1 ? 'this name' : 'these names';
  return clusters.length === 0 ? [] : [`register ${joinNames(clusters, MAX_NAMED)} in Argo CD under ${names}`];
}

/** The namespaces of objects that must exist before the manifests that create these namespaces are applied. */
function listNewNamespaces(wanted: readonly WantedObject[], { objects }: FleetDiff): WantedObject[] {
  const inside = new Set(wanted.map(({ cluster, object }) => `${cluster} ${object.namespace}`));
  return objects.flatMap(({ action, kind, cluster, name, podSecurity }) =>
    action === 'create' && kind === 'Namespace' && inside.has(`${cluster} ${name}`)
      ? [{ cluster, object: { kind, name, keys: [], for: [] }, note: describeInManifests(podSecurity) }]
      : [],
  );
}

/** Volumes of caches that a cloud may keep, and bill, once the cluster that could delete them is gone. */
function listVolumeSteps({ caches, declarations }: FleetDiff): ChangeStep[] {
  const removed = new Set(declarations.flatMap(({ id, action }) => (action === 'removed' ? [id] : [])));
  const lost = caches.filter(({ action, cluster }) => {
    return action === 'refill' || (action === 'drop' && removed.has(`InferenceCluster ${cluster}`));
  });
  return [...groupBy(lost, ({ cluster }) => cluster)].map(([cluster, all]) => {
    const names = joinNames(
      all.map(({ cache }) => formatCode(cache)),
      MAX_NAMED,
    );
    const claims = all.length === 1 ? 'the volume claim of the cache' : 'the volume claims of the caches';
    return {
      time: 'earlier',
      when: `before ${formatCode(cluster)} is deleted`,
      what: `delete ${claims} ${names} there; otherwise the cloud may keep and bill what nothing uses.`,
    };
  });
}

/** What the plan takes for granted from now on: that a scheduler, which others configure, packs pods. */
function listPackingSteps({ declarations }: FleetDiff): ChangeStep[] {
  const pools = listPackingChanges(declarations).filter(({ packs }) => packs);
  return [...groupBy(pools, ({ cluster }) => cluster)].map(([cluster, all]) => {
    const names = joinNames(
      all.map(({ pool }) => formatCode(pool)),
      MAX_NAMED,
    );
    return {
      time: 'earlier',
      what: `an administrator of ${formatCode(cluster)} configures its scheduler to pack pods on ${names}; until then replicas there may find no room.`,
    };
  });
}

/**
 * Says what is to do once the change is applied, where old replicas serve until they are finalized.
 *
 * @param used the clusters that keep replicas then
 * @param then what the fleet costs once old replicas are finalized, by default as much as before, and its commands
 */
export function listNextSteps(
  rows: readonly DeploymentRow[],
  used: ReadonlySet<string>,
  plan: Pick<Plan, 'deployments'> & { readonly cost?: Pick<Cost, 'clusters' | 'currency'> },
  { finalizedCost, commands = ANY_FLEET }: Finalizing = {},
): ChangeStep[] {
  const moves = rows.flatMap((row) => row.moves);
  const draining = rows.reduce((sum, { actions }) => sum + actions.draining, 0);
  const old = moves.filter(({ down, lost }) => !down && !lost).length + draining;
  if (old === 0) return [];
  const drained = sortUnique(moves.flatMap(({ drains, lost }) => (lost ? [] : (drains ?? []))));
  const kept = listKeptReplicas(rows, plan.deployments);
  const occupied = new Set([...used, ...kept.map(({ cluster }) => cluster)]);
  const empty = drained.filter((place) => !place.includes('/') && !occupied.has(place));
  const then =
    empty.length > 0
      ? ` Nothing runs on ${joinNames(empty.map(formatCode), MAX_NAMED)} then${formatUpkeep(empty, plan.cost, finalizedCost)}.`
      : '';
  const waiting = listWaiting(plan).map(formatCode);
  const locks = [`${commands.command} --finalize`, ...(waiting.length > 0 ? [commands.command] : [])];
  const finalize = formatLockSteps(locks, commands.synth);
  const placed = waiting.length > 0 ? `, and places replicas of ${joinNames(waiting, MAX_NAMED)}` : '';
  return [
    {
      time: 'later',
      when: `when the new replicas serve (${formatCode(commands.status)}), in a change of its own`,
      what: `${finalize}. That stops ${pluralize(old, 'old replica')}${placed}.${then}${formatKept(kept)}`,
    },
  ];
}

/** What is known of a fleet of which old replicas are finalized. */
interface Finalizing {
  readonly finalizedCost?: Pick<CostChanges, 'clusters'> | undefined;
  readonly commands?: NextCommands | undefined;
}

/** The deployments that get a place where old replicas stop. */
function listWaiting({ deployments }: Pick<Plan, 'deployments'>): string[] {
  const waiting = deployments.filter(({ shortfall }) => {
    return shortfall?.remedies.some((one) => one.kind === 'finalize' && !one.drainsFirst);
  });
  return waiting.map(({ deployment }) => deployment);
}

/** ` The old replica of batch/a still runs on eu: nothing replaces it.` */
function formatKept(kept: readonly Placement[]): string {
  return [...groupBy(kept, ({ cluster }) => cluster)]
    .map(([cluster, all]) => {
      const names = joinNames(sortUnique(all.map(({ deployment }) => formatCode(deployment))), MAX_NAMED);
      const [who, it] =
        all.length === 1 ? ['The old replica of', 'runs'] : [`${formatCount(all.length)} old replicas of`, 'run'];
      return ` ${who} ${names} still ${it} on ${formatCode(cluster)}: nothing replaces ${all.length === 1 ? 'it' : 'them'}.`;
    })
    .join('');
}

/** `, but it costs $66,058 a month until it is removed`. Empty where that is not known. */
function formatUpkeep(
  empty: readonly string[],
  later: Pick<Cost, 'clusters' | 'currency'> | undefined,
  finalized: Pick<CostChanges, 'clusters'> | undefined,
): string {
  // Volumes of caches go with the last replica that mounts them.
  const then = new Map(finalized?.clusters.map(({ cluster, after }) => [cluster, after]));
  const costs = (later?.clusters ?? [])
    .filter(({ cluster }) => empty.includes(cluster))
    .map(({ cluster, total }) => then.get(cluster) ?? total);
  const amounts = (['least', 'most'] as const).map((bound) => sumUpkeep(costs.map((total) => total[bound])));
  const [least, most] = amounts;
  if (!later || !least || !most) return '';
  const [from, to] = [formatAmount(least, later.currency), formatAmount(most, later.currency)];
  const amount = `${escapeMarkdown(from === to ? from : `${from} to ${to}`)} a month`;
  return empty.length === 1
    ? `, but it costs ${amount} until it is removed`
    : `, but they cost ${amount} until they are removed`;
}

/** Undefined where a part has no price. */
function sumUpkeep(sums: readonly Sum[]): number | undefined {
  return sums.some(({ perMonth, unknown }) => perMonth === undefined || unknown > 0)
    ? undefined
    : sums.reduce((total, { perMonth = 0 }) => total + perMonth, 0);
}

function nameOf({ namespace, name, keys }: RequiredObject): string {
  const read = keys.length > 0 ? ` (${joinNames(keys.map(formatCode), MAX_NAMED)})` : '';
  return `${formatCode(idText(namespace, name))}${read}`;
}
