import { adaptersTaken } from './api/checks/adapters-taken';
import { cachesExist } from './api/checks/caches-exist';
import { claimsServed } from './api/checks/claims-served';
import { configDrivers } from './api/checks/config-drivers';
import { deviceClasses } from './api/checks/device-classes';
import { devicesExist } from './api/checks/devices-exist';
import type { Fault, FleetCheck } from './api/checks/fault';
import { featuresServed } from './api/checks/features-served';
import { oneCurrency } from './api/checks/one-currency';
import { gatewayClusters } from './api/checks/gateway-clusters';
import { grantTargets } from './api/checks/grant-targets';
import { oneFleet } from './api/checks/one-fleet';
import { podsServed } from './api/checks/pods-served';
import { poolClasses } from './api/checks/pool-classes';
import { preferredClusters } from './api/checks/preferred-clusters';
import { reservedDevices } from './api/checks/reserved-devices';
import { spreadRules } from './api/checks/spread-rules';
import type { Locate } from './api/locate';
import type { ModelDeployment } from './api/model-deployment';
import { engineErrors } from './engine/checks/engine-checks';
import type { Problem } from './errors';
import type { Fleet } from './fleet';
import { provisioningErrors } from './provision/check-provisioning';

/** Every rule that needs more than one resource. */
const CHECKS: readonly FleetCheck[] = [
  ({ hardwareFaults }) => hardwareFaults,
  oneCurrency,
  deviceClasses,
  oneFleet,
  poolClasses,
  reservedDevices,
  cachesExist,
  adaptersTaken,
  devicesExist,
  claimsServed,
  podsServed,
  featuresServed,
  configDrivers,
  preferredClusters,
  spreadRules,
  gatewayClusters,
  grantTargets,
  engineErrors,
  provisioningErrors,
];

/** Rules that ask something of all deployments together: what each of them is, no other rule asks of another. */
const OVER_ALL: ReadonlySet<FleetCheck> = new Set([grantTargets]);

/**
 * What is wrong between resources that are each fine on their own.
 *
 * @param sound deployments of which no rule has anything to say, with the clusters, classes and caches of the fleet
 */
export function checkFleet(fleet: Fleet, locate: Locate, sound?: ReadonlySet<ModelDeployment>): Problem[] {
  const asked = sound ? { ...fleet, deployments: fleet.deployments.filter((one) => !sound.has(one)) } : fleet;
  return told(
    CHECKS.flatMap((check) => [...check(OVER_ALL.has(check) ? fleet : asked)]),
    locate,
  );
}

/** Rules that have nothing to say of what is not there: they hold for a part of a fleet as for the whole. */
const OF_PARTS: readonly FleetCheck[] = [({ hardwareFaults }) => hardwareFaults, provisioningErrors];

/**
 * What is wrong with the sound resources of a fleet of which others are broken. Rules that look for other resources
 * are left to when all are there: what they miss may be what is broken.
 */
export function checkParts(fleet: Fleet, locate: Locate): Problem[] {
  return told(
    OF_PARTS.flatMap((check) => [...check(fleet)]),
    locate,
  );
}

function told(faults: readonly Fault[], locate: Locate): Problem[] {
  return faults.map(({ resource, path, ...problem }) => ({ ...problem, where: locate(resource, path) }));
}
