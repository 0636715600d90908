import type { FleetSettings } from '../api/fleet-settings';
import type { Grant } from '../api/grant';
import type { InferenceClass } from '../api/inference-class';
import type { InferenceCluster } from '../api/inference-cluster';
import type { InferenceGateway } from '../api/inference-gateway';
import type { Resource, ResourcePath } from '../api/kinds';
import type { ModelCache } from '../api/model-cache';
import type { ModelDeployment } from '../api/model-deployment';
import type { ModelEndpoint } from '../api/model-endpoint';
import type { ModelService } from '../api/model-service';
import { qualifiedNameOf } from '../api/resource';
import { type Diagnostic, relocate } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { applyFleetDefaults } from './deployment-defaults';
import { addToCluster, addToGateway } from './fleet-additions';
import { expandClass } from './hardware/expand-class';
import { BUILT_IN_HARDWARE, type Hardware } from './hardware/hardware';
import { createTaintAdder } from './hardware/added-taints';
import type { ModelBook } from './models/model-book';
import type { ModelExpansion } from './models/model-layouts';
import type { InferenceServiceName } from '../manifest/load-files';
import type { PartSummary } from './part-summary';
import type { Policy } from './policy';
import type { OccupiedPool } from './recorded-pods';
import type { RecordedQueue } from './recorded-queues';

/** All declared resources as plain data. Each list is sorted by namespace and name. */
export interface Fleet {
  /** The Fleet resource. Its defaults and additions are already applied to the other resources. */
  readonly settings?: FleetSettings;

  /** Further Fleet resources, which `checkFleet` rejects. @internal */
  readonly surplusSettings?: readonly FleetSettings[];

  /** The catalog and the prices. */
  readonly hardware: Hardware;

  /** Faults in the hardware that classes take from the catalog. `checkFleet` reports them. @internal */
  readonly hardwareFaults: readonly Diagnostic<ResourcePath>[];

  /** Doubts about the hardware that classes declare. They are warnings of the plan. @internal */
  readonly hardwareWarnings: readonly Diagnostic<ResourcePath>[];

  /** The classes, with the hardware that they take from the catalog filled in. */
  readonly classes: readonly InferenceClass[];
  readonly clusters: readonly InferenceCluster[];
  readonly gateways: readonly InferenceGateway[];
  readonly deployments: readonly ModelDeployment[];
  readonly caches: readonly ModelCache[];
  readonly services: readonly ModelService[];
  readonly endpoints: readonly ModelEndpoint[];
  readonly grants: readonly Grant[];

  /** The rules that a plan must meet. Absent if the fleet names no policy file. */
  readonly policies?: readonly Policy[];

  /** The LLMInferenceServices in the files of the fleet. Absent if there are none. @internal */
  readonly inferenceServices?: readonly InferenceServiceName[];

  /** What the other parts of a split fleet use, by part. Absent if the fleet names none. */
  readonly otherParts?: readonly PartSummary[];

  /** The models that it can size, with those of its own. Absent if the fleet names no model catalog. @internal */
  readonly models?: ModelBook;

  /** What deployments with a model come to, by `namespace/name`. Absent before models are expanded. @internal */
  readonly expansions?: ReadonlyMap<string, ModelExpansion>;

  /** Why models cannot be expanded. `checkFleet` reports them. Absent if all can. @internal */
  readonly modelFaults?: readonly Diagnostic<ResourcePath>[];

  /** The nodes that snapshots show as lost. Absent if no node is lost. @internal */
  readonly lost?: readonly LostNodes[];

  /** The nodes on which snapshots show pods of replicas. Absent if there are none. @internal */
  readonly occupied?: readonly OccupiedPool[];

  /** The quotas of queues that snapshots show. Absent if there are none. @internal */
  readonly queues?: readonly RecordedQueue[];

  /** The earlier revisions that some replicas still run. Absent if no replica runs an earlier revision. @internal */
  readonly former?: readonly PreviousRevision[];
}

