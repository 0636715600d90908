import type { InferenceCluster } from '../api/inference-cluster';
import { resourceIdOf } from '../api/kinds';
import { createDigester } from '../base/digest';
import { groupBy, sortedBy } from '../base/order';
import type { Fleet } from '../fleet/fleet';
import { formatDocuments } from '../manifest/format-yaml';
import { formatSynthHeader } from '../manifest/kubernetes/synth-header';
import type { Manifest } from '../manifest/kubernetes/manifest';
import {
  cacheFileNameOf,
  deploymentFileNameOf,
  GATEWAYS_FILE,
  MONITORING_FILE,
  NAMESPACES_FILE,
  PRESETS_FILE,
  QUEUES_FILE,
  routesFileNameOf,
  WARM_NODES_FILE,
} from '../manifest/kubernetes/object-names';
import type { ComputedReplica } from '../replicas/replica';
import { createLocalRouting } from '../routing/local-routing';
import { NO_ROUTING } from '../routing/routing';
import {
  type ClusterManifests,
  type ClusterRendering,
  renderClusterParts,
  type RenderedFleet,
  type Rendering,
} from './cluster';

/**
 * Renders the files of every cluster: maps the path below the output folder to the text. A cluster without any objects
 * has no files.
 *
 * @throws FleetwrightError when two objects have the same name, or a renderer is invalid
 * @example
 * renderFleet(fleet, replicas).get('us-east/ml.qwen3.yaml');
 */
export function renderFleet(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  options: Omit<Rendering, 'fleet'> = {},
): ReadonlyMap<string, string> {
  return renderFleetTexts(fleet, replicas, options);
}

/**
 * Finds the texts of the files of a cluster, by path, in an earlier run, or renders them.
 *
 * @param input a digest of all that they depend on, but the code. Undefined: something in it has no digest
 */
export type TextMemo = (cluster: string, input: string | undefined, render: () => FileTexts) => FileTexts;

export type FileTexts = ReadonlyMap<string, string>;

interface FleetRendering extends Omit<Rendering, 'fleet'> {
  readonly progress?: ((what: string) => void) | undefined;
}

/**
 * As `renderFleet`, with texts of an earlier run for clusters whose input is the same.
 *
 * @param memo default: everything is rendered
 */
export function renderFleetTexts(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  { memo, ...options }: FleetRendering & { readonly memo?: TextMemo | undefined },
): FileTexts {
  const digest = createDigester();
  const texts: [string, string][] = [];
  for (const input of listClusterInputs(fleet, replicas, options)) {
    const render = (): FileTexts => formatFleetFiles(renderClusterFiles(input));
    const found = memo ? memo(input.cluster.metadata.name, digest(input), render) : render();
    texts.push(...found);
  }
  return sortTexts(texts);
}

/**
 * Renders the files of every cluster, each with its objects, cluster by cluster: the objects of all clusters of a large
 * fleet take several times the memory of their texts.
 */
export function* renderFleetFiles(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  options: FleetRendering,
): Generator<ManifestFile> {
  for (const input of listClusterInputs(fleet, replicas, options)) yield* renderClusterFiles(input);
}

/** All that the files of a cluster are rendered from, as plain data but for custom renderers. */
interface ClusterInput {
  readonly cluster: InferenceCluster;
  readonly replicas: readonly ComputedReplica[];
  readonly rendering: ClusterRendering;
}

function* listClusterInputs(
  fleet: Fleet,
  replicas: readonly ComputedReplica[],
  { progress, ...options }: FleetRendering,
): Generator<ClusterInput> {
  const rendering = { fleet: toRenderedFleet(fleet), ...options };
  const localRoutingOf = createLocalRouting(options.routing ?? NO_ROUTING);
  const byCluster = groupBy(replicas, ({ cluster }) => cluster.metadata.name);
  for (const [i, cluster] of fleet.clusters.entries()) {
    const { name } = cluster.metadata;
    progress?.(`rendering ${i + 1} of ${fleet.clusters.length}: ${name}`);
    const routing = localRoutingOf(name);
    yield { cluster, replicas: byCluster.get(name) ?? [], rendering: { ...rendering, routing } };
  }
}

/** Leaves out what is not read: a digest of it would change with each deployment. */
function toRenderedFleet({ settings, classes, hardware, caches }: RenderedFleet): RenderedFleet {
  return { ...(settings && { settings }), classes, hardware, caches };
}

function renderClusterFiles({ cluster, replicas, rendering }: ClusterInput): ManifestFile[] {
  const parts = renderClusterParts(cluster, replicas, rendering);
  return listFiles(parts).map((file) => ({ ...file, folder: cluster.metadata.name, isCluster: true }));
}

/** Formats files of clusters: maps the path below the output folder to the text, sorted by path. */
export function formatFleetFiles(files: Iterable<ManifestFile>): FileTexts {
  const texts = Array.from(files, ({ folder, file, source, isCluster, manifests }): [string, string] => {
    const owner = isCluster ? `cluster ${folder}` : `chart ${folder}`;
    return [`${folder}/${file}`, formatDocuments(manifests, formatSynthHeader(owner, source))];
  });
  return sortTexts(texts);
}

function sortTexts(texts: readonly [path: string, text: string][]): FileTexts {
  return new Map(sortedBy(texts, ([path]) => path));
}

/** A file of objects. */
export interface ManifestFile extends ClusterFile {
  /** The folder: the name of the cluster, or of a chart that a program adds. */
  readonly folder: string;
  readonly isCluster: boolean;
}

interface ClusterFile {
  readonly file: string;

  /** What it comes from: the ID of a resource. Absent: the whole cluster. */
  readonly source?: string;
  readonly manifests: readonly Manifest[];
}

function listFiles({
  namespaces,
  queues,
  presets,
  caches,
  deployments,
  routing,
  monitoring,
  warmNodes,
}: ClusterManifests): ClusterFile[] {
  const shared = [
    { file: NAMESPACES_FILE, manifests: namespaces },
    { file: QUEUES_FILE, manifests: queues },
    { file: PRESETS_FILE, manifests: presets },
    { file: GATEWAYS_FILE, manifests: routing.gateways },
    { file: MONITORING_FILE, manifests: monitoring },
    { file: WARM_NODES_FILE, manifests: warmNodes },
  ];
  return [
    ...shared.filter(({ manifests }) => manifests.length > 0),
    ...caches.map(({ cache, manifests }) => {
      return { file: cacheFileNameOf(cache.metadata), source: resourceIdOf(cache), manifests };
    }),
    ...deployments.map(({ deployment, manifests }) => {
      return { file: deploymentFileNameOf(deployment.metadata), source: resourceIdOf(deployment), manifests };
    }),
    ...routing.services.map(({ service, manifests }) => {
      const source = `ModelService ${service.namespace}/${service.name}`;
      return { file: routesFileNameOf(service), source, manifests };
    }),
  ];
}
