import { compareText, groupBy, sortedBy } from '../../base/order';
import type { PreviousRevision } from '../../fleet/fleet';
import type { LayoutsByDeployment, ModelLayouts } from '../../fleet/models/model-layouts';
import { groupByDeployment, type Placement, sortPlacements } from '../placement';
import { escapeNonAscii } from '../previous-revision';

/** The place of every replica of a fleet: the decision of the last accepted plan, kept in git. */
export interface Lock {
  readonly placements: readonly Placement[];
  /** Accepted shortfalls: replicas without a place, by deployment. Each is at least 1. */
  readonly unplaced: ReadonlyMap<string, number>;
  /** The specs of replicas whose digest differs from that of the declared engines: those that are draining. */
  readonly shapes: readonly PreviousRevision[];
  /** The layouts that were chosen for models, by deployment. Absent: none. */
  readonly layouts?: LayoutsByDeployment | undefined;
}

/** The version of the format that this release reads and writes. */
export const LOCK_VERSION = 1;

/** The default name of the lock file, which is in the directory of the manifests. */
export const LOCK_FILE = 'fleet.lock.yaml';

/**
 * The lock of a fleet that was never planned.
 *
 * @example
 * const first = decide(fleet, locate, EMPTY_LOCK);
 */
export const EMPTY_LOCK: Lock = { placements: [], unplaced: new Map(), shapes: [] };

/** The last line of a lock: a file without it was cut off. In YAML it ends the document. */
export const LOCK_END = '...';

/**
 * Formats a lock as YAML with one block for each deployment and one line for each replica, sorted, so that git
 * merges branches that touch different deployments. Equal locks always have equal bytes.
 *
 * @example
 * const lockText = formatLock(decision.lock);
 */
export function formatLock({ placements, unplaced, shapes, layouts = NO_LAYOUTS }: Lock): string {
  const lines = groupByDeployment(sortPlacements(placements));
  const sortedShapes = sortedBy(shapes, ({ shape }) => shape);
  const revisions = groupBy(sortedShapes, ({ deployment }) => deployment);
  const deployments = [...new Set([...lines.keys(), ...unplaced.keys(), ...layouts.keys()])].sort(compareText);
  const blocks = deployments.flatMap((id) => {
    const [count, replicas] = [unplaced.get(id), lines.get(id) ?? []];
    return [
      '',
      `  ${id}:`,
      ...(count ? [`    unplaced: ${count}`] : []),
      ...formatLayouts(layouts.get(id)),
      ...(revisions.get(id) ?? []).map(formatShapeLine),
      replicas.length > 0 ? '    replicas:' : '    replicas: []',
      ...replicas.map(formatReplicaLine),
    ];
  });
  return [
    '# The placement of every replica of the fleet. `fleetwright lock` writes this file; commit it to git.',
    `version: ${LOCK_VERSION}`,
    deployments.length > 0 ? 'deployments:' : 'deployments: {}',
    ...blocks,
    '',
    LOCK_END,
    '',
  ].join('\n');
}

const NO_LAYOUTS: LayoutsByDeployment = new Map();

/** One line for what the layouts rest on, and one for each layout. */
function formatLayouts(chosen: ModelLayouts | undefined): string[] {
  if (!chosen) return [];
  const { spec, layouts, ...facts } = chosen;
  return [
    `    model ${spec}: ${escapeNonAscii(JSON.stringify(facts))}`,
    ...layouts.map((layout, order) => `    layout ${order + 1}: ${escapeNonAscii(JSON.stringify(layout))}`),
  ];
}

/** The key includes the digest, so that git merges each line separately. */
function formatShapeLine({ shape, text }: PreviousRevision): string {
  return `    shape ${shape}: ${text}`;
}

function formatReplicaLine({ cluster, index, pools, shape, backend, draining }: Placement): string {
  const engines = Object.keys(pools).sort(compareText);
  const chosen = engines.map((engine) => `${formatScalar(engine)}: ${formatScalar(pools[engine] ?? '')}`).join(', ');
  const last = `${backend === undefined ? '' : `, backend: ${backend}`}${draining ? ', draining: true' : ''}`;
  return `      - {cluster: ${formatScalar(cluster)}, index: ${index}, pools: {${chosen}}, shape: "${shape}"${last}}`;
}

/** Formats a name as YAML: plain if every YAML parser reads it as text, quoted otherwise. */
function formatScalar(name: string): string {
  return /^[a-z][a-z0-9.-]*$/.test(name) && !AMBIGUOUS_SCALAR.test(name) ? name : `"${name}"`;
}

const AMBIGUOUS_SCALAR = /^(true|false|null|yes|no|on|off|y|n|e-?\d+)$/;
