import { groupBy } from '../order';
import type { Json, JsonObject, Manifest } from './manifest';
import { objectRefs } from './object-refs';

/** Kinds whose pods answer requests. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet']);

/**
 * The workloads that each Service sends requests to, by `namespace/name` of the Service: those whose pods have the
 * labels that it selects.
 */
export function workloadsByService(manifests: readonly Manifest[]): ReadonlyMap<string, readonly Manifest[]> {
  const workloads = manifests.filter(({ kind }) => WORKLOADS.has(kind));
  const byNamespace = groupBy(workloads, ({ metadata }) => metadata.namespace ?? '');
  return new Map(
    manifests
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata: { namespace = '', name }, spec }) => {
        const wanted = Object.entries((spec?.['selector'] ?? {}) as JsonObject);
        const there = wanted.length === 0 ? [] : (byNamespace.get(namespace) ?? []);
        return [`${namespace}/${name}`, there.filter((one) => podLabels(one.spec).some(hasAll(wanted)))];
      }),
  );
}

/** The workloads behind a route, by the Services that it names. */
export function behindRoute(
  route: Manifest,
  workloads: ReadonlyMap<string, readonly Manifest[]>,
): readonly Manifest[] {
  const services = objectRefs(route).filter(({ kind }) => kind === 'Service');
  return services.flatMap(({ namespace, name }) => workloads.get(`${namespace}/${name}`) ?? []);
}

function hasAll(wanted: readonly (readonly [string, Json | undefined])[]): (labels: JsonObject) => boolean {
  return (labels) => wanted.every(([key, value]) => labels[key] === value);
}

/** The labels of every template in a spec. */
function podLabels(value: Json | undefined): JsonObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'metadata' ? labelsOf(inner) : podLabels(inner as Json | undefined),
  );
}

function labelsOf(metadata: Json | undefined): JsonObject[] {
  const labels = (metadata as JsonObject | undefined)?.['labels'];
  return typeof labels === 'object' && labels !== null && !Array.isArray(labels)
    ? [labels as JsonObject]
    : [];
}
