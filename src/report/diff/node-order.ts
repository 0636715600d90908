import { formatBounds, formatNodeCount, joinNames } from '../../base/text';
import { poolKeyOf } from '../../cost/pool-prices';
import type { CloudChange } from '../../diff/cloud-changes';
import { listWarnedPools } from '../../diff/fewer-nodes';
import { listChangedClusters, listDeclaredSizes, listLeftClusters } from '../../diff/declared-sizes';
import type { DeploymentDiff } from '../../diff/deployment-diff';
import type { FleetDiff } from '../../diff/fleet-diff';
import { areNodesFirst, listRestartingTwice } from '../../diff/repeated-restarts';
import { restartsWithNodes } from '../../diff/serving-during-change';
import type { Plan } from '../../plan/plan';
import { CONTROL_PLANE_KINDS } from '../../provision/cloud-resources';
import { MIN_GROUP } from '../document/group-alike';
import type { ChangeStep, StepTime } from './change-steps';

/** The most pools or clusters that a step names. */
const MAX_NAMED = 3;

/** Nodes that come or go. */
interface NodeStep {
  /** Whether that is before manifests are applied; otherwise after. */
  readonly isFirst: boolean;
  readonly cluster: string;

  /** ``create the node pool `us/h100` ``, ``give `us/h100` 3 nodes instead of 2``. */
  readonly what: string;

  /** The replicas that restart with their nodes, and another time because manifests change their pods. */
  readonly twice?: Replicas;

  /** Whether people or other tools create the nodes. */
  readonly isDeclared?: true;
}

type Replicas = DeploymentDiff['changes'];

type NodeChanges = Pick<FleetDiff, 'cloud' | 'declarations' | 'declaredNodes' | 'deployments'>;

type FormatName = (name: string) => string;

/** What is known besides the nodes. */
interface NodeOrderContext {
  /** What else comes before manifests are applied. Default: nothing. */
  readonly wanted?: readonly string[];

  /** The warnings of the later plan, some of which say when nodes go that no stack deletes, and how. Default: none. */
  readonly warnings?: Plan['warnings'];

  /** How many added nodes stay idle, by pool. Default: none. */
  readonly idle?: ReadonlyMap<string, number>;

  /** Whether merging a change applies its manifests. Default: that is not known. */
  readonly merges?: boolean | undefined;
}

/** How names are formatted, and which added nodes stay idle. */
type StepStyle = { readonly format: FormatName } & Required<Pick<NodeOrderContext, 'idle'>>;

/**
 * Says in which order nodes and manifests change, and with which tool nodes do: they come before the pods that need
 * them, and go after the pods that use them.
 *
 */
export function describeNodeOrder(
  { cloud, declarations, declaredNodes = [], deployments }: NodeChanges,
  format: FormatName = String,
  { wanted = [], warnings = [], idle = new Map(), merges = false }: NodeOrderContext = {},
): ChangeStep[] {
  const found = listWarnedPools(warnings);
  // Of many warnings, not each is shown.
  const warned = found.length < MIN_GROUP ? found : [];
  const replicas = deployments.flatMap(({ changes }) => changes);
  const steps = [
    ...listCloudSteps(cloud, replicas, { format, idle }),
    ...declaredNodes.flatMap((pool) => listMachineSteps(pool, replicas, { format, idle })),
    ...listDeclaredSteps(declarations, cloud, { format, idle, warned }),
  ];
  if (wanted.length === 0 && replicas.every(restartsWithNodes)) {
    const isWhole = cloud.some(isWholeCluster) || listLeftClusters(declarations, cloud).length > 0;
    return toSteps('anytime', steps, formatTools(steps, format), `${isWhole ? '' : ANYTIME}.`);
  }
  const [first = [], last = []] = [true, false].map((isFirst) => steps.filter((one) => one.isFirst === isFirst));
  return [
    ...toSteps('before', first, [...formatTools(first, format), ...wanted], `.${describeWait(first, merges)}`),
    ...toSteps('last', last, formatTools(last, format), `.${describeWait(last, merges)}${describeRun(steps)}`),
  ];
}

