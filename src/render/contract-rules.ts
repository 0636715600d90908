import { FleetwrightError } from '../errors';
import { groupBy } from '../order';
import { MANAGED_BY } from './labels';
import { distinct, type Manifest } from './manifest';
import { podSpecsIn } from './pod-specs';
import type { Renderer } from './renderer';
import type { ComputedReplica } from './replica';

/** Where a renderer breaks a rule, on some replicas. */
type Rule = (renderer: Renderer, replicas: readonly ComputedReplica[]) => string[];

/** What renderers owe, by a sentence that says it. */
export const RULES: Readonly<Record<string, Rule>> = {
  'takes at least one of the replicas': (renderer, replicas) =>
    taken(renderer, replicas).length > 0 ? [] : [`${renderer.name} takes none of ${replicas.length}`],

  'says why it does not take a replica, as a clause without a full stop': (renderer, replicas) =>
    replicas.flatMap((replica) => {
      const reason = renderer.reject(replica);
      return reason === undefined || /^\S.*[^.\s]$/.test(reason) ? [] : [`${idOf(replica)}: '${reason}'`];
    }),

  'gives at least one object for a replica': each((objects) => (objects.length > 0 ? [] : ['no object'])),

  'gives the same objects for the same replica': each((objects, replica, renderer) =>
    JSON.stringify(objects) === JSON.stringify(renderer.render(structuredClone(replica)))
      ? []
      : ['a second time it gives other objects'],
  ),

  'leaves the replica as it is': (renderer, replicas) =>
    taken(renderer, replicas).flatMap((replica) => {
      const before = JSON.stringify(replica);
      renderer.render(replica);
      return JSON.stringify(replica) === before ? [] : [`${idOf(replica)}: it changes`];
    }),

  'gives plain data without absent values': each((objects) =>
    objects.flatMap((one) => impure(one, one.kind)),
  ),

  'gives every object an apiVersion, a kind and a name that Kubernetes takes': each((objects) =>
    objects
      .filter(({ apiVersion, kind, metadata: { name } }) => !apiVersion || !kind || !isName(name))
      .map(({ apiVersion, kind, metadata: { name } }) => `${apiVersion} ${kind} '${name}'`),
  ),

  'puts every object into the namespace of its deployment': each((objects, { deployment }) =>
    objects
      .filter(({ metadata }) => metadata.namespace !== deployment.metadata.namespace)
      .map(({ kind, metadata }) => `${kind} ${metadata.name} is in '${metadata.namespace ?? ''}'`),
  ),

  'labels every object as ours': each((objects) =>
    objects.flatMap(({ kind, metadata }) =>
      Object.entries(MANAGED_BY)
        .filter(([key, value]) => metadata.labels[key] !== value)
        .map(([key, value]) => `${kind} ${metadata.name} has no label ${key}: ${value}`),
    ),
  ),

  'never gives two different objects one name': (renderer, replicas) =>
    [...groupBy(taken(renderer, replicas), ({ cluster }) => cluster.metadata.name).values()].flatMap((some) =>
      collisions(some.flatMap((replica) => renderer.render(replica))),
    ),

  'keeps every pod on the pool of an engine': each((objects, { cluster, engines }) => {
    const pools = new Set(engines.map(({ pool }) => pool.name));
    return podSpecsIn(objects).flatMap(({ nodeSelector }) => {
      const pool = (nodeSelector as Readonly<Record<string, string>> | undefined)?.[cluster.spec.poolLabel];
      return pools.has(pool ?? '') ? [] : [`a pod selects the pool '${pool ?? ''}'`];
    });
  }),

  'brings every claim template that its pods refer to': each((objects) => {
    const brought = new Set(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
    return claimTemplatesOf(objects)
      .filter((name) => !brought.has(`ResourceClaimTemplate ${name}`))
      .map((name) => `there is no ResourceClaimTemplate ${name}`);
  }),

  'writes no Secret': each((objects) =>
    objects.filter(({ kind }) => kind === 'Secret').map(({ metadata: { name } }) => name),
  ),
};

/** A rule about what a renderer makes of each replica that it takes. */
function each(
  check: (objects: readonly Manifest[], replica: ComputedReplica, renderer: Renderer) => string[],
): Rule {
  return (renderer, replicas) =>
    taken(renderer, replicas).flatMap((replica) =>
      check(renderer.render(replica), replica, renderer).map((fault) => `${idOf(replica)}: ${fault}`),
    );
}

function taken(renderer: Renderer, replicas: readonly ComputedReplica[]): ComputedReplica[] {
  return replicas.filter((replica) => renderer.reject(replica) === undefined);
}

function idOf({ deployment, cluster, index }: ComputedReplica): string {
  return `${deployment.metadata.namespace}/${deployment.metadata.name} ${cluster.metadata.name}/${index}`;
}

/** Names of most kinds are DNS subdomains; some are stricter, and the API server tells. */
function isName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name);
}

/** The paths of what JSON would drop or change. */
function impure(value: unknown, path: string): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return [];
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || !isPlain(value)) return [`${path} is no plain data`];
  return Object.entries(value).flatMap(([key, inner]) => impure(inner, `${path}.${key}`));
}

/** Whether something is a list or a map, and of no class. Those of other contexts count too. */
function isPlain(value: object): boolean {
  const kind: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || kind === null || Object.getPrototypeOf(kind) === null;
}

function collisions(objects: readonly Manifest[]): string[] {
  try {
    distinct(objects);
    return [];
  } catch (error) {
    if (error instanceof FleetwrightError) return error.problems.map(({ what }) => what);
    throw error;
  }
}

function claimTemplatesOf(objects: readonly Manifest[]): string[] {
  return podSpecsIn(objects).flatMap(({ resourceClaims }) =>
    Array.isArray(resourceClaims)
      ? resourceClaims.flatMap(({ resourceClaimTemplateName: name }) =>
          typeof name === 'string' ? name : [],
        )
      : [],
  );
}
