import { cacheReferencesOf } from '../api/cache/cache-references';
import { type CacheOrigin, cacheOriginOf } from '../api/cache/source';
import { qualifiedNameOf } from '../api/resource';
import { pairsOf } from '../base/keyed-lists';
import { groupBy } from '../base/order';
import { isTierUnknown, roundUpVolumeSize, sharedStorageClassOf } from '../fleet/hardware/shared-storage';
import { cacheClaimNameOf } from '../manifest/kubernetes/object-names';
import { locateCaches } from '../replicas/cache-clusters';
import { cacheFolderOf, toStageableCache } from '../replicas/staged-caches';
import {
  type Cause,
  dedupeCauses,
  type DiffContext,
  type FieldFilter,
  isNotNodeCount,
  selectCauses,
} from './replica-causes';
import type { FleetState } from './fleet-state';

/** What happens to the files of a cache on one cluster. */
export interface CacheChange {
  /** `namespace/name`. */
  readonly cache: string;
  readonly cluster: string;

  /**
   * `restage`: other files are staged next to the present ones. `relocate`: the cluster has another storage class, so the
   * files are staged into a new volume of it. `refill`: the cluster is replaced, so the files are staged into a new volume.
   */
  readonly action: 'stage' | 'restage' | 'relocate' | 'refill' | 'drop';

  /** The GiB of the volume on this cluster, of which files may take a part. Absent if nothing is copied, or the size is unknown. */
  readonly sizeGiB?: number;

  /** Its storage class, where the volume is larger if that is one of Filestore: the cluster declares no tier. Absent: it is not. */
  readonly unknownTier?: string;

  /** Where the files of a cache come from that is declared with the change. Absent: the cache is not new. */
  readonly origin?: CacheOrigin;

  /** The declarations that it comes from. Empty where it follows from what happens to others. */
  readonly causes: readonly Cause[];
}

/** What decides what happens to caches, next to their declarations. */
interface CacheContext extends DiffContext {
  /** Why clusters are replaced, by their name. */
  readonly replaced: ReadonlyMap<string, readonly Cause[]>;
}

/** Compares the staged caches of two states: caches to stage, to stage again and to drop, by cache and cluster. */
export function diffCaches(before: FleetState, after: FleetState, context: CacheContext): CacheChange[] {
  const users = cacheUsersOf(before, after);
  const eventsByCluster = groupBy(context.replicas, ({ cluster }) => cluster);
  const causesOfLocation = ({ cache, cluster }: StagedCache): Cause[] => {
    const events = eventsByCluster.get(cluster)?.filter(({ deployment }) => users.get(deployment)?.has(cache)) ?? [];
    const ofCluster = selectCauses(context.changed, [`InferenceCluster ${cluster}`], isNotNodeCount);
    return dedupeCauses([...ofCluster, ...events.flatMap(({ causes }) => causes)]);
  };
  const causesOfFiles = (declared: readonly Cause[], { cluster }: StagedCache, moves: boolean): readonly Cause[] => [
    ...(moves ? selectCauses(context.changed, [`InferenceCluster ${cluster}`], isStorageField) : []),
    ...declared.filter(({ field }) => !field || isFileField(field)),
  ];
  const causesOfPlace = (declared: readonly Cause[], staged: StagedCache): readonly Cause[] => {
    const found = [...declared.filter(({ field }) => !field || isPlaceField(field)), ...causesOfLocation(staged)];
    return found.length > 0 ? found : declared;
  };
  return pairsOf(stagedCachesOf(before), stagedCachesOf(after), stagedCacheKeyOf).flatMap(
    ({ was, is }): CacheChange[] => {
      const staged = is ?? was;
      const replaced = was && is && context.replaced.get(is.cluster);
      if (!staged || (was?.claim === is?.claim && was?.folder === is?.folder && !replaced)) return [];
      const { cache, cluster } = staged;
      if (replaced) return [{ cache, cluster, action: 'refill', ...sizeOf(staged), causes: replaced }];
      const action = actionOf(was, is);
      const declared = selectCauses(context.changed, [`ModelCache ${cache}`]);
      const causes = RENEWED_FILES.has(action)
        ? causesOfFiles(declared, staged, action === 'relocate')
        : causesOfPlace(declared, staged);
      return [{ cache, cluster, action, ...(is && sizeOf(is)), ...originOfNew(staged, declared), causes }];
    },
  );
}

