import type { Fault } from './api/checks/fault';
import { withDefaults } from './api/defaults';
import type { FleetSettings } from './api/fleet';
import type { Grant } from './api/grant';
import type { DeclaredClass, InferenceClass } from './api/inference-class';
import type { InferenceCluster } from './api/inference-cluster';
import type { InferenceGateway } from './api/inference-gateway';
import type { Resource } from './api/kinds';
import type { ModelCache } from './api/model-cache';
import type { ModelDeployment } from './api/model-deployment';
import type { ModelEndpoint } from './api/model-endpoint';
import type { ModelService } from './api/model-service';
import type { Catalogue } from './hardware/catalogue';
import { expandClass, type Expanded } from './hardware/expand-class';
import { type Hardware, OUR_HARDWARE } from './hardware/hardware';
import { sortedBy } from './order';
import type { Policy } from './policy/policy';
import { memoWeak, type WeakTable } from './memo';

/** Everything declared, as plain data, each list sorted by namespace and name. */
export interface Fleet {
  /** The settings of the fleet, already added to the deployments. */
  readonly settings?: FleetSettings;

  /** Settings beyond the first, which `checkFleet` refuses. */
  readonly surplusSettings?: readonly FleetSettings[];

  /** What is known of hardware beside the classes. */
  readonly hardware: Hardware;

  /** What is wrong with hardware that classes take from the catalogue. Told by `checkFleet`. */
  readonly hardwareFaults: readonly Fault[];

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

/**
 * Sorts resources into a fleet, fills in the hardware of its classes and adds its defaults to the deployments. The
 * order of the resources does not matter.
 *
 * @param hardware default: the catalogue that comes with Fleetwright
 */
export function assemble(resources: Iterable<Resource>, hardware: Hardware = OUR_HARDWARE): Fleet {
  const all = sortedBy(resources, ({ metadata: { namespace = '', name } }) => `${namespace}\0${name}`);
  const [settings, ...surplusSettings] = ofKind(all, 'Fleet');
  const { catalogue } = hardware;
  const expanded = ofKind(all, 'InferenceClass').map((one) =>
    memoWeak(EXPANDED, one, catalogue, () => expandClass(one, catalogue)),
  );
  return {
    hardware,
    hardwareFaults: expanded.flatMap(({ resource, findings }) =>
      findings.map((finding) => ({ ...finding, resource })),
    ),
    ...(settings && { settings }),
    ...(surplusSettings.length > 0 && { surplusSettings }),
    classes: expanded.map(({ resource }) => resource),
    clusters: ofKind(all, 'InferenceCluster'),
    gateways: ofKind(all, 'InferenceGateway'),
    deployments: ofKind(all, 'ModelDeployment').map((one) => (settings ? defaulted(one, settings) : one)),
    caches: ofKind(all, 'ModelCache'),
    services: ofKind(all, 'ModelService'),
    endpoints: ofKind(all, 'ModelEndpoint'),
    grants: ofKind(all, 'Grant'),
  };
}

/** Declarations never change once they are read: what two fleets share is filled in once, and stays one object. */
const EXPANDED: WeakTable<DeclaredClass, Catalogue, Expanded> = new WeakMap();
const DEFAULTED: WeakTable<ModelDeployment, FleetSettings, ModelDeployment> = new WeakMap();

function defaulted(deployment: ModelDeployment, settings: FleetSettings): ModelDeployment {
  return memoWeak(DEFAULTED, deployment, settings, () => withDefaults(deployment, settings));
}

function ofKind<K extends Resource['kind']>(
  all: readonly Resource[],
  kind: K,
): Extract<Resource, { kind: K }>[] {
  return all.filter((resource): resource is Extract<Resource, { kind: K }> => resource.kind === kind);
}
