import { type Diagnostic, relocate } from '../base/diagnostic';
import type { FleetSettings } from './fleet-settings';
import type { Grant } from './grant';
import type { DeclaredClass } from './inference-class';
import type { InferenceCluster } from './inference-cluster';
import type { InferenceGateway } from './inference-gateway';
import { KINDS } from './kind-table';
import type { ModelCache } from './model-cache';
import type { ModelDeployment } from './model-deployment';
import type { ModelEndpoint } from './model-endpoint';
import type { ModelService } from './model-service';
import type { InvalidValue, Path } from './resource';
import { isMeantForFleetwright, readGroupVersionKind } from './schema/group-version-kind';

/** Any resource of the fleet. */
export type Resource =
  | FleetSettings
  | DeclaredClass
  | InferenceCluster
  | InferenceGateway
  | ModelCache
  | ModelDeployment
  | ModelService
  | ModelEndpoint
  | Grant;

type ParsedResource = { readonly resource: Resource } | InvalidValue<Resource>;

/**
 * Parses and validates a Fleetwright document.
 *
 * @example
 * parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind: 'Fleet', metadata: { name: 'main' }, spec: {} });
 */
export function parseResource(value: unknown): ParsedResource {
  const head = readGroupVersionKind(value, KINDS);
  if ('findings' in head) return head;
  const checked = head.kind.parse(value, head.group);
  return 'findings' in checked ? checked : { resource: checked.value };
}

/**
 * Parses and validates a ModelDeployment whose spec is known: that of a valid one of the same API group.
 *
 * @param value the rest of the document
 */
export function parseDeploymentWithSpec(value: unknown, spec: ModelDeployment['spec']): ParsedResource {
  const head = readGroupVersionKind(value, KINDS);
  if ('findings' in head) return head;
  const { kind, group } = head;
  if (kind.kind !== 'ModelDeployment') throw new Error(`bug: a spec of a ModelDeployment for ${kind.kind}`);
  const checked = kind.parseMetadata(value);
  if ('findings' in checked) return { findings: checked.findings };
  return { resource: { kind: kind.kind, group, metadata: checked.value, spec } };
}

/**
 * Whether a document is a Fleetwright resource. Documents of other API groups are not, nor are kinds of the alias group
 * that only the other project has.
 */
export function isFleetwrightDocument(value: unknown): boolean {
  return isMeantForFleetwright(value, KINDS);
}

/** The ID of a resource, which does not depend on its group: `ModelDeployment ml/qwen3`, `InferenceClass h200`. */
export function resourceIdOf({ kind, metadata: { name, namespace } }: Pick<Resource, 'kind' | 'metadata'>): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** The path of a field, and the resource that the path is relative to. */
export interface ResourcePath {
  readonly resource: Resource;
  readonly path: Path;

  /** The position in a file that the resource names. Default: the position of the path. */
  readonly where?: string;
}

/** Finds the position of a field of a resource: `file:line:column`, or a construct path. */
export type Locate = (resource: Resource, path: Path) => string;

/** Converts diagnostics of resources to diagnostics at the positions of their fields. */
export function locateAll(diagnostics: readonly Diagnostic<ResourcePath>[], locate: Locate): Diagnostic[] {
  return diagnostics.map((one) => locateOne(one, locate));
}

/** Converts a diagnostic of a resource to one at the position of its field, with the resource as its subject. */
export function locateOne(diagnostic: Diagnostic<ResourcePath>, locate: Locate): Diagnostic {
  const located = relocate(diagnostic, ({ resource, path, where }) => where ?? locate(resource, path));
  return { ...located, subject: resourceIdOf(diagnostic.at.resource) };
}
