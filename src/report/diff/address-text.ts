import { sortUnique } from '../../base/order';
import { joinNames } from '../../base/text';
import type { AddressGoneFinding } from '../../diff/lost-addresses';
import { ACCEPT_REMOVALS } from './choices';

/** What is wrong, as a clause, and what to do about it. */
interface AddressText {
  readonly what: string;

  /** The same for all services of the address. Absent: it names one. */
  readonly shared?: string;
  readonly hint: string;
}

const KEEP = `Keep the address until no client requests it; if no client does, ${ACCEPT_REMOVALS}`;

/** Says which clients of a service get no answer any more, and how to keep their address. */
export function describeGoneAddress(finding: AddressGoneFinding): AddressText {
  const { id, service, urls, successor } = finding;
  const what = `ModelService ${id}: clients of ${joinNames(urls)} get no answer any more`;
  if (!service) {
    return {
      what: `${what}, because the service is removed`,
      hint: KEEP,
    };
  }
  const isOpened = losesTls(finding);
  const then = isOpened ? ', and requests and keys travel without encryption' : '';
  const lost = sortUnique(urls.map((url) => (isOpened ? originOf(url) : hostOf(url))));
  return {
    what: `${what}${then}`,
    shared: `clients of ${joinNames(lost)} get no answer any more${then}`,
    hint: describeKeeping(urls[0] ?? '', successor),
  };
}

function losesTls({ urls: [lost = ''], successor }: AddressGoneFinding): boolean {
  if (!successor || hostOf(lost) !== hostOf(successor.url)) return false;
  return lost.startsWith('https:') && successor.url.startsWith('http:');
}

/** The old host stays where its DNS record leads: each InferenceGateway has an address of its own. */
function describeKeeping(lost: string, successor: AddressGoneFinding['successor']): string {
  if (!successor) return KEEP;
  const [was, is] = [hostOf(lost), hostOf(successor.url)];
  const gateway = `InferenceGateway ${successor.gateway}`;
  if (was !== is) {
    return `Declare a second InferenceGateway with 'hostname: ${is}', and keep ${gateway} as it is until no client requests ${was}. If none does already, ${ACCEPT_REMOVALS}`;
  }
  if (lost.startsWith('https:') && successor.url.startsWith('http:')) {
    return `Keep 'tls' on ${gateway}; if no client does, ${ACCEPT_REMOVALS}`;
  }
  return KEEP;
}

/** Says which gateways are removed, of services that have none any more. */
export function describeLostGateways(names: readonly string[]): string {
  if (names.length === 0) return 'no cluster has one any more';
  const [kind, verb] = names.length === 1 ? ['InferenceGateway', 'is'] : ['InferenceGateways', 'are'];
  return `${kind} ${joinNames(names)} ${verb} removed`;
}

function hostOf(url: string): string {
  return originOf(url).replace(/^https?:\/\//, '');
}

/** `https://models.example.com`. */
function originOf(url: string): string {
  return /^https?:\/\/[^/]+/.exec(url)?.[0] ?? url;
}
