import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_PICKER } from '../../../src/catalog/llm-d/endpoint-picker';
import { assemble } from '../../../src/fleet/fleet';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { replicaServiceNameOf, serviceNameOf } from '../../../src/manifest/kubernetes/object-names';
import { loadManifests } from '../../../src/manifest/load-manifests';
import { decide } from '../../../src/plan/decide';
import { renderCluster } from '../../../src/render/cluster';
import { backendPickerNameOf } from '../../../src/render/routing/endpoint-picker';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { HERE } from '../harness/paths';

/** What the product emits for the fleet of these tests, and what stands behind its Services. */
export interface Emitted {
  readonly clusters: ReadonlyMap<string, readonly Manifest[]>;

  /** One entry a replica. Those of a deployment on a cluster by index. */
  readonly replicas: readonly {
    readonly cluster: string;
    readonly deployment: string;
    readonly models: readonly string[];
  }[];

  /** What is behind a Service: all replicas of a deployment on the cluster, or one. */
  readonly behind: (namespace: string, service: string) => Behind | undefined;

  /** Endpoint pickers: the Service of each, and the deployment among whose pods it chooses. */
  readonly pickers: readonly {
    readonly cluster: string;
    readonly deployment: string;
    readonly service: string;
    readonly port: number;
  }[];
}

/** Replicas of a deployment. */
export interface Behind {
  readonly deployment: string;

  /** The index of the one. Absent: all. */
  readonly replica?: number;
}

/** The name by which requests ask for the model: all deployments serve it. */
const MODEL = 'llama';

/** Plans the fleet of a folder from nothing and renders it, as the command line does. */
export function emitted(folder = join(HERE, 'fleet')): Emitted {
  const { fleet, replicas, routing } = decided(folder);
  const services = new Map<string, Behind>([
    ...fleet.deployments.map(({ metadata }): [string, Behind] => {
      return [`${metadata.namespace}/${serviceNameOf(metadata)}`, { deployment: metadata.name }];
    }),
    ...replicas.map(({ deployment: { metadata }, index }): [string, Behind] => {
      const name = `${metadata.namespace}/${replicaServiceNameOf(metadata, index)}`;
      return [name, { deployment: metadata.name, replica: index }];
    }),
  ]);
  return {
    clusters: new Map(
      fleet.clusters.map((cluster) => [cluster.metadata.name, renderCluster(cluster, replicas, { fleet, routing })]),
    ),
    replicas: replicas.map(({ cluster, deployment }) => ({
      cluster: cluster.metadata.name,
      deployment: deployment.metadata.name,
      models: [MODEL, ...deployment.spec.template.spec.loraAdapters.map(({ name }) => name)],
    })),
    pickers: routing.edges.flatMap(({ cluster, backends }) =>
      backends
        .filter(({ picker }) => picker.kind === 'PrefixCache')
        .map((backend) => ({
          cluster,
          deployment: backend.deployment.name,
          service: backendPickerNameOf(backend),
          port: ENDPOINT_PICKER.port,
        })),
    ),
    behind: (namespace, service) => services.get(`${namespace}/${service}`),
  };
}

function decided(folder: string): ReturnType<typeof decide> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const texts = files.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
  const { resources, problems } = loadManifests(texts);
  if (problems.length > 0) throw new Error(`the fleet does not load: ${JSON.stringify(problems)}`);
  return decide(assemble(resources), ({ kind, metadata }) => `${kind} ${metadata.name}`, EMPTY_LOCK);
}