const ANYTIME = ', before or after manifests are applied';

/** The steps of one time as one. */
function toSteps(time: StepTime, nodes: readonly NodeStep[], items: readonly string[], end: string): ChangeStep[] {
  const isByStack = nodes.some(({ isDeclared = false }) => !isDeclared);
  return items.length > 0 ? [{ time, what: `${items.join('; ')}${end}`, isByStack }] : [];
}

/** Whether a cluster comes, goes, or makes way for another. */
function isWholeCluster({ kind, action }: CloudChange): boolean {
  return CONTROL_PLANE_KINDS.has(kind) && VERBS[action] !== undefined;
}

/** The steps of a cloud, which a stack takes. A cluster that comes or goes does so with its pools. */
function listCloudSteps(cloud: readonly CloudChange[], replicas: Replicas, style: StepStyle): NodeStep[] {
  const clusters = cloud.filter(isWholeCluster);
  const whole = new Set(clusters.map(({ cluster }) => cluster));
  return [
    ...clusters.map(({ cluster, action }) => ({
      cluster,
      isFirst: action !== 'delete',
      what: `${VERBS[action]} cluster ${style.format(cluster)}`,
    })),
    ...cloud.filter(({ cluster }) => !whole.has(cluster)).flatMap((pool) => listPoolSteps(pool, replicas, style)),
  ];
}

const VERBS: Readonly<Partial<Record<CloudChange['action'], string>>> = {
  create: 'create the',
  replace: 'create the new',
  delete: 'remove the',
};

function listPoolSteps(
  { machine, action, nodes, ...pool }: CloudChange,
  all: Replicas,
  { format, idle }: StepStyle,
): NodeStep[] {
  const { cluster, name } = pool;
  if (machine === undefined) return [];
  const id = format(`${cluster}/${name}`);
  if (action === 'create' || action === 'delete')
    return [{ cluster, isFirst: action === 'create', what: `${VERBS[action]} node pool ${id}` }];
  if (action === 'change') {
    const { before, after } = nodes ?? {};
    if (!before || !after || formatBounds(before) === formatBounds(after)) return [];
    const size = `${formatNodeCount(formatBounds(after))} instead of ${formatBounds(before)}`;
    const what = `give ${id} ${size}${describeIdle(idle, pool)}`;
    return [{ cluster, isFirst: after.most >= before.most, what }];
  }
  const twice = listRestartingTwice(pool, all);
  return [{ cluster, isFirst: areNodesFirst(twice), what: `recreate the nodes of ${id}`, twice }];
}

/** The steps of a pool whose nodes others replace: nothing but this says with which machine, and how. */
function listMachineSteps(pool: CloudChange, all: Replicas, style: StepStyle): NodeStep[] {
  return listPoolSteps(pool, all, style).map((step) => {
    const [is, was] = nameMachines(pool);
    const what = `replace each ${was} of ${style.format(`${pool.cluster}/${pool.name}`)} with one ${is}`;
    return { ...step, what: `${what}, node by node: ${REPLACEMENT}`, isDeclared: true };
  });
}

/** How people replace a node. A drain keeps as many replicas serving as PodDisruptionBudgets ask for. */
const REPLACEMENT = 'add the new node, drain the old one, and delete it when its replicas serve again';

/** `g2-standard-96 (8 x NVIDIA L4) instead of g2-standard-48 (4 x NVIDIA L4)`. */
export function describeMachines(pool: CloudChange): string {
  return nameMachines(pool).join(' instead of ');
}

function nameMachines({ fields: [machine], gpus }: CloudChange): readonly [is: string, was: string] {
  const name = (when: 'after' | 'before'): string => `${String(machine?.[when])}${gpus ? ` (${gpus[when]})` : ''}`;
  return [name('after'), name('before')];
}

const WHOLE_POOL = /^spec\.nodePools\[([^\]]+)\]$/;

