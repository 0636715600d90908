import { resourceIdOf, type ResourcePath } from '../../api/kinds';
import type { Diagnostic } from '../../base/diagnostic';
import type { RoutingCheck, RoutingContext } from './context';
import { checkEmptyServices, checkUnservedEntries, describeEmptyServices } from './empty-entries';
import {
  checkCredentialTls,
  checkEndpointModels,
  checkForbiddenEndpoints,
  checkRewritePaths,
} from './external-endpoints';
import { checkDuplicateHosts, checkEdgeReach, checkPublicAuth } from './gateway-exposure';
import { checkFailureDomains, checkRouteSize, checkServedNames } from './services';

/** Checks for settings that cannot work or are forbidden. */
const ERROR_CHECKS: readonly RoutingCheck[] = [
  checkEmptyServices,
  checkRewritePaths,
  checkForbiddenEndpoints,
  checkEndpointModels,
  checkRouteSize,
  checkDuplicateHosts,
  checkPublicAuth,
];

/** Checks for settings that may not work. */
const WARNING_CHECKS: readonly RoutingCheck[] = [
  checkUnservedEntries,
  checkEdgeReach,
  checkFailureDomains,
  checkServedNames,
  checkCredentialTls,
];

/** Returns the errors in the routing of a fleet. */
export function findRoutingErrors(scene: RoutingContext): Diagnostic<ResourcePath>[] {
  return ERROR_CHECKS.flatMap((rule) => [...rule(scene)]);
}

/** Returns the warnings about the routing of a fleet. */
export function findRoutingWarnings(scene: RoutingContext): Diagnostic<ResourcePath>[] {
  return WARNING_CHECKS.flatMap((rule) => [...rule(scene)]);
}

/** Returns the notes about routing for a plan. */
export function listRoutingNotes(context: RoutingContext): string[] {
  return [...describeEmptyServices(context), ...describeIdleResources(context)];
}

/** Returns notes for gateways without services, and services without a gateway. */
function describeIdleResources({ fleet: { gateways, services } }: RoutingContext): string[] {
  if (services.length === 0)
    return gateways.map((gateway) => `${resourceIdOf(gateway)} is idle: no service is declared.`);
  if (gateways.length > 0) return [];
  const more = services.length - MAX_NAMED;
  const names = services.slice(0, MAX_NAMED).map(resourceIdOf).join(', ');
  const all = more > 0 ? `${names} and ${more} more` : names;
  return [`No routes are made for ${all}: no InferenceGateway is declared.`];
}

/** Keeps a note on one line for any number of services. */
const MAX_NAMED = 5;
