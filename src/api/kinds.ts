import { type Diagnostic, relocate } from '../base/diagnostic';
import type { FleetSettings } from './fleet-settings';
import type { Grant } from './grant';
import type { DeclaredClass } from './inference-class';
import type { InferenceCluster } from './inference-cluster';
import type { InferenceGateway } from './inference-gateway';
import type * as Table from './kind-table';
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

/** The definitions of all kinds, loaded on first use: schemas take longer to build than all else to import. */
export function loadKinds(): typeof Table.KINDS {
  return (require('./kind-table') as typeof Table).KINDS;
}

/** What reading one document gives: a resource, or everything that is wrong with the document. */
export type ParsedResource = { readonly resource: Resource } | InvalidValue<Resource>;

/**
 * Validates one document that is ours.
 *
 * @example
 * parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind: 'Fleet', metadata: { name: 'main' }, spec: {} });
 */
export function parseResource(value: unknown): ParsedResource {
  const head = readGroupVersionKind(value, loadKinds());
  if ('findings' in head) return head;
  const checked = head.kind.parse(value, head.group);
  return 'findings' in checked ? checked : { resource: checked.value };
}

/**
 * Whether a document is ours to read. Others are foreign: other API groups, and kinds of the alias group
 * that only the peer has.
 */
export function isFleetwrightDocument(value: unknown): boolean {
  return isMeantForFleetwright(value, loadKinds());
}

/** The identity of a resource, the same under both groups: `ModelDeployment ml/qwen3`, `InferenceClass h200`. */
export function resourceIdOf({
  kind,
  metadata: { name, namespace },
}: Pick<Resource, 'kind' | 'metadata'>): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** A field of a resource. */
export interface ResourcePath {
  readonly resource: Resource;
  readonly path: Path;

  /** The place of what is declared in a file that the resource names. Default: the place of the path. */
  readonly where?: string;
}

/** Finds the place of a field: `file:line:column`, or a construct path. */
export type Locate = (resource: Resource, path: Path) => string;

/** Diagnostics of resources, at the places of their fields. */
export function locateAll(diagnostics: readonly Diagnostic<ResourcePath>[], locate: Locate): Diagnostic[] {
  return diagnostics.map((one) =>
    relocate(one, ({ resource, path, where }) => where ?? locate(resource, path)),
  );
}
