import { compareText, groupBy } from '../../base/order';
import { identityOf, type Json, type JsonObject, type Manifest } from './manifest';
import { findObjectRefs, findReferences, type ObjectRef } from './references';
import { isWorkload, WORKLOAD_KINDS } from './workload-kinds';

/** An object, and the objects that must exist before it. */
export interface ApplyStep {
  /** A stable ID that is unique among the objects of a cluster: `Deployment.ml.qwen3-0`. */
  readonly id: string;
  readonly manifest: Manifest;

  /** IDs of objects that must exist earlier. */
  readonly needs: readonly string[];
}

/** Kinds that other kinds need. Each needs only kinds of earlier ranks. All other kinds come later. */
const RANKS: readonly ReadonlySet<string>[] = [
  new Set([
    'CustomResourceDefinition',
    'Namespace',
    'PersistentVolume',
    'PriorityClass',
    'RuntimeClass',
    'StorageClass',
  ]),
  new Set([
    'ComputeDomain',
    'ConfigMap',
    'LLMInferenceServiceConfig',
    'PersistentVolumeClaim',
    'PodGroup',
    'ResourceClaimTemplate',
    'Secret',
    'ServiceAccount',
  ]),
];

/** Kinds that accept requests, in their order. They come after their policies and the objects that they refer to. */
const APPLIED_AFTER_POLICIES: readonly string[] = ['Gateway', 'HTTPRoute'];

/**
 * Sorts objects of a cluster so that they can be applied in this order. Each step lists the other objects that it
 * needs: its namespace, the definition of its kind, the objects that it refers to by name, and its policies. A route
 * needs its Gateways and the workloads behind its Services, so that it is deleted before them. A service of KServe
 * needs the presets of its namespace. A Gateway needs its
 * class, because the controller blocks the deletion of a class that a Gateway uses.
 */
export function planApplySteps(manifests: readonly Manifest[]): ApplyStep[] {
  const sorted = [...manifests].sort((a, b) => rank(a) - rank(b) || compareText(idOf(a), idOf(b)));
  const ranks = new Map(sorted.map((one) => [idOf(one), rank(one)]));
  const definitions = new Map(sorted.flatMap((one) => definedKindsOf(one).map((kind) => [kind, idOf(one)] as const)));
  const refs = new Map(sorted.map((one) => [one, findObjectRefs(one)]));
  const guards = guardsOf(refs);
  const workloads = groupWorkloadsByService(sorted);
  const presets = groupBy(
    sorted.filter(({ kind }) => kind === 'LLMInferenceServiceConfig'),
    ({ metadata }) => metadata.namespace ?? '',
  );
  return sorted.map((manifest) => {
    const ownRank = rank(manifest);
    const referred = [...findReferences(manifest), ...(refs.get(manifest) ?? [])].map((one) =>
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
      ...(manifest.kind === 'LLMInferenceService'
        ? (presets.get(manifest.metadata.namespace ?? '') ?? []).map(idOf)
        : []),
    ]);
    const defined = definitions.get(`${groupOf(manifest.apiVersion)} ${manifest.kind}`);
    if (defined !== undefined) wanted.add(defined);
    const needs = [...wanted].filter((id) => (ranks.get(id) ?? ownRank) < ownRank).sort(compareText);
    return { id: idOf(manifest), manifest, needs };
  });
}

function guardsOf(refs: ReadonlyMap<Manifest, readonly ObjectRef[]>): ReadonlyMap<string, readonly string[]> {
  const pairs = [...refs]
    .filter(([{ kind }]) => kind.endsWith('Policy'))
    .flatMap(([policy, targets]) =>
      targets
        .filter(({ kind }) => APPLIED_AFTER_POLICIES.includes(kind))
        .map((target) => ({ target: formatId(target.kind, target.namespace, target.name), policy: idOf(policy) })),
    );
  const byTarget = groupBy(pairs, ({ target }) => target);
  return new Map([...byTarget].map(([target, all]) => [target, all.map(({ policy }) => policy)]));
}

/** Kinds and namespaces have no dots, so different objects have different IDs. */
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

/**
 * Groups workloads by the Service that sends requests to them: those whose pods match its selector. Keys are
 * `namespace/name` of the Service.
 */
export function groupWorkloadsByService(manifests: readonly Manifest[]): ReadonlyMap<string, readonly Manifest[]> {
  const workloads = manifests.filter(isWorkload).map((manifest) => ({ manifest, labels: podLabelsOf(manifest) }));
  const byNamespace = groupBy(workloads, ({ manifest }) => manifest.metadata.namespace ?? '');
  return new Map(
    manifests
      .filter(({ kind }) => kind === 'Service')
      .map(({ metadata: { namespace = '', name }, spec }) => {
        const wanted = Object.entries((spec?.['selector'] ?? {}) as JsonObject);
        const candidates = wanted.length === 0 ? [] : (byNamespace.get(namespace) ?? []);
        const chosen = candidates.filter(({ labels }) => labels.some(hasAll(wanted)));
        return [`${namespace}/${name}`, chosen.map(({ manifest }) => manifest)];
      }),
  );
}

/** The workloads behind a route, through the Services that it refers to. */
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

/** The labels of the pods of a workload, by template. */
function podLabelsOf({ kind, spec }: Manifest): readonly JsonObject[] {
  return spec && WORKLOAD_KINDS[kind]?.podLabels ? WORKLOAD_KINDS[kind].podLabels(spec) : podLabels(spec);
}

/** The labels of each pod template in a spec. */
function podLabels(value: Json | undefined): JsonObject[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'metadata' ? templateLabelsOf(inner) : podLabels(inner as Json | undefined),
  );
}

function templateLabelsOf(metadata: Json | undefined): JsonObject[] {
  const labels = (metadata as JsonObject | undefined)?.['labels'];
  return typeof labels === 'object' && labels !== null && !Array.isArray(labels) ? [labels as JsonObject] : [];
}

/** Kinds that other kinds need, in the order in which to apply them. Workloads follow. */
const APPLY_ORDER = [
  'Namespace',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Job',
  'CronJob',
  'LLMInferenceServiceConfig',
  'ResourceClaimTemplate',
  'ComputeDomain',
  'PodGroup',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
];

/** Sorts objects in the order in which to apply them, and within a rank by namespace, name and kind. */
export function sortForApply(manifests: readonly Manifest[]): Manifest[] {
  return [...manifests].sort((a, b) => applyRankOf(a) - applyRankOf(b) || compareText(identityOf(a), identityOf(b)));
}

function applyRankOf({ kind }: Manifest): number {
  const known = APPLY_ORDER.indexOf(kind);
  return known === -1 ? APPLY_ORDER.length + 1 + APPLIED_AFTER_POLICIES.indexOf(kind) : known;
}
