import { textAt } from '../live-object';

/** Why there is no answer, as a clause: by what Node throws of a request, and its time limit in milliseconds. */
export function unansweredText(error: unknown, timeout: number): string {
  const message = textAt(error, ['message']) || String(error);
  if (LATE.has(textAt(error, ['name']))) return `no answer within ${timeout / 1000} s`;
  if (UNTRUSTED.has(textAt(error, ['code']))) {
    return `its certificate is not trusted here (${message}): name the file of its authority with NODE_EXTRA_CA_CERTS`;
  }
  return `it cannot be reached: ${message}`;
}

const LATE: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** What is wrong with certificates whose authority nobody knows. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
