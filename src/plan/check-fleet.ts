import { type Locate, locateAll } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { checkAdapterSupport } from '../engine/checks/adapter-support';
import { checkEngines } from '../engine/checks/check-engines';
import { checkConfigDrivers, checkDeviceClasses, checkDeviceCounts } from '../fleet/checks/devices';
import type { FleetCheck } from '../fleet/checks/fleet-check';
import { checkCurrency, checkSingleFleet } from '../fleet/checks/fleet-settings';
import {
  checkClaimFeatures,
  checkDeviceSupport,
  checkPodFeatures,
} from '../fleet/checks/kubernetes-versions';
import { checkPoolClasses, checkReservedDevices } from '../fleet/checks/node-pools';
import { checkPreferredClusters, checkSpread } from '../fleet/checks/placement-rules';
import { checkCacheReferences, checkGatewayClusters, checkGrantTargets } from '../fleet/checks/references';
import type { Fleet } from '../fleet/fleet';
import { findProvisioningErrors } from '../provision/check-provisioning';

/** Every rule that needs more than one resource. */
const CHECKS: readonly FleetCheck[] = [
  ({ hardwareFaults }) => hardwareFaults,
  checkCurrency,
  checkDeviceClasses,
  checkSingleFleet,
  checkPoolClasses,
  checkReservedDevices,
  checkCacheReferences,
  checkAdapterSupport,
  checkDeviceCounts,
  checkDeviceSupport,
  checkPodFeatures,
  checkClaimFeatures,
  checkConfigDrivers,
  checkPreferredClusters,
  checkSpread,
  checkGatewayClusters,
  checkGrantTargets,
  checkEngines,
  findProvisioningErrors,
];

/** What is wrong between resources that are each fine on their own. */
export function checkFleet(fleet: Fleet, locate: Locate): Diagnostic[] {
  return locateAll(
    CHECKS.flatMap((check) => [...check(fleet)]),
    locate,
  );
}

/** Rules that have nothing to say of what is not there: they hold for a part of a fleet as for the whole. */
const PARTIAL_FLEET_CHECKS: readonly FleetCheck[] = [
  ({ hardwareFaults }) => hardwareFaults,
  findProvisioningErrors,
];

/**
 * What is wrong with the sound resources of a fleet of which others are broken. Rules that look for other resources
 * are left to when all are there: what they miss may be what is broken.
 */
export function checkPartialFleet(fleet: Fleet, locate: Locate): Diagnostic[] {
  return locateAll(
    PARTIAL_FLEET_CHECKS.flatMap((check) => [...check(fleet)]),
    locate,
  );
}
