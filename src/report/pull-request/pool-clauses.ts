import { formatCount } from '../../base/figures';
import { groupBy, sortUnique } from '../../base/order';
import { formatBounds, joinAnd, joinNames, pluralize } from '../../base/text';
import { type CloudChange, lostZonesOf } from '../../diff/cloud-changes';
import { combineDowntimes } from '../../diff/downtime';
import { listLeftClusters } from '../../diff/declared-sizes';
import type { FieldChange } from '../../diff/field-changes';
import type { ReplicaChangeWithCauses } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import { losesItsPool } from '../../diff/pool-disruption';
import { movesToPool } from '../../diff/replica-causes';
import { isOutage, restartsWithNodes } from '../../diff/serving-during-change';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import { formatDownFor } from '../diff/change-sentences';
import { describeMachines } from '../diff/node-order';
import { formatCode } from '../document/write-markdown';
import { type Clause, joinFew, MAX_NAMES, type Rank, rankClauses } from './clauses';
import { changesLabelsOnly } from './object-clauses';
import { formatPacking, listDeclaredSizeClauses, listSizeClauses, MAX_NAMED, namePool, newZonesOf } from './pool-sizes';

/** The clauses about clusters and node pools. */
interface PoolClauses {
  /** On which nodes go, the worst first, or are replaced by people with those of another machine. */
  readonly lost: readonly Clause[];

  /** Whether these say which replicas are down. */
  readonly saysDown: boolean;

  /** On which nodes are recreated, which restarts replicas after all else. */
  readonly recreated: readonly Clause[];

  /** That are new, or have more or fewer nodes. */
  readonly gained: readonly Clause[];
}

/** Lists what happens to clusters and node pools, and to replicas on them. */
export function listPoolClauses({ cloud, declarations, declaredNodes = [], deployments }: FleetDiff): PoolClauses {
  const changes = deployments.flatMap((one) => one.changes);
  const downtimeOf: DescribeDowntime = (gone) => describeDowntime(deployments, gone);
  const replaced = cloud.filter(({ kind, action }) => CONTROL_PLANE_KINDS.has(kind) && action === 'replace');
  const removed = declaredClusters(declarations, 'removed');
  const added = declaredClusters(declarations, 'added');
  const whole = new Set([...replaced.map(({ cluster }) => cluster), ...removed, ...added]);
  const pools = cloud.filter(({ machine, cluster }) => machine !== undefined && !whole.has(cluster));
  const of = (action: CloudChange['action']): CloudChange[] => pools.filter((one) => one.action === action);
  const { renamed, deleted, created } = pairPools(of('delete'), of('create'));
  const lost = [
    ...formatRemoved(removed, declarations, cloud).map((text) => addTo(text, describeStopped(deployments, removed))),
    ...describe(replaced, 'cluster', (what, on) =>
      addTo(`replaces ${what}${describeReplaced(on)}, deleted first`, downtimeOf(on)),
    ),
    ...listReplaced(of('replace'), downtimeOf),
    ...pools.filter(isInFewerZones).map((pool) => addTo(describeFewerZones(pool), downtimeOf([pool]))),
    ...renamed.map(({ was, is }) =>
      addTo(`replaces the node pool ${namePool(was)} with ${formatCode(is.name)}`, downtimeOf([was])),
    ),
    ...describe(deleted, 'node pool', (what, on) => addTo(`deletes ${what}`, downtimeOf(on))),
  ];
  const recreated = listRecreated(of('roll'), (on) => describeRestarts(deployments, on));
  const coming = describe(created, 'node pool', (what, made) => `creates ${what}${describeUse(changes, made)}`);
  const gained = [
    ...rankClauses('capacity', [...formatClusters('adds', added, cloud), ...coming]),
    ...listSizeClauses(of('change')),
    ...listDeclaredSizeClauses(declarations, cloud),
    ...rankClauses('capacity', formatPacking(declarations)),
  ];
  const renewed = listRenewed(declaredNodes, (on) => describeRestarts(deployments, on));
  return { lost: [...lost, ...renewed], saysDown: lost.length > 0, recreated, gained };
}

