import { type ResourcePath, resourceIdOf } from '../../api/kinds';
import { type Diagnostic, warningAt } from '../../base/diagnostic';
import { sortUnique } from '../../base/order';
import { nameSome } from '../placed-gateways';
import type { RoutingContext } from '../select-targets';

/** The most services that a message names. */
const MOST_NAMED = 8;

/**
 * Finds gateways without authentication next to one that asks for credentials: they serve the same services, so that
 * clients reach these without any. A public one is an error, or says that it is meant. `auth: None` says so, too.
 */
export function* warnUnguardedGateways(context: RoutingContext): Iterable<Diagnostic<ResourcePath>> {
  const gateways = [...new Set(context.placedGateways.map(({ gateway }) => gateway))];
  const guarded = gateways.find(({ spec }) => spec.auth?.enabled);
  const open = context.selections.filter(({ service: { spec } }) => spec.auth === undefined);
  if (!guarded || open.length === 0) return;
  const names = nameSome(sortUnique(open.map(({ service }) => resourceIdOf(service))), MOST_NAMED);
  for (const gateway of gateways) {
    if (gateway.spec.auth !== undefined || gateway.spec.public !== false) continue;
    const message = `${names}: clients need no credentials here, and those of ${resourceIdOf(guarded)} do: every service is at every gateway`;
    const hint = "Set 'auth' here or in each of these services, or 'auth: None' here if that is meant";
    yield warningAt('unguarded-gateway', { resource: gateway, path: ['spec'] }, message, hint);
  }
}
