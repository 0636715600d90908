import { withDefaults } from './api/defaults';
import type { FleetSettings } from './api/fleet';
import type { Grant } from './api/grant';
import type { InferenceClass } from './api/inference-class';
import type { InferenceCluster } from './api/inference-cluster';
import type { InferenceGateway } from './api/inference-gateway';
import type { Resource } from './api/kinds';
import type { ModelCache } from './api/model-cache';
import type { ModelDeployment } from './api/model-deployment';
import type { ModelEndpoint } from './api/model-endpoint';
import type { ModelService } from './api/model-service';
import { sortedBy } from './order';

/** Everything declared, as plain data, each list sorted by namespace and name. */
export interface Fleet {
  /** The settings of the fleet, already added to the deployments. */
  readonly settings?: FleetSettings;

  /** Settings beyond the first, which `checkFleet` refuses. */
  readonly surplusSettings?: readonly FleetSettings[];

  readonly classes: readonly InferenceClass[];
  readonly clusters: readonly InferenceCluster[];
  readonly gateways: readonly InferenceGateway[];
  readonly deployments: readonly ModelDeployment[];
  readonly caches: readonly ModelCache[];
  readonly services: readonly ModelService[];
  readonly endpoints: readonly ModelEndpoint[];
  readonly grants: readonly Grant[];

  /** What snapshots show as lost. Absent where the fleet names none. */
  readonly lost?: readonly LostNodes[];

  /** What replicas are made of that still run earlier engines of their deployment. Absent where none does. */
  readonly former?: readonly FormerShape[];
}

/** A deployment as it was when its engines had another shape. */
export interface FormerShape {
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

/** Sorts resources into a fleet and adds its defaults to the deployments. The order of the resources does not matter. */
export function assemble(resources: Iterable<Resource>): Fleet {
  const all = sortedBy(resources, ({ metadata: { namespace = '', name } }) => `${namespace}\0${name}`);
  const [settings, ...surplusSettings] = ofKind(all, 'Fleet');
  return {
    ...(settings && { settings }),
    ...(surplusSettings.length > 0 && { surplusSettings }),
    classes: ofKind(all, 'InferenceClass'),
    clusters: ofKind(all, 'InferenceCluster'),
    gateways: ofKind(all, 'InferenceGateway'),
    deployments: ofKind(all, 'ModelDeployment').map((deployment) => withDefaults(deployment, settings)),
    caches: ofKind(all, 'ModelCache'),
    services: ofKind(all, 'ModelService'),
    endpoints: ofKind(all, 'ModelEndpoint'),
    grants: ofKind(all, 'Grant'),
  };
}

function ofKind<K extends Resource['kind']>(
  all: readonly Resource[],
  kind: K,
): Extract<Resource, { kind: K }>[] {
  return all.filter((resource): resource is Extract<Resource, { kind: K }> => resource.kind === kind);
}
