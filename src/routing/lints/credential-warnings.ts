import type { Fault } from '../../api/checks/fault';
import { baseOf } from '../egress-backends';
import type { Scene } from './scene';

/** Credentials on their way without TLS. */
export function* credentialInClear({ fleet }: Scene): Iterable<Fault> {
  for (const endpoint of fleet.endpoints) {
    if (!endpoint.spec.credential || baseOf(endpoint).protocol !== 'http:') continue;
    yield {
      code: 'credential-in-clear',
      resource: endpoint,
      path: ['spec', 'url'],
      what: 'its credential is sent without TLS, for everybody on the way to read',
      hint: 'Use an address with https://',
    };
  }
}
