import type { Source } from './cluster-source';
import type { NodePool } from './node-pool';
import { missingField } from './reading/common-findings';
import type { Rule } from './reading/rule';
import type { Finding } from './resource';

interface PoolsOnSource {
  readonly cluster: { readonly source: Source };
  readonly nodePools: readonly NodePool[];
}

/** Something about a pool that only some clouds take. Paths start at the pool. */
type PoolRule = (pool: NodePool, source: Source) => Finding | undefined;

/** What each cloud can connect nodes with. */
const FABRICS: Readonly<Record<NodePool['fabric']['type'], readonly Source[] | undefined>> = {
  None: undefined,
  EFA: ['EKS'],
  InfiniBand: ['AKS', 'Nebius'],
};

/** Clouds whose pools must say where they are: not every zone of a region has every GPU. */
const ZONED: ReadonlySet<Source> = new Set(['GKE', 'EKS']);

const fabricExists: PoolRule = ({ fabric }, source) => {
  const clouds = FABRICS[fabric.type];
  if (!clouds || clouds.includes(source)) return undefined;
  return {
    code: 'bad-fabric',
    path: ['fabric', 'type'],
    what: `a cluster with source ${source} has no fabric ${fabric.type}`,
    hint: `Remove it; ${clouds.join(' and ')} ${clouds.length > 1 ? 'have' : 'has'} it`,
  };
};

const fabricIsNamed: PoolRule = ({ fabric }, source) =>
  source === 'Nebius' && fabric.type === 'InfiniBand' && !fabric.infiniband
    ? missingField(['fabric', 'infiniband'], 'Nebius needs the name of the fabric that the capacity is on')
    : undefined;

const capacityBlockExists: PoolRule = ({ capacityBlock }, source) =>
  capacityBlock && source !== 'EKS'
    ? {
        code: 'bad-capacity-block',
        path: ['capacityBlock'],
        what: `a cluster with source ${source} has no capacity blocks`,
        hint: 'Remove it; EKS has them',
      }
    : undefined;

const zonesGiven: PoolRule = ({ zones }, source) =>
  ZONED.has(source) && zones.length === 0
    ? missingField(
        ['zones'],
        `Name the zones of the region that have the machine type; ${source} pools need them`,
      )
    : undefined;

const AKS_POOL_NAME = /^[a-z][a-z0-9]{0,11}$/;

const aksName: PoolRule = ({ name }, source) =>
  source !== 'AKS' || AKS_POOL_NAME.test(name)
    ? undefined
    : {
        code: 'bad-name',
        path: ['name'],
        what: `'${name}' is not a pool name on AKS`,
        hint: 'Use at most 12 lowercase letters and digits, a letter first',
      };

const POOL_RULES: readonly PoolRule[] = [
  fabricExists,
  fabricIsNamed,
  capacityBlockExists,
  zonesGiven,
  aksName,
];

/** Whether each pool asks only for what the cluster's cloud has. */
export const poolsSuitCloud: Rule<PoolsOnSource> = function* ({ cluster, nodePools }) {
  for (const [index, pool] of nodePools.entries()) {
    for (const rule of POOL_RULES) {
      const finding = rule(pool, cluster.source);
      if (finding) yield { ...finding, path: ['nodePools', index, ...finding.path] };
    }
  }
};