/** The steps of clusters whose nodes no stack creates. */
function listDeclaredSteps(
  declarations: FleetDiff['declarations'],
  cloud: readonly CloudChange[],
  { format, idle, warned }: StepStyle & { readonly warned: readonly string[] },
): NodeStep[] {
  const sizes = listDeclaredSizes(declarations, cloud);
  const gone = listLeftClusters(declarations, cloud).map((cluster): NodeStep => {
    return { cluster, isFirst: false, what: `${VERBS.delete} cluster ${format(cluster)}`, isDeclared: true };
  });
  const changed = listChangedClusters(declarations, cloud).flatMap(({ cluster, fields }) => {
    const pools = fields.flatMap(({ field, after }): NodeStep[] => {
      const name = WHOLE_POOL.exec(field)?.[1];
      if (name === undefined) return [];
      const isFirst = after !== undefined;
      const what = `${VERBS[isFirst ? 'create' : 'delete']} node pool ${format(`${cluster}/${name}`)}`;
      return [{ cluster, isFirst, what, isDeclared: true }];
    });
    const resized = sizes
      .filter((size) => size.cluster === cluster && !warned.includes(`${cluster}/${size.pool}`))
      .map(({ pool, what, grows }): NodeStep => {
        const more = `${what}${describeIdle(idle, { cluster, name: pool })}`;
        return { cluster, isFirst: grows, what: `give ${format(`${cluster}/${pool}`)} ${more}`, isDeclared: true };
      });
    return [...resized, ...pools];
  });
  return [...changed, ...gone];
}

/** `, where the new node stays idle as things are`. Empty: none does. */
function describeIdle(
  idle: StepStyle['idle'],
  { cluster, name }: { readonly cluster: string; readonly name: string },
): string {
  const count = idle.get(poolKeyOf(cluster, name)) ?? 0;
  if (count === 0) return '';
  return count === 1
    ? ', where the new node stays idle as things are'
    : ', where the new nodes stay idle as things are';
}

/** The steps, with the tool that takes them. */
function formatTools(steps: readonly NodeStep[], format: FormatName): string[] {
  return [false, true].flatMap((isDeclared) => {
    const own = steps.filter((one) => (one.isDeclared ?? false) === isDeclared);
    if (own.length === 0) return [];
    const stack = own.length === 1 ? 'its stack' : 'their stacks';
    const tool = isDeclared
      ? `by hand or with your own tool: neither merging nor ${format('pulumi up')} changes these nodes`
      : `${format('pulumi up')} of ${stack}, or your own tool`;
    const whats = own.map(({ what }) => what);
    return [`${joinNames(whats, MAX_NAMED)} (${tool})`];
  });
}

const BOTH = 'both restarts at the same time stop more replicas';

/** Why one waits for the other where both restart the same replicas. */
function describeWait(steps: readonly NodeStep[], merges: boolean): string {
  const twice = steps.flatMap((one) => one.twice ?? []);
  if (twice.length === 0) return '';
  const [next, room] = steps.some(({ isFirst }) => isFirst)
    ? [
        `${merges ? 'Merge' : 'Apply manifests'} only when all replicas serve on the new nodes`,
        'the new pods may find no room',
      ]
    : ['Recreate them only when all new pods serve', 'the old pods may find no room on the new nodes'];
  const risks = [...(twice.some(({ requests }) => requests !== undefined) ? [room] : []), BOTH];
  return ` ${next}: earlier, ${risks.join(', and ')}.`;
}

/** One run of a stack creates and deletes. */
function describeRun(steps: readonly NodeStep[]): string {
  const made = new Set(steps.flatMap(({ isFirst, isDeclared, cluster }) => (isFirst && !isDeclared ? cluster : [])));
  const isMixed = steps.some(({ isFirst, cluster }) => !isFirst && made.has(cluster));
  return isMixed
    ? ' One run of the stack creates and removes nodes: unless it applies the manifests too, remove these nodes in a later change.'
    : '';
}
