import type { Fault } from '../../api/checks/fault';
import { resourceId } from '../../api/kinds';
import type { Scene } from './scene';

/** A service that asks nobody for a key, at a gateway that everybody reaches. */
export function* asksForKeys({ standings, selections }: Scene): Iterable<Fault> {
  const open = standings.find(({ gateway }) => gateway.spec.public === true);
  if (!open) return;
  for (const { service } of selections) {
    if (service.spec.auth?.enabled !== false) continue;
    yield {
      code: 'insecure-gateway',
      resource: service,
      path: ['spec', 'auth'],
      what: `the service would answer everybody: ${resourceId(open.gateway)} is public`,
      hint: "Name keys or a jwt, or write 'public: insecure' at the gateway where that is meant",
    };
  }
}
