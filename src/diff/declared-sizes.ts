import { formatCount } from '../base/figures';
import { groupBy } from '../base/order';
import { formatBounds, formatNodeCount } from '../base/text';
import type { CloudChange } from './cloud-changes';
import type { DeclarationChange, DeclaredField } from './declaration-changes';
import { NODE_COUNT_FIELD } from './replica-causes';

/** Another size of a node pool whose nodes no stack creates. */
export interface DeclaredSize {
  readonly cluster: string;
  readonly pool: string;

  /** `3 nodes instead of 2`, `at most 3 nodes instead of 4`. */
  readonly what: string;

  /** The most nodes on both sides. Absent where a side has bounds that differ, or no upper one. */
  readonly limits?: { readonly before: number; readonly after: number };

  readonly grows: boolean;
}

/** Lists the node pools that people or other tools resize, in the order of declarations. */
export function listDeclaredSizes(
  declarations: readonly DeclarationChange[],
  cloud: readonly CloudChange[],
): DeclaredSize[] {
  return listChangedClusters(declarations, cloud).flatMap(({ cluster, fields }) => {
    const pools = groupBy(fields, ({ field }) => NODE_COUNT_FIELD.exec(field)?.[1]);
    return [...pools].flatMap(([pool, own]) => {
      const size = pool === undefined ? undefined : describeSize(own);
      return pool !== undefined && size ? [{ cluster, pool, ...size }] : [];
    });
  });
}

/** The fields of a pool that differ, as they are on one side of the change. */
type Counts = Readonly<Partial<Record<string, number>>>;

function describeSize(fields: readonly DeclaredField[]): Omit<DeclaredSize, 'cluster' | 'pool'> | undefined {
  const countsOf = (side: 'before' | 'after'): Counts =>
    Object.fromEntries(
      fields.flatMap(({ field, [side]: value }) =>
        typeof value === 'number' ? [[NODE_COUNT_FIELD.exec(field)?.[2] ?? '', value]] : [],
      ),
    );
  const [before, after] = [countsOf('before'), countsOf('after')];
  const [was, is] = [formatCounts(before), formatCounts(after)];
  if (!was || !is) return undefined;
  const old = was.limit === is.limit ? was.count : `${was.limit}${was.count}`;
  const more = mostOf(after) - mostOf(before) || leastOf(after) - leastOf(before);
  const limits = was.most !== undefined && is.most !== undefined && { before: was.most, after: is.most };
  const what = `${is.limit}${formatNodeCount(is.count)} instead of ${old}`;
  return { what, ...(limits && { limits }), grows: more > 0 };
}

interface CountText {
  readonly limit: string;
  readonly count: string;

  /** The most nodes, where the text has no other number. */
  readonly most?: number;
}

function formatCounts({ nodeCount, minNodeCount: least, maxNodeCount: most }: Counts): CountText | undefined {
  if (least !== undefined && most !== undefined)
    return { limit: '', count: formatBounds({ least, most }), ...(least === most && { most }) };
  if (most !== undefined) return { limit: 'at most ', count: formatCount(most), most };
  // Where an autoscaler has a least number of nodes, nodeCount is that by default.
  if (least !== undefined) return { limit: 'at least ', count: formatCount(least) };
  return nodeCount === undefined ? undefined : { limit: '', count: formatCount(nodeCount), most: nodeCount };
}

const mostOf = ({ nodeCount, minNodeCount, maxNodeCount }: Counts): number =>
  maxNodeCount ?? nodeCount ?? minNodeCount ?? 0;

const leastOf = ({ nodeCount, minNodeCount }: Counts): number => minNodeCount ?? nodeCount ?? 0;

/** The clusters that are no longer declared and that no stack deletes. One under another name is not gone. */
export function listLeftClusters(declarations: readonly DeclarationChange[], cloud: readonly CloudChange[]): string[] {
  return listDeclaredClusters(declarations, cloud).flatMap(({ cluster, action, renamed }) => {
    return action === 'removed' && renamed === undefined ? [cluster] : [];
  });
}

/** The clusters that are newly declared and that no stack creates. One that only has another name is not new. */
export function listJoiningClusters(
  declarations: readonly DeclarationChange[],
  cloud: readonly CloudChange[],
): string[] {
  return listDeclaredClusters(declarations, cloud).flatMap(({ cluster, action, renamed }) => {
    return action === 'added' && renamed === undefined ? [cluster] : [];
  });
}

/** A cluster whose declaration differs. */
type ChangedCluster = DeclarationChange & { readonly cluster: string };

/** The clusters with other fields whose nodes no stack creates. */
export function listChangedClusters(
  declarations: readonly DeclarationChange[],
  cloud: readonly CloudChange[],
): ChangedCluster[] {
  return listDeclaredClusters(declarations, cloud).filter(({ action }) => action === 'changed');
}

function listDeclaredClusters(
  declarations: readonly DeclarationChange[],
  cloud: readonly CloudChange[],
): ChangedCluster[] {
  const created = new Set(cloud.map(({ cluster }) => cluster));
  return declarations.flatMap((change) => {
    const [kind, cluster = ''] = change.id.split(' ');
    return kind === 'InferenceCluster' && !created.has(cluster) ? [{ ...change, cluster }] : [];
  });
}
