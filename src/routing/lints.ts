import type { Fault } from '../api/checks/fault';
import { resourceId } from '../api/kinds';
import { credentialInClear } from './lints/credential-warnings';
import { spansDomains } from './lints/domain-warnings';
import { unservedEntries } from './lints/entry-warnings';
import { endpointServesModel, rewritesToPath, staysInside } from './lints/external';
import { hostsDiffer } from './lints/hosts';
import { enginesServeName } from './lints/name-warnings';
import { asksForKeys } from './lints/public';
import { frontsReachEdges } from './lints/reach-warnings';
import type { RoutingRule, Scene } from './lints/scene';
import { selectsNothing, selectsNothingNotes } from './lints/selects-nothing';
import { fitsRoute } from './lints/sizes';

/** What cannot work, or must not be. */
const ERRORS: readonly RoutingRule[] = [
  selectsNothing,
  rewritesToPath,
  staysInside,
  endpointServesModel,
  fitsRoute,
  hostsDiffer,
  asksForKeys,
];

/** What may work only by luck. */
const WARNINGS: readonly RoutingRule[] = [
  unservedEntries,
  frontsReachEdges,
  spansDomains,
  enginesServeName,
  credentialInClear,
];

/** What is wrong with routes. */
export function routingErrors(scene: Scene): Fault[] {
  return ERRORS.flatMap((rule) => [...rule(scene)]);
}

/** What may be wrong with routes. */
export function routingWarnings(scene: Scene): Fault[] {
  return WARNINGS.flatMap((rule) => [...rule(scene)]);
}

/** What the reader of a plan should know of routes. */
export function routingNotes(scene: Scene): string[] {
  return [...selectsNothingNotes(scene), ...idle(scene)];
}

/** Gateways without services, and services without a gateway. */
function idle({ fleet: { gateways, services } }: Scene): string[] {
  if (services.length === 0)
    return gateways.map((one) => `${resourceId(one)} is idle: no service is declared.`);
  if (gateways.length > 0) return [];
  const more = services.length - MOST_NAMED;
  const names = services.slice(0, MOST_NAMED).map(resourceId).join(', ');
  const all = more > 0 ? `${names} and ${more} more` : names;
  return [`No routes are made for ${all}: no InferenceGateway is declared.`];
}

/** A note is one line, however many services a fleet has. */
const MOST_NAMED = 5;
