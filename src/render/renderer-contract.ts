import { FleetwrightError } from '../base/errors';
import { groupBy } from '../base/order';
import { findImpureValues } from '../base/plain-data';
import { MANAGED_BY } from '../manifest/kubernetes/labels-and-annotations';
import { dedupeManifests, findPodSpecs, type Manifest } from '../manifest/kubernetes/manifest';
import { listMadeClaimTemplates } from '../manifest/kubernetes/references';
import type { ComputedReplica } from '../replicas/replica';
import type { Renderer } from './renderer';

/** A rule that every renderer must follow, so that its objects can be applied, pruned and reviewed. */
export interface ContractRule {
  /** A sentence about the behavior of a renderer. */
  readonly name: string;

  /** Returns the violations of the rule. Empty: the renderer follows the rule. */
  violations(): string[];
}

/**
 * Returns the rules that a renderer must follow, checked on some replicas. Run them in the tests of every renderer.
 *
 * @param replicas as `decide` computes them: a single pod, a gang, several replicas on one cluster, some with a cache
 * @example
 * test.each(rendererContract(house, decide(fleet, locate, EMPTY_LOCK).replicas))('$name', (rule) => {
 *   expect(rule.violations()).toEqual([]);
 * });
 */
export function rendererContract(renderer: Renderer, replicas: readonly ComputedReplica[]): readonly ContractRule[] {
  return Object.entries(CONTRACT_RULES).map(([name, rule]) => ({ name, violations: () => rule(renderer, replicas) }));
}

type Rule = (renderer: Renderer, replicas: readonly ComputedReplica[]) => string[];

const CONTRACT_RULES: Readonly<Record<string, Rule>> = {
  'takes at least one of the replicas': (renderer, replicas) =>
    acceptedReplicas(renderer, replicas).length > 0 ? [] : [`${renderer.name} takes none of ${replicas.length}`],

  'says why it does not take a replica, as a clause without a full stop': (renderer, replicas) =>
    replicas.flatMap((replica) => {
      const reason = renderer.reject(replica);
      return reason === undefined || /^\S.*[^.\s]$/.test(reason) ? [] : [`${idOf(replica)}: '${reason}'`];
    }),

  'gives at least one object for a replica': forEachReplica((objects) => (objects.length > 0 ? [] : ['no object'])),

  'gives the same objects for the same replica': forEachReplica((objects, replica, renderer) =>
    JSON.stringify(objects) === JSON.stringify(renderer.render(structuredClone(replica)))
      ? []
      : ['a second time it gives other objects'],
  ),

  'leaves the replica as it is': (renderer, replicas) =>
    acceptedReplicas(renderer, replicas).flatMap((replica) => {
      const before = JSON.stringify(replica);
      renderer.render(replica);
      return JSON.stringify(replica) === before ? [] : [`${idOf(replica)}: it changes`];
    }),

  'gives plain data without absent values': forEachReplica((objects) =>
    objects.flatMap((object) => findImpureValues(object, object.kind)),
  ),

  'gives every object an apiVersion, a kind and a name that Kubernetes takes': forEachReplica((objects) =>
    objects
      .filter(({ apiVersion, kind, metadata: { name } }) => !apiVersion || !kind || !isObjectName(name))
      .map(({ apiVersion, kind, metadata: { name } }) => `${apiVersion} ${kind} '${name}'`),
  ),

  'puts every object into the namespace of its deployment': forEachReplica((objects, { deployment }) =>
    objects
      .filter(({ metadata }) => metadata.namespace !== deployment.metadata.namespace)
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is in '${metadata.namespace ?? ''}'`),
  ),

  'labels every object as one of Fleetwright': forEachReplica((objects) =>
    objects.flatMap(({ kind, metadata }) =>
      Object.entries(MANAGED_BY)
        .filter(([key, value]) => metadata.labels[key] !== value)
        .map(([key, value]) => `${kind} ${metadata.name} has no label ${key}: ${value}`),
    ),
  ),

  'never gives two different objects one name': (renderer, replicas) =>
    [...groupBy(acceptedReplicas(renderer, replicas), ({ cluster }) => cluster.metadata.name).values()].flatMap(
      (group) => findCollisions(group.flatMap((replica) => renderer.render(replica))),
    ),

  'keeps every pod on the pool of an engine': forEachReplica((objects, { cluster, engines }) => {
    const pools = new Set(engines.map(({ pool }) => pool.name));
    return findPodSpecs(objects).flatMap(({ nodeSelector }) => {
      const pool = (nodeSelector as Readonly<Record<string, string>> | undefined)?.[cluster.spec.poolLabel];
      return pools.has(pool ?? '') ? [] : [`a pod selects the pool '${pool ?? ''}'`];
    });
  }),

  'brings every claim template that its pods refer to': forEachReplica((objects) => {
    const rendered = new Set(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
    const made = new Set(listMadeClaimTemplates(objects));
    return claimTemplatesOf(objects)
      .filter((name) => !rendered.has(`ResourceClaimTemplate ${name}`) && !made.has(name))
      .map((name) => `there is no ResourceClaimTemplate ${name}`);
  }),

  'writes no Secret': forEachReplica((objects) =>
    objects.filter(({ kind }) => kind === 'Secret').map(({ metadata: { name } }) => name),
  ),
};

function forEachReplica(
  check: (objects: readonly Manifest[], replica: ComputedReplica, renderer: Renderer) => string[],
): Rule {
  return (renderer, replicas) =>
    acceptedReplicas(renderer, replicas).flatMap((replica) =>
      check(renderer.render(replica), replica, renderer).map((violation) => `${idOf(replica)}: ${violation}`),
    );
}

function acceptedReplicas(renderer: Renderer, replicas: readonly ComputedReplica[]): ComputedReplica[] {
  return replicas.filter((replica) => renderer.reject(replica) === undefined);
}

function idOf({ deployment, cluster, index }: ComputedReplica): string {
  return `${deployment.metadata.namespace}/${deployment.metadata.name} ${cluster.metadata.name}/${index}`;
}

/** Names of most kinds are DNS subdomains. Some kinds are stricter, which the API server checks. */
function isObjectName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
}

function findCollisions(objects: readonly Manifest[]): string[] {
  try {
    dedupeManifests(objects);
    return [];
  } catch (error) {
    if (error instanceof FleetwrightError) return error.diagnostics.map(({ message }) => message);
    throw error;
  }
}

function claimTemplatesOf(objects: readonly Manifest[]): string[] {
  return findPodSpecs(objects).flatMap(({ resourceClaims }) =>
    Array.isArray(resourceClaims)
      ? resourceClaims.flatMap(({ resourceClaimTemplateName: name }) => (typeof name === 'string' ? name : []))
      : [],
  );
}
