import { type Locate, locateAll } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { checkAdapterNames, checkAdapterSupport, checkEngines } from '../engine/checks/check-engines';
import { checkScalingSignals } from '../engine/checks/scaling';
import { checkAdditions } from '../fleet/checks/additions';
import { checkConfigDrivers, checkDeviceClasses } from '../fleet/checks/devices';
import type { FleetCheck } from '../fleet/checks/fleet-check';
import { checkCurrency, checkSingleFleet } from '../fleet/checks/fleet-settings';
import {
  checkClaimFeatures,
  checkDeviceSupport,
  checkGangs,
  checkPodFeatures,
} from '../fleet/checks/kubernetes-versions';
import {
  checkManagedQueues,
  checkPoolClasses,
  checkRacks,
  checkTpuSlices,
  checkReservedDevices,
  checkWarmNodes,
} from '../fleet/checks/node-pools';
import { checkPreferredClusters, checkRegionLabels, checkSpread } from '../fleet/checks/placement-rules';
import {
  checkCacheReferences,
  checkEndpointClusters,
  checkGatewayClusters,
  checkGrantTargets,
} from '../fleet/checks/references';
import type { Fleet } from '../fleet/fleet';
import { findProvisioningErrors } from '../provision/check-provisioning';
import { checkCacheSizes } from './checks/cache-sizes';
import { checkCacheHosts, checkEndpointHosts } from './checks/endpoint-hosts';
import { checkNamespaceRules } from './checks/namespace-rules';
import { checkReservedNamespaces } from './checks/reserved-namespaces';

/** All checks that need more than one resource. */
const CHECKS: readonly FleetCheck[] = [
  ({ hardwareFaults }) => hardwareFaults,
  checkModels,
  checkCurrency,
  checkDeviceClasses,
  checkSingleFleet,
  checkAdditions,
  checkPoolClasses,
  checkReservedDevices,
  checkRacks,
  checkTpuSlices,
  checkWarmNodes,
  checkManagedQueues,
  checkCacheReferences,
  checkAdapterSupport,
  checkAdapterNames,
  checkDeviceSupport,
  checkPodFeatures,
  checkGangs,
  checkClaimFeatures,
  checkConfigDrivers,
  checkPreferredClusters,
  checkSpread,
  checkRegionLabels,
  checkGatewayClusters,
  checkEndpointClusters,
  checkGrantTargets,
  checkEngines,
  checkScalingSignals,
  findProvisioningErrors,
  checkReservedNamespaces,
  checkEndpointHosts,
  checkCacheHosts,
  checkCacheSizes,
  checkNamespaceRules,
];

/** Without the layouts that there may be once classes have no errors. */
function* checkModels(fleet: Fleet): ReturnType<FleetCheck> {
  const { hardwareFaults, modelFaults = [] } = fleet;
  const mayFollow = modelFaults.length > 0 && [...hardwareFaults, ...checkPoolClasses(fleet)].length > 0;
  yield* modelFaults.filter(({ code, at }) => !mayFollow || code !== 'no-layout' || at.path.at(-1) !== 'model');
}

/** Finds problems between resources that are each valid. */
export function checkFleet(fleet: Fleet, locate: Locate): Diagnostic[] {
  return runChecks(CHECKS, fleet, locate);
}

/** Checks that report no missing resources, so that they apply to a part of a fleet too. */
const PARTIAL_FLEET_CHECKS: readonly FleetCheck[] = [
  ({ hardwareFaults }) => hardwareFaults,
  findProvisioningErrors,
  checkReservedNamespaces,
  checkEndpointHosts,
  checkCacheHosts,
];

/**
 * Finds problems between the valid resources of a fleet that also has invalid ones. Checks that look up other resources
 * do not run: the resource that they miss may be one of the invalid ones.
 */
export function checkPartialFleet(fleet: Fleet, locate: Locate): Diagnostic[] {
  return runChecks(PARTIAL_FLEET_CHECKS, fleet, locate);
}

function runChecks(checks: readonly FleetCheck[], fleet: Fleet, locate: Locate): Diagnostic[] {
  const found = checks.flatMap((check) => [...check(fleet)]);
  return locateAll(found, locate);
}
