import { textAt } from '../live-object';

/** Why there is no answer, as a clause: by what Node throws of a request, and its time limit in milliseconds. */
export function unansweredText(error: unknown, timeout: number): string {
  const message = textAt(error, ['message']) || String(error);
  if (LATE.has(textAt(error, ['name']))) return `no answer within ${timeout / 1000} s`;
  if (UNTRUSTED.has(textAt(error, ['code']))) {
    return `its certificate is not trusted here (${message}): name the file of its authority with NODE_EXTRA_CA_CERTS`;
  }
  const host = textAt(error, ['hostname']);
  if (host.endsWith(IN_CLUSTER)) {
    return `${host} is a name within its cluster: forward a port of it, and name that with --via`;
  }
  return `it cannot be reached: ${message}`;
}

/** What names of Services end in. A failure has the host where that was not found. */
const IN_CLUSTER = '.svc.cluster.local';

const LATE: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** What is wrong with certificates whose authority nobody knows. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