/** What the loss of pools or clusters does to replicas, as the end of a clause. */
type DescribeDowntime = (gone: readonly CloudChange[]) => Clause;

function listRecreated(rolled: readonly CloudChange[], restartsOn: DescribeDowntime): Clause[] {
  return [...groupBy(rolled, describeNodes)].flatMap(([nodes, same]) =>
    describe(same, 'node pool', (what, on) => {
      return addTo(
        `recreates the nodes of ${what} one at a time (without a spare node)${nodes}${describeTags(on)}`,
        restartsOn(on),
      );
    }),
  );
}

/** ``declares g2-standard-96 instead of g2-standard-48 for the nodes of `us/l4` ``. */
function listRenewed(renewed: readonly CloudChange[], restartsOn: DescribeDowntime): Clause[] {
  return [...groupBy(renewed, describeMachines)].flatMap(([machines, same]) =>
    describe(same, 'node pool', (what, on): Clause => {
      const { rank, text } = restartsOn(on);
      // A clause of its own says that these replicas restart.
      const end = text.endsWith(' too') ? '' : text;
      return { rank: rank === 'replicas' ? 'down' : rank, text: `declares ${machines} for the nodes of ${what}${end}` };
    }),
  );
}

function addTo(text: string, end: Clause): Clause {
  return { rank: end.rank, text: `${text}${end.text}` };
}

/** ``, because their tags change with `Fleet fleet` ``, where nothing else of the nodes does. */
function describeTags(pools: readonly CloudChange[]): string {
  if (!pools.every(({ fields }) => changesLabelsOnly(fields))) return '';
  const ids = sortUnique(pools.flatMap(({ causes }) => causes.map(({ id }) => formatCode(id))));
  return `, because their tags change${ids.length > 0 ? ` with ${joinNames(ids, MAX_NAMES)}` : ''}`;
}

/** ` (location europe-west4 → europe-west1)`, ` (its network changes)`. Empty where clusters change in different fields. */
function describeReplaced(clusters: readonly CloudChange[]): string {
  const [text = '', ...others] = sortUnique(clusters.map(describeReplacedCluster));
  return text === '' || others.length > 0 ? '' : ` (${text})`;
}

function describeReplacedCluster({ fields }: CloudChange): string {
  const place = fields.find(({ field, before, after }) => {
    return PLACE.test(field) && typeof before === 'string' && typeof after === 'string';
  });
  if (place) return `${place.field} ${formatCode(String(place.before))} → ${formatCode(String(place.after))}`;
  const names = sortUnique(fields.map(({ field }) => field));
  return names.length === 0 ? '' : `its ${joinNames(names, MAX_NAMES)} ${names.length === 1 ? 'changes' : 'change'}`;
}

/** The arguments of clusters that say where they are. */
const PLACE = /(^|\.)(location|region)$/;

function listReplaced(replaced: readonly CloudChange[], downtimeOf: DescribeDowntime): Clause[] {
  return [...groupBy(replaced, describeNodes)].flatMap(([nodes, on]) =>
    describe(on, 'node pool', (what) => {
      return addTo(`deletes ${what} and creates ${on.length === 1 ? 'it' : 'them'} again${nodes}`, downtimeOf(on));
    }),
  );
}

function describeFewerZones(pool: CloudChange): string {
  const zones = joinNames(lostZonesOf(pool));
  return `deletes the nodes of the node pool ${namePool(pool)} in ${zones}${describeNewZones(pool, zones)}`;
}

/** ` before any exist in europe-west4-c`, where a pool comes to other zones. */
function describeNewZones(pool: CloudChange, zones: string): string {
  const added = newZonesOf(pool);
  return added.length > 0 && zones !== '' ? ` before any exist in ${joinNames(added)}` : '';
}