/** What becomes of files on a cluster that had some, and keeps some. */
export const RENEWED_FILES: ReadonlySet<CacheChange['action']> = new Set(['restage', 'relocate']);

function actionOf(was: StagedCache | undefined, is: StagedCache | undefined) {
  if (!is) return 'drop';
  if (!was) return 'stage';
  return was.claim === is.claim ? 'restage' : 'relocate';
}

/** Fields of a cluster that decide which volumes its caches have. */
const isStorageField: FieldFilter = ({ field }) => /^spec\.storage\b/.test(field);

/** Fields that decide which files a cache has. Not those that only decide on which clusters it is. */
const isFileField: FieldFilter = ({ field }) => !/^spec\.(stage|clusterSelector)\b/.test(field);

/** Fields that decide on which clusters a cache is, and whether it is staged at all. */
const isPlaceField: FieldFilter = ({ field }) =>
  /^spec\.(stage|clusterSelector|storage|blockDevice|source)\b/.test(field);

function sizeOf({ sizeGiB, unknownTier }: StagedCache): Pick<CacheChange, 'sizeGiB' | 'unknownTier'> {
  return { ...(sizeGiB !== undefined && { sizeGiB }), ...(unknownTier !== undefined && { unknownTier }) };
}

function originOfNew({ origin }: StagedCache, declared: readonly Cause[]): Pick<CacheChange, 'origin'> {
  return declared.some(({ action }) => action === 'added') ? { origin } : {};
}

function stagedCacheKeyOf({ cache, cluster }: StagedCache): string {
  return `${cache} ${cluster}`;
}

/** The caches that each deployment mounts in either state, by deployment ID. */
function cacheUsersOf(before: FleetState, after: FleetState): ReadonlyMap<string, ReadonlySet<string>> {
  const [was, is] = [before.decision.fleet, after.decision.fleet];
  if (was.caches.length + is.caches.length === 0) return new Map();
  const users = new Map<string, Set<string>>();
  for (const one of [...was.deployments, ...is.deployments]) {
    const id = qualifiedNameOf(one);
    const mounted = users.get(id) ?? new Set();
    for (const { name } of cacheReferencesOf(one)) mounted.add(`${one.metadata.namespace}/${name}`);
    users.set(id, mounted);
  }
  return users;
}

interface StagedCache {
  readonly cache: string;
  readonly cluster: string;

  /** The name of its volume claim there. */
  readonly claim: string;
  readonly folder: string;
  readonly sizeGiB: number | undefined;
  readonly unknownTier: string | undefined;
  readonly origin: CacheOrigin;
}

/** The caches that a state stages on each cluster. Those that pods mount where they are, or stage themselves, are not. */
function stagedCachesOf({ decision: { fleet, replicas } }: FleetState): StagedCache[] {
  return locateCaches(fleet, replicas).flatMap(({ cache, clusters }): StagedCache[] => {
    if (toStageableCache(cache) === undefined) return [];
    const { sizeGiB } = cache.spec;
    const origin = cacheOriginOf(cache.spec);
    const files = { cache: qualifiedNameOf(cache), folder: cacheFolderOf(cache), origin };
    return clusters.map((cluster) => ({
      ...files,
      cluster: cluster.metadata.name,
      claim: cacheClaimNameOf(cache.metadata, sharedStorageClassOf(cluster)),
      sizeGiB: sizeGiB === undefined ? undefined : roundUpVolumeSize(cluster, sizeGiB),
      unknownTier: isTierUnknown(cluster, sizeGiB) ? sharedStorageClassOf(cluster) : undefined,
    }));
  });
}
