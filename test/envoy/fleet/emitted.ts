import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../../../src/fleet';
import { loadManifests } from '../../../src/manifest/load';
import { decide } from '../../../src/plan/decide';
import { renderCluster } from '../../../src/render/cluster';
import type { Manifest } from '../../../src/render/manifest';
import { serviceName } from '../../../src/render/names';
import { EMPTY_LOCK } from '../../../src/scheduler/lock';
import { HERE } from '../harness/paths';

/** What the product emits for the fleet of these tests, and what stands behind its Services. */
export interface Emitted {
  readonly clusters: ReadonlyMap<string, readonly Manifest[]>;

  /** One entry a replica, by cluster, deployment and index. */
  readonly replicas: readonly {
    readonly cluster: string;
    readonly deployment: string;
    readonly models: readonly string[];
  }[];

  /** The deployment behind a Service. */
  readonly deploymentOf: (namespace: string, service: string) => string;
}

/** The name by which requests ask for the model: both deployments serve it. */
const MODEL = 'llama';

/** Plans the fleet from nothing and renders it, as the command line does. */
export function emitted(): Emitted {
  const { fleet, replicas, routing } = decided();
  const services = new Map(
    fleet.deployments.map(({ metadata }) => [
      `${metadata.namespace}/${serviceName(metadata)}`,
      metadata.name,
    ]),
  );
  return {
    clusters: new Map(
      fleet.clusters.map((cluster) => [
        cluster.metadata.name,
        renderCluster(cluster, replicas, { fleet, routing }),
      ]),
    ),
    replicas: replicas.map(({ cluster, deployment }) => ({
      cluster: cluster.metadata.name,
      deployment: deployment.metadata.name,
      models: [MODEL],
    })),
    deploymentOf: (namespace, service) => services.get(`${namespace}/${service}`) ?? service,
  };
}

function decided(): ReturnType<typeof decide> {
  const folder = join(HERE, 'fleet');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const texts = files.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
  const { resources, problems } = loadManifests(texts);
  if (problems.length > 0) throw new Error(`the fleet does not load: ${JSON.stringify(problems)}`);
  return decide(assemble(resources), ({ kind, metadata }) => `${kind} ${metadata.name}`, EMPTY_LOCK);
}