/** `, which no replica uses`, of new pools on which none of a change starts. */
function describeUse(changes: readonly ReplicaChangeWithCauses[], made: readonly CloudChange[]): string {
  const isOn = ({ cluster, pools, action }: ReplicaChangeWithCauses): boolean =>
    action !== 'remove' && made.some((one) => one.cluster === cluster && Object.values(pools).includes(one.name));
  return changes.some(isOn) ? '' : ', which no replica uses';
}

/** The arguments of node pools of clouds that say what nodes are, by the last part of their names. */
const NODE_FIELDS: readonly (readonly [names: RegExp, describe: (change: FieldChange) => string])[] = [
  [/(^|\.)(machineType|vmSize|instanceTypes?(\[0\])?)$/, ({ after }) => String(after)],
  [
    /(^|\.)guestAccelerators?\[\d+\]\.count$/,
    ({ before, after }) => `${String(after)} GPUs a node instead of ${String(before)}`,
  ],
  [/(^|\.)guestAccelerators?\[\d+\]\.type$/, ({ before, after }) => `${String(after)} instead of ${String(before)}`],
  [
    /(^|\.)(spot|capacityType|scaleSetPriority)$/,
    ({ after }) =>
      after === true || /^spot$/i.test(String(after))
        ? 'spot nodes (the cloud can take them away at any time)'
        : 'nodes that are not spot',
  ],
];

/**
 * ` with g2-standard-48 and 4 GPUs a node instead of 2`, ` with p5en.48xlarge (8 x NVIDIA H200 instead of 8 x …)`, ` with
 * g6e.24xlarge (4 x NVIDIA L40S as before)`, ` with spot nodes (the cloud …)`. Empty where other fields change.
 */
function describeNodes({ fields, gpus }: CloudChange): string {
  const nodes = NODE_FIELDS.flatMap(([names, text]) => {
    return fields.filter(({ field }) => names.test(field)).map(text);
  });
  const isSaid = gpus === undefined || nodes.some((text) => text.includes(' instead of '));
  const isSame = gpus?.before === gpus?.after;
  const change = isSaid ? '' : `${gpus.after} ${isSame ? 'as before' : `instead of ${gpus.before}`}`;
  if (nodes.length === 0) return change === '' || isSame ? '' : ` with ${change}`;
  return ` with ${joinAnd(nodes)}${change === '' ? '' : ` (${change})`}`;
}

function isInFewerZones(pool: CloudChange): boolean {
  return pool.action !== 'replace' && lostZonesOf(pool).length > 0;
}

function declaredClusters(declarations: FleetDiff['declarations'], wanted: 'added' | 'removed'): string[] {
  return declarations.flatMap(({ id, action }) => {
    const [kind, name = ''] = id.split(' ');
    return kind === 'InferenceCluster' && action === wanted ? [name] : [];
  });
}

/** Of the clusters that a fleet no longer declares, a stack deletes those that it made, and nothing else does. */
function formatRemoved(
  removed: readonly string[],
  declarations: FleetDiff['declarations'],
  cloud: readonly CloudChange[],
): string[] {
  const left = listLeftClusters(declarations, cloud);
  const own = removed.filter((cluster) => !left.includes(cluster));
  const [them, they] = left.length === 1 ? ['it', 'it costs'] : ['them', 'they cost'];
  return [
    ...formatClusters('removes', own, cloud),
    ...formatClusters('no longer declares', left, cloud).map((text) => {
      return `${text} (nothing deletes ${them} but you; until then ${they} as before)`;
    }),
  ];
}

