import { compareText, groupBy } from '../../base/order';
import { identityOf, type Json, type JsonObject, type Manifest } from './manifest';
import { findObjectRefs, findReferences } from './references';

/** An object, and the objects that have to be there before it. */
export interface ApplyStep {
  /** `Deployment.ml.qwen3-0`: unique among the objects of a cluster, and it stays while the object does. */
  readonly id: string;
  readonly manifest: Manifest;

  /** Ids of objects that come earlier. */
  readonly needs: readonly string[];
}

/** Kinds that others need, and that need none but those before them. All else comes after, apart from the last. */
const RANKS: readonly ReadonlySet<string>[] = [
  new Set(['CustomResourceDefinition', 'Namespace', 'PriorityClass', 'RuntimeClass', 'StorageClass']),
  new Set(['ConfigMap', 'PersistentVolumeClaim', 'ResourceClaimTemplate', 'Secret', 'ServiceAccount']),
];

/** Kinds that are open to requests, in their order: they come behind the policies that guard them, and what they refer to. */
const APPLIED_AFTER_POLICIES: readonly string[] = ['Gateway', 'HTTPRoute'];

/**
 * Some objects of a cluster in an order in which they can be applied, each with what it needs of the others: its
 * namespace, the definition of its kind, what it refers to by name, and the policies for it. A route needs its Gateways
 * and the workloads behind its Services: so it is gone before they are deleted. A Gateway needs its class, which its
 * controller keeps from being deleted as long as there is one.
 */
export function planApplySteps(manifests: readonly Manifest[]): ApplyStep[] {
  const sorted = [...manifests].sort((a, b) => rank(a) - rank(b) || compareText(idOf(a), idOf(b)));
  const ranks = new Map(sorted.map((one) => [idOf(one), rank(one)]));
  const definitions = new Map(
    sorted.flatMap((one) => definedKindsOf(one).map((kind) => [kind, idOf(one)] as const)),
  );
  const guards = guardsOf(sorted);
  const workloads = groupWorkloadsByService(sorted);
  return sorted.map((manifest) => {
    const own = rank(manifest);
    const referred = [...findReferences(manifest), ...findObjectRefs(manifest)].map((one) =>
      formatId(one.kind, one.namespace, one.name),
    );
    const guarding = guards.get(idOf(manifest)) ?? [];
    const behind = manifest.kind === 'HTTPRoute' ? findWorkloadsBehind(manifest, workloads).map(idOf) : [];
    const wanted = new Set([
      ...namespaceOf(manifest),
      ...gatewayClassOf(manifest),
      ...referred,
      ...guarding,
      ...behind,
    ]);
    const defined = definitions.get(`${groupOf(manifest.apiVersion)} ${manifest.kind}`);
    if (defined !== undefined) wanted.add(defined);
    const needs = [...wanted].filter((id) => (ranks.get(id) ?? own) < own).sort(compareText);
    return { id: idOf(manifest), manifest, needs };
  });
}

/** The policies for each object, by its id. */
function guardsOf(manifests: readonly Manifest[]): ReadonlyMap<string, readonly string[]> {
  const pairs = manifests
    .filter(({ kind }) => kind.endsWith('Policy'))
    .flatMap((policy) =>
      findObjectRefs(policy)
        .filter(({ kind }) => APPLIED_AFTER_POLICIES.includes(kind))
        .map((target) => ({
          target: formatId(target.kind, target.namespace, target.name),
          policy: idOf(policy),
        })),
    );
  const byTarget = groupBy(pairs, ({ target }) => target);
  return new Map([...byTarget].map(([target, all]) => [target, all.map(({ policy }) => policy)]));
}

/** None of the parts has a dot before the name, so different objects never join to the same text. */
function idOf({ kind, metadata }: Manifest): string {
  return formatId(kind, metadata.namespace, metadata.name);
}

function formatId(kind: string, namespace: string | undefined, name: string): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('.');
}

function rank({ kind }: Manifest): number {
  const found = RANKS.findIndex((kinds) => kinds.has(kind));
  return found === -1 ? RANKS.length + 1 + APPLIED_AFTER_POLICIES.indexOf(kind) : found;
}

function namespaceOf({ metadata: { namespace } }: Manifest): string[] {
  return namespace === undefined ? [] : [formatId('Namespace', undefined, namespace)];
}

function gatewayClassOf({ kind, spec }: Manifest): string[] {
  return kind === 'Gateway' ? [formatId('GatewayClass', undefined, String(spec?.['gatewayClassName']))] : [];
}

/** The group and kind that an object defines, as `group kind`. */
function definedKindsOf({ kind, spec }: Manifest): string[] {
  if (kind !== 'CustomResourceDefinition') return [];
  const names = spec?.['names'] as JsonObject | undefined;
  return [`${String(spec?.['group'])} ${String(names?.['kind'])}`];
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Kinds whose pods answer requests. */
const WORKLOAD_KINDS: ReadonlySet<string> = new Set(['Deployment', 'LeaderWorkerSet']);

/**
 * The workloads that each Service sends requests to, by `namespace/name` of the Service: those whose pods have the
 * labels that it selects.
 */
export function groupWorkloadsByService(
  manifests: readonly Manifest[],
): ReadonlyMap<string, readonly Manifest[]> {
  const workloads = manifests.filter(({ kind }) => WORKLOAD_KINDS.has(kind));
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
export function findWorkloadsBehind(
  route: Manifest,
  workloads: ReadonlyMap<string, readonly Manifest[]>,
): readonly Manifest[] {
  const services = findObjectRefs(route).filter(({ kind }) => kind === 'Service');
  return services.flatMap(({ namespace, name }) => workloads.get(`${namespace}/${name}`) ?? []);
}

function hasAll(wanted: readonly (readonly [string, Json | undefined])[]): (labels: JsonObject) => boolean {
  return (labels) => wanted.every(([key, value]) => labels[key] === value);
}

/** The labels of every template in a spec. */
function podLabels(value: Json | undefined): JsonObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'metadata' ? templateLabelsOf(inner) : podLabels(inner as Json | undefined),
  );
}

function templateLabelsOf(metadata: Json | undefined): JsonObject[] {
  const labels = (metadata as JsonObject | undefined)?.['labels'];
  return typeof labels === 'object' && labels !== null && !Array.isArray(labels)
    ? [labels as JsonObject]
    : [];
}

/** Kinds that others need, first. Workloads follow. */
const APPLY_ORDER = [
  'Namespace',
  'PersistentVolumeClaim',
  'Job',
  'CronJob',
  'ResourceClaimTemplate',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
];

/** Objects in the order in which to apply them; those of one rank by namespace, name and kind. */
export function sortForApply(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort(
    (a, b) => applyRankOf(a) - applyRankOf(b) || compareText(identityOf(a), identityOf(b)),
  );
}

function applyRankOf({ kind }: Manifest): number {
  const known = APPLY_ORDER.indexOf(kind);
  return known === -1 ? APPLY_ORDER.length + 1 + APPLIED_AFTER_POLICIES.indexOf(kind) : known;
}
