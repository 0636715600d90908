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

/** What cannot work, or must not be. */
const ERROR_CHECKS: readonly RoutingCheck[] = [
  checkEmptyServices,
  checkRewritePaths,
  checkForbiddenEndpoints,
  checkEndpointModels,
  checkRouteSize,
  checkDuplicateHosts,
  checkPublicAuth,
];

/** What may work only by luck. */
const WARNING_CHECKS: readonly RoutingCheck[] = [
  checkUnservedEntries,
  checkEdgeReach,
  checkFailureDomains,
  checkServedNames,
  checkCredentialTls,
];

/** What is wrong with routes. */
export function findRoutingErrors(scene: RoutingContext): Diagnostic<ResourcePath>[] {
  return ERROR_CHECKS.flatMap((rule) => [...rule(scene)]);
}

/** What may be wrong with routes. */
export function findRoutingWarnings(scene: RoutingContext): Diagnostic<ResourcePath>[] {
  return WARNING_CHECKS.flatMap((rule) => [...rule(scene)]);
}

/** What the reader of a plan should know of routes. */
export function listRoutingNotes(scene: RoutingContext): string[] {
  return [...describeEmptyServices(scene), ...describeIdle(scene)];
}

/** Gateways without services, and services without a gateway. */
function describeIdle({ fleet: { gateways, services } }: RoutingContext): string[] {
  if (services.length === 0)
    return gateways.map((one) => `${resourceIdOf(one)} is idle: no service is declared.`);
  if (gateways.length > 0) return [];
  const more = services.length - MAX_NAMED;
  const names = services.slice(0, MAX_NAMED).map(resourceIdOf).join(', ');
  const all = more > 0 ? `${names} and ${more} more` : names;
  return [`No routes are made for ${all}: no InferenceGateway is declared.`];
}

/** A note is one line, however many services a fleet has. */
const MAX_NAMED = 5;
