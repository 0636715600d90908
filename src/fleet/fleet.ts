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
import { expandClass } from './hardware/expand-class';
import { BUILT_IN_HARDWARE, type Hardware } from './hardware/hardware';
import type { Policy } from './policy';

/** Everything declared, as plain data, each list sorted by namespace and name. */
export interface Fleet {
  /** The settings of the fleet, already added to the deployments. */
  readonly settings?: FleetSettings;

  /** Settings beyond the first, which `checkFleet` refuses. */
  readonly surplusSettings?: readonly FleetSettings[];

  /** What is known of hardware beside the classes. */
  readonly hardware: Hardware;

  /** What is wrong with hardware that classes take from the catalogue. Told by `checkFleet`. */
  readonly hardwareFaults: readonly Diagnostic<ResourcePath>[];

  /** With the hardware that they take from the catalogue. */
  readonly classes: readonly InferenceClass[];
  readonly clusters: readonly InferenceCluster[];
  readonly gateways: readonly InferenceGateway[];
  readonly deployments: readonly ModelDeployment[];
  readonly caches: readonly ModelCache[];
  readonly services: readonly ModelService[];
  readonly endpoints: readonly ModelEndpoint[];
  readonly grants: readonly Grant[];

  /** The rules that a plan has to meet. Absent where the fleet names none. */
  readonly policies?: readonly Policy[];

  /** What snapshots show as lost. Absent where the fleet names none. */
  readonly lost?: readonly LostNodes[];

  /** What replicas are made of that still run earlier engines of their deployment. Absent where none does. */
  readonly former?: readonly PreviousRevision[];
}

/** A deployment as it was when its engines had another shape. */
export interface PreviousRevision {
  /** `namespace/name` of the deployment. */
  readonly deployment: string;

  /** The digest of these engines, as lines of the lock have it. */
  readonly shape: string;

  /** The deployment as it was declared, with what decides only where replicas go left out. */
  readonly declared: ModelDeployment;

  /** The same as the lock holds it: JSON on one line. */
  readonly text: string;
}

/** Nodes of a pool that a snapshot shows as not there for new replicas. */
export interface LostNodes {
  readonly cluster: string;
  readonly pool: string;
  readonly nodes: number;
}

/**
 * Sorts resources into a fleet, fills in the hardware of its classes and adds its defaults to the deployments. The
 * order of the resources does not matter.
 *
 * @param hardware default: the catalogue that comes with Fleetwright
 */
export function assemble(resources: Iterable<Resource>, hardware: Hardware = BUILT_IN_HARDWARE): Fleet {
  const all = sortedBy(resources, ({ metadata: { namespace = '', name } }) => `${namespace}\0${name}`);
  const [settings, ...surplusSettings] = resourcesOfKind(all, 'Fleet');
  const { catalogue } = hardware;
  const expanded = resourcesOfKind(all, 'InferenceClass').map((one) => expandClass(one, catalogue));
  return {
    hardware,
    hardwareFaults: expanded.flatMap(({ resource, findings }) =>
      findings.map((finding) => relocate(finding, (path) => ({ resource, path }))),
    ),
    ...(settings && { settings }),
    ...(surplusSettings.length > 0 && { surplusSettings }),
    classes: expanded.map(({ resource }) => resource),
    clusters: resourcesOfKind(all, 'InferenceCluster'),
    gateways: resourcesOfKind(all, 'InferenceGateway'),
    deployments: resourcesOfKind(all, 'ModelDeployment').map((one) =>
      settings ? applyFleetDefaults(one, settings) : one,
    ),
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

/** The deployments of a fleet by `namespace/name`. A list never changes once it is made: each is read once. */
export function indexDeploymentsById(
  deployments: readonly ModelDeployment[],
): ReadonlyMap<string, ModelDeployment> {
  let known = DEPLOYMENTS_BY_ID.get(deployments);
  if (!known)
    DEPLOYMENTS_BY_ID.set(
      deployments,
      (known = new Map(deployments.map((one) => [qualifiedNameOf(one), one]))),
    );
  return known;
}

const DEPLOYMENTS_BY_ID = new WeakMap<readonly ModelDeployment[], ReadonlyMap<string, ModelDeployment>>();
