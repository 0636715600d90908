import { cacheReferencesOf } from '../../api/cache/cache-references';
import type { Grant } from '../../api/grant';
import { resourceIdOf } from '../../api/kinds';
import { toCanonicalLabels } from '../../api/labels';
import { errorAt } from '../../base/diagnostic';
import type { Fleet } from '../fleet';
import { describeUnknownReference, type FleetCheck } from './fleet-check';

/** Checks that each cache that a deployment mounts is declared in its namespace and has the expected content. */
export const checkCacheReferences: FleetCheck = function* ({ caches, deployments }) {
  for (const resource of deployments) {
    for (const { name, as, path } of cacheReferencesOf(resource)) {
      const candidates = caches.filter(({ metadata }) => metadata.namespace === resource.metadata.namespace);
      const found = candidates.find(({ metadata }) => metadata.name === name);
      const known = candidates.map(({ metadata }) => metadata.name);
      const elsewhere = caches.find(({ metadata }) => metadata.name === name);
      if (!found && elsewhere) {
        const { namespace } = resource.metadata;
        const what = `there is no ModelCache '${name}' in namespace '${namespace}', and a deployment mounts only caches of its own`;
        const hint = `Move ${resourceIdOf(elsewhere)} there, or this deployment to namespace '${elsewhere.metadata.namespace}'`;
        yield errorAt('unknown-reference', { resource, path }, what, hint);
      } else if (!found) yield describeUnknownReference({ resource, path, kind: 'ModelCache', name, known });
      else if ((found.spec.content === 'LoRA') !== (as === 'LoRA')) {
        const what = `ModelCache '${name}' has content ${found.spec.content}`;
        const hint =
          as === 'LoRA'
            ? "Use a ModelCache with 'content: LoRA'"
            : 'Move the adapter to spec.template.spec.loraAdapters, and set this field to the cache of its base model';
        yield errorAt('wrong-reference', { resource, path }, what, hint);
      }
    }
  }
};

/** Checks that each cluster of a gateway is declared. */
export const checkGatewayClusters: FleetCheck = function* ({ clusters, gateways }) {
  const known = clusters.map(({ metadata }) => metadata.name);
  for (const resource of gateways) {
    for (const [index, name] of resource.spec.clusters.entries()) {
      if (known.includes(name)) continue;
      const path = ['spec', 'clusters', index];
      const listed = new Set(resource.spec.clusters);
      yield describeUnknownReference({ resource, path, kind: 'InferenceCluster', name, known, listed });
    }
  }
};

/** Checks that the cluster that an endpoint is inside of is declared. */
export const checkEndpointClusters: FleetCheck = function* ({ clusters, endpoints }) {
  const known = clusters.map(({ metadata }) => metadata.name);
  for (const resource of endpoints) {
    const name = resource.spec.inside?.cluster;
    if (name === undefined || known.includes(name)) continue;
    const path = ['spec', 'inside', 'cluster'];
    yield describeUnknownReference({ resource, path, kind: 'InferenceCluster', name, known });
  }
};

type Target = Grant['spec']['to'][number];
type Labels = Readonly<Record<string, string>>;

interface Labelled {
  readonly namespace: string | undefined;
  readonly labels: Labels;
}

/** For each kind of target, the objects that a grant can match, with their labels. */
const TARGETS: Readonly<Record<Target['kind'], (fleet: Fleet) => readonly Labelled[]>> = {
  ModelDeployment: ({ deployments }) =>
    deployments.map(({ metadata, spec }) => ({
      namespace: metadata.namespace,
      labels: { ...metadata.labels, ...spec.template.metadata.labels },
    })),
  ModelEndpoint: ({ endpoints }) => endpoints.map(({ metadata: { namespace, labels } }) => ({ namespace, labels })),
};

/** Checks that each target of a grant matches something: otherwise its labels or its namespace are wrong. */
export const checkGrantTargets: FleetCheck = function* (fleet) {
  for (const resource of fleet.grants) {
    const { namespace } = resource.metadata;
    for (const [index, target] of resource.spec.to.entries()) {
      const candidates = TARGETS[target.kind](fleet).filter((one) => one.namespace === namespace);
      if (candidates.some(({ labels }) => selects(target.matchLabels, labels))) continue;
      const what = `the grant matches no ${target.kind} in namespace '${namespace}'`;
      const hint = candidates.length > 0 ? 'Correct its labels' : `Move it to the namespace of a ${target.kind}`;
      yield errorAt('no-target', { resource, path: ['spec', 'to', index] }, what, hint);
    }
  }
};

function selects(wanted: Labels, labels: Labels): boolean {
  return Object.entries(toCanonicalLabels(wanted)).every(([key, value]) => labels[key] === value);
}