/** ``removes the cluster `eu` with its 41 cloud resources``. */
function formatClusters(
  verb: 'adds' | 'removes' | 'no longer declares',
  clusters: readonly string[],
  cloud: readonly CloudChange[],
): string[] {
  if (clusters.length === 0) return [];
  const own = cloud.filter(({ cluster }) => clusters.includes(cluster));
  const noun = clusters.length === 1 ? 'the cluster' : 'the clusters';
  const what = clusters.length > MAX_NAMED ? `${formatCount(clusters.length)} clusters` : `${noun} ${join(clusters)}`;
  const files = own.some(({ kind }) => kind === 'FileSystem')
    ? ` and the files on ${clusters.length === 1 ? 'its' : 'their'} file systems`
    : '';
  const whose = clusters.length === 1 ? 'its' : 'their';
  return [
    `${verb} ${what}${own.length > 0 ? ` with ${whose} ${pluralize(own.length, 'cloud resource')}` : ''}${verb === 'removes' ? files : ''}`,
  ];
}

function join(names: readonly string[]): string {
  return names.map(formatCode).join(' and ');
}

/** Pairs deleted and created pools of one cluster with the same nodes: pools that get another name. */
function pairPools(gone: readonly CloudChange[], made: readonly CloudChange[]) {
  const left = [...made];
  const pairs = gone.map((was) => {
    const at = left.findIndex((is) => is.cluster === was.cluster && nodesOf(is) === nodesOf(was));
    const [is] = at === -1 ? [] : left.splice(at, 1);
    return { was, is };
  });
  return {
    renamed: pairs.flatMap(({ was, is }) => (is ? [{ was, is }] : [])),
    deleted: pairs.filter(({ is }) => !is).map(({ was }) => was),
    created: left,
  };
}

function nodesOf({ machine, nodes }: CloudChange): string {
  const bounds = nodes?.after ?? nodes?.before;
  return `${machine} ${bounds ? formatBounds(bounds) : ''}`;
}

function describe<T>(
  gone: readonly CloudChange[],
  noun: 'cluster' | 'node pool',
  sentence: (what: string, gone: readonly CloudChange[]) => T,
): T[] {
  if (gone.length === 0) return [];
  const names = gone.map((one) => (noun === 'cluster' ? formatCode(one.cluster) : namePool(one)));
  const few = `the ${noun}${names.length > 1 ? 's' : ''} ${names.join(' and ')}`;
  return [sentence(names.length > MAX_NAMED ? pluralize(names.length, noun) : few, gone)];
}

/** The changes of replicas that are on such pools or clusters before a change. */
function replicasOn(
  changes: readonly ReplicaChangeWithCauses[],
  gone: readonly CloudChange[],
): ReplicaChangeWithCauses[] {
  const byCluster = groupBy(gone, ({ cluster }) => cluster);
  return changes.filter((change) => {
    const { cluster, pools } = change.from ?? change;
    const found = change.action === 'place' ? [] : (byCluster.get(cluster) ?? []);
    return found.some(({ machine, name }) => machine === undefined || Object.values(pools).includes(name));
  });
}

function describeDowntime(deployments: FleetDiff['deployments'], gone: readonly CloudChange[]): Clause {
  const on = deployments.flatMap(({ changes }) => replicasOn(changes, gone));
  // The clause about moved replicas says that they stop.
  const down = on.filter((one) => one.nodes === 'replace' && one.action !== 'move' && !movesToPool(one));
  const misplaced = down.filter((one) => one.misplaced).length;
  if (misplaced > 0) {
    const others = down.length > misplaced ? `, and takes down ${formatCount(down.length - misplaced)} more` : '';
    return toEnd(
      'down',
      `, which **stops ${nameReplicas(deployments, ({ misplaced }) => misplaced === true)} for good**: the new nodes do not match${others}`,
    );
  }
  const lost = down.filter(losesItsPool);
  if (lost.length > 0 && lost.length === down.length)
    return toEnd('down', `, which **stops ${nameReplicas(deployments, (one) => lost.includes(one))} for good**`);
  if (down.length > 0) return describeDown(deployments, down);
  return on.length === 0 ? toEnd('capacity', ', with no replica on it') : toEnd('gone', '');
}

