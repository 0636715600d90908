import { dnsRecords } from '../provision/dns-records';
import type { Routing } from '../routing/routing';
import { shortList } from './format';

/** Which records of host names are no need, because a stack writes them: a sentence. */
export function recordNotes(routing: Routing): string[] {
  const hosts = dnsRecords(routing).map(({ host, provider, zone }) => `${host} (${provider} ${zone})`);
  if (hosts.length === 0) return [];
  return [
    `A Pulumi stack that applies these objects writes the DNS records of ${shortList(hosts)}; without one, write them yourself.`,
  ];
}