/** Every resource of a fleet. */
export function listResources(fleet: Fleet): Resource[] {
  const { settings, classes, clusters, gateways, deployments, caches, services, endpoints, grants } = fleet;
  const others = [classes, clusters, gateways, caches, deployments, services, endpoints, grants];
  return [...(settings ? [settings] : []), ...others.flat()];
}

/** A deployment as declared when its engines had another shape. */
export interface PreviousRevision {
  /** `namespace/name` of the deployment. */
  readonly deployment: string;

  /** The digest of these engines, as in the lines of the lock. */
  readonly shape: string;

  /** The deployment as declared, without the fields that only affect placement. */
  readonly declared: ModelDeployment;

  /** `declared` as the lock stores it: JSON on one line. */
  readonly text: string;
}

/** The nodes of a pool that, by a snapshot, cannot take new replicas. */
export interface LostNodes {
  readonly cluster: string;
  readonly pool: string;
  readonly nodes: number;
}

/**
 * Groups resources by kind into a fleet, fills in the hardware of classes and applies the defaults of the fleet to the
 * deployments. The result does not depend on the order of the resources.
 *
 * @param hardware default: the catalog and the list prices that come with Fleetwright
 * @example
 * const fleet = assemble(loadManifests([{ path: 'fleet.yaml', text }]).resources);
 */
export function assemble(resources: Iterable<Resource>, hardware: Hardware = BUILT_IN_HARDWARE): Fleet {
  const all = sortedBy(resources, ({ metadata: { namespace = '', name } }) => `${namespace}\0${name}`);
  const [settings, ...surplusSettings] = resourcesOfKind(all, 'Fleet');
  const { catalogue } = hardware;
  const expanded = resourcesOfKind(all, 'InferenceClass').map((one) => expandClass(one, catalogue));
  const findings = expanded.flatMap((one) =>
    one.findings.map((finding) => relocate(finding, (path) => ({ resource: one.resource, path }))),
  );
  const addTaints = createTaintAdder(expanded.map(({ resource }) => resource));
  return {
    hardware,
    hardwareFaults: findings.filter(({ severity }) => severity === 'error'),
    hardwareWarnings: findings.filter(({ severity }) => severity === 'warning'),
    ...(settings && { settings }),
    ...(surplusSettings.length > 0 && { surplusSettings }),
    classes: expanded.map(({ resource }) => resource),
    clusters: resourcesOfKind(all, 'InferenceCluster').map((one) => addTaints(addToCluster(one, settings))),
    gateways: resourcesOfKind(all, 'InferenceGateway').map((one) => addToGateway(one, settings)),
    deployments: resourcesOfKind(all, 'ModelDeployment').map((one) => applyFleetDefaults(one, settings)),
    caches: resourcesOfKind(all, 'ModelCache'),
    services: resourcesOfKind(all, 'ModelService'),
    endpoints: resourcesOfKind(all, 'ModelEndpoint'),
    grants: resourcesOfKind(all, 'Grant'),
  };
}

function resourcesOfKind<K extends Resource['kind']>(
  all: readonly Resource[],
  kind: K,
): Extract<Resource, { kind: K }>[] {
  return all.filter((resource): resource is Extract<Resource, { kind: K }> => resource.kind === kind);
}

/** Indexes deployments by `namespace/name`. The index is cached for each list, because lists are immutable. */
export function indexDeploymentsById(deployments: readonly ModelDeployment[]): ReadonlyMap<string, ModelDeployment> {
  const known = DEPLOYMENTS_BY_ID.get(deployments) ?? new Map(deployments.map((one) => [qualifiedNameOf(one), one]));
  DEPLOYMENTS_BY_ID.set(deployments, known);
  return known;
}

const DEPLOYMENTS_BY_ID = new WeakMap<readonly ModelDeployment[], ReadonlyMap<string, ModelDeployment>>();