function toEnd(rank: Rank, text: string): Clause {
  return { rank, text };
}

/** Downtime is that of a deployment: there is none where other replicas of it serve. */
function describeDown(deployments: FleetDiff['deployments'], down: readonly ReplicaChangeWithCauses[]): Clause {
  const hit = deployments.filter(({ changes }) => changes.some((change) => down.includes(change)));
  const out = hit.filter(({ serving }) => serving.withWaves === 0).map(({ deployment }) => deployment);
  const downtime = combineDowntimes(hit.map((one) => one.downtime));
  const time = downtime ? ` ${formatDownFor(downtime)}` : '';
  if (out.length === hit.length)
    return toEnd('down', `, with **downtime of ${pluralize(down.length, 'replica')}${time}**`);
  const who = `: ${pluralize(down.length, 'replica')} ${down.length === 1 ? 'is' : 'are'} down${time}`;
  if (out.length > 0) return toEnd('down', `${who}, with **downtime** of ${joinFew(out, 'deployments')}`);
  return toEnd('gone', `${who} (others of ${hit.length > 1 ? 'each deployment' : 'the deployment'} serve)`);
}

/** `, which **stops all 2 replicas of docs/a for good**`, of those that have no place without removed clusters. */
function describeStopped(deployments: FleetDiff['deployments'], removed: readonly string[]): Clause {
  const isStopped = (change: ReplicaChangeWithCauses): boolean =>
    losesItsPool(change) && removed.includes(change.cluster);
  if (!deployments.some(({ changes }) => changes.some(isStopped))) return toEnd('gone', '');
  return toEnd('down', `, which **stops ${nameReplicas(deployments, isStopped)} for good**`);
}

/** `all 4 replicas of ml/a and ml/b`, `2 replicas of ml/a`. */
function nameReplicas(
  deployments: FleetDiff['deployments'],
  isHit: (change: ReplicaChangeWithCauses) => boolean,
): string {
  const hit = deployments.flatMap(({ deployment, changes, serving }) => {
    const count = changes.filter(isHit).length;
    return count === 0 ? [] : [{ deployment, count, isAll: count === serving.before }];
  });
  const count = hit.reduce((sum, one) => sum + one.count, 0);
  const names =
    hit.length > MAX_NAMES
      ? pluralize(hit.length, 'deployment')
      : joinAnd(hit.map((one) => formatCode(one.deployment)));
  const all = hit.every(({ isAll }) => isAll) ? (count === 1 ? 'the only ' : 'all ') : '';
  return `${all}${count === 1 && all !== '' ? 'replica' : pluralize(count, 'replica')} of ${names}`;
}

function describeRestarts(deployments: FleetDiff['deployments'], rolled: readonly CloudChange[]): Clause {
  const hit = deployments.flatMap(({ deployment, changes, serving }) => {
    const on = replicasOn(changes, rolled).filter(({ nodes }) => nodes === 'roll');
    // Of replicas that restart for more than their nodes, the clause of that restart says the downtime.
    const isOut = isOutage({ ...serving, recreate: false }, 'withWaves') && on.some(restartsWithNodes);
    return on.length === 0 ? [] : [{ deployment, on, isOut }];
  });
  const on = hit.flatMap((one) => one.on);
  if (on.length === 0) return toEnd('replicas', '');
  const again = on.some(restartsWithNodes) ? '' : ' too';
  const out = hit.flatMap(({ deployment, isOut }) => (isOut ? [deployment] : []));
  const text = `, which restarts ${pluralize(on.length, 'replica')}${again}`;
  if (out.length === 0) return toEnd('replicas', text);
  const whose = out.length === hit.length ? ' with' : `, ${joinFew(out, 'deployments')} with`;
  return toEnd('down', `${text}${whose} **downtime**`);
}
