import { REGION_LABEL } from '../../api/labels';
import { textAt } from '../../base/json';
import { sortUnique } from '../../base/order';
import { redact } from '../../base/redaction';
import { formatDocuments } from '../../manifest/format-yaml';
import { type Listing, objectsOf } from '../listing';
import { type SnapshotLists, toSnapshot } from '../live-snapshot';
import { DRAFT_API_VERSION, draftClasses } from './draft-classes';
import { draftDeployments } from './draft-deployments';
import { type DraftPool, draftPools } from './draft-pools';

/** The inputs from which a cluster is drafted. */
export interface DraftSource {
  readonly name: string;
  readonly context: string;

  /** The Kubernetes version, such as `v1.36.0`. Empty where the API server does not report it. */
  readonly version: string;
  readonly lists: Required<SnapshotLists> & {
    readonly deviceClasses: Listing;
    readonly storageClasses: Listing;

    /** Absent or missing: all devices of a node with a claim of others are reserved. */
    readonly claims?: Listing;

    /** LLMInferenceServices. Absent or missing: no deployments are drafted. */
    readonly services?: Listing;
  };
}

/** Drafted manifests of an existing cluster, for review by the user. */
export interface Draft {
  readonly classes: readonly string[];
  readonly pools: readonly string[];

  /** `namespace/name`. */
  readonly deployments: readonly string[];

  /** Guesses and omissions. The text contains them too. */
  readonly notes: readonly string[];

  /** The manifests as YAML. */
  readonly text: string;
}

/** Drivers of file systems that many nodes can mount read-write. */
const SHARED_STORAGE_DRIVERS =
  /^(efs\.csi\.aws\.com|filestore\.csi\.storage\.gke\.io|file\.csi\.azure\.com|nfs\.csi\.k8s\.io|cephfs\.csi\.ceph\.com|rook-ceph\.cephfs\.csi\.ceph\.com|fsx\.csi\.aws\.com|lustre\.csi\.storage\.gke\.io|azurelustre\.csi\.azure\.com)$/;

/** Drafts the manifests of a cluster from its nodes and their published devices, or says as a clause why it cannot. */
export function draftCluster(source: DraftSource): Draft | { readonly why: string } {
  const { name, lists } = source;
  const { poolLabel, pools, notes } = draftPools(toSnapshot(name, lists), lists);
  if (pools.length === 0) return { why: 'no node publishes devices' };
  const drafted = draftClasses(pools, objectsOf(lists.deviceClasses));
  const storage = draftStorage(lists.storageClasses);
  const deployments = draftDeployments(lists.services);
  const all = [
    ...notes,
    ...('missing' in lists.pods ? ['reserved: pods cannot be listed, so nothing is reserved for other workloads'] : []),
    ...drafted.notes,
    ...storage.notes,
    'gateway: none is declared, so requests do not reach replicas on this cluster (spec.gateway)',
    ...deployments.notes,
  ];
  const spec = clusterSpec(source, poolLabel, pools.map(withClass(drafted)), storage.name);
  const region = regionOf(pools);
  const cluster = {
    apiVersion: DRAFT_API_VERSION,
    kind: 'InferenceCluster',
    metadata: { name, ...(region !== undefined && { labels: { [REGION_LABEL]: region } }) },
    spec,
  };
  const head = [
    `Drafted by fleetwright doctor from what cluster ${name} reports. Review these guesses:`,
    ...all.map((note) => `- ${note}`),
  ];
  const documents = [...drafted.classes.map(({ document }) => document), cluster, ...deployments.documents];
  return {
    classes: drafted.classes.map((one) => one.name),
    pools: pools.map((pool) => pool.name),
    deployments: deployments.names,
    notes: all,
    text: redact(formatDocuments(documents, head.join('\n# '))),
  };
}

type PoolWithClass = Omit<DraftPool, 'reserved'> & { readonly className: string; readonly reserved: object };

function withClass({ classes, reserved }: ReturnType<typeof draftClasses>): (pool: DraftPool) => PoolWithClass {
  return (pool) => {
    const devices = reserved.get(pool.name) ?? {};
    const found = classes.find(({ pools }) => pools.includes(pool.name));
    if (!found) throw new Error(`bug: pool ${pool.name} has no class`);
    const all = { ...pool.reserved, ...(Object.keys(devices).length > 0 && { devices }) };
    return { ...pool, className: found.name, reserved: all };
  };
}

function clusterSpec(
  { context, version }: DraftSource,
  poolLabel: string,
  pools: readonly PoolWithClass[],
  storageClassName: string | undefined,
) {
  const [, minor] = /^v?(1\.\d+)/.exec(version) ?? [];
  return {
    cluster: { source: 'Existing', existing: { context, ...(minor !== undefined && { kubernetesVersion: minor }) } },
    poolLabel,
    nodePools: pools.map(({ name, className, nodes, reserved, taints }) => ({
      name,
      className,
      nodeCount: nodes.length,
      ...(Object.keys(reserved).length > 0 && { reserved }),
      ...(taints.length > 0 && { taints }),
    })),
    ...(storageClassName !== undefined && { storage: { sharedFilesystem: { storageClassName } } }),
  };
}

/** The first storage class whose driver provides shared read-write volumes. */
function draftStorage(listing: Listing): { readonly name?: string; readonly notes: readonly string[] } {
  const shared = objectsOf(listing).filter((one) => SHARED_STORAGE_DRIVERS.test(textAt(one, ['provisioner'])));
  const [first, ...others] = sortUnique(shared.map(({ metadata }) => metadata.name));
  if (first === undefined)
    return { notes: ['storage: no class of shared volumes was found, so caches cannot be on this cluster'] };
  const choice = others.length > 0 ? `. Others: ${others.join(', ')}` : '';
  return { name: first, notes: [`storage: class ${first} is shared, by its driver${choice}`] };
}

/** The region of the nodes. Undefined where they are in several regions. */
function regionOf(pools: readonly DraftPool[]): string | undefined {
  const regions = new Set(pools.flatMap(({ nodes }) => nodes.map(({ labels }) => labels[REGION_LABEL])));
  return regions.size === 1 ? [...regions][0] : undefined;
}
