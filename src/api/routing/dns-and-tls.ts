import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { fields, withDefault } from '../schema/fields';
import { describeMissingField, rules, type SchemaRule } from '../schema/rules';
import { secretReference } from '../schema/secret-reference';
import { dnsSubdomain, nonEmptyText, referencedName } from '../schema/string-formats';
import { parseAzureZoneId } from './azure-zone-id';

const idWithProvider: SchemaRule<{ provider?: unknown; id?: unknown }> = function* ({ provider, id }) {
  if (provider !== undefined && id === undefined) {
    yield describeMissingField(['id'], 'The provider of the zone needs it to write the record');
  }
  if (provider === undefined && id !== undefined)
    yield describeMissingField(['provider'], 'Set it to the provider of the zone');
};

const azureZoneId: SchemaRule<{ zone: string; provider?: unknown; id?: string | undefined }> = function* (declared) {
  const { zone, provider, id } = declared;
  if (provider !== 'AzureDNS' || id === undefined || parseAzureZoneId(id)?.zone === zone) return;
  const what = `'${id}' is not the resource ID of the zone '${zone}' in Azure DNS`;
  const form = `/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Network/dnszones/${zone}`;
  yield errorAt('bad-name', ['id'], what, `Write it as in '${form}'`);
};

/** The schema of the DNS zone for the record of a host name, and of its provider. */
export const dns = fields({
  zone: dnsSubdomain.describe('The name of the zone: example.com.'),
  provider: z
    .enum(['CloudDNS', 'Route53', 'AzureDNS'])
    .optional()
    .describe(
      'The provider of the zone, in which a Pulumi stack then writes the record. Default: - you write the record, and plan lists it.',
    ),
  id: nonEmptyText(512)
    .optional()
    .describe(
      'With provider: the name of the managed zone (CloudDNS), the ID of the hosted zone (Route53), or the resource ID of the zone (AzureDNS).',
    ),
}).check(rules(idWithProvider, azureZoneId));

/** The DNS zone for the record of a host name, and its provider. */
export type Dns = z.output<typeof dns>;

interface Named {
  readonly hostname?: string | undefined;
  readonly dns?: { readonly zone: string } | undefined;
}

/** Checks that a host name is in its DNS zone. A web address is not a host name, which its schema reports. */
export const nameInZone: SchemaRule<Named> = function* ({ hostname, dns: declared }) {
  if (!declared) return;
  const { zone } = declared;
  if (hostname === undefined) yield describeMissingField(['hostname'], 'A DNS record needs a host name');
  else if (!hostname.includes('/') && hostname !== zone && !hostname.endsWith(`.${zone}`)) {
    const what = `'${hostname}' is not in the zone '${zone}'`;
    yield errorAt('contradiction', ['dns', 'zone'], what, 'Correct one of the two');
  }
};

export const issuer = fields({
  name: referencedName.describe('The name of the issuer.'),
  kind: withDefault(
    z.enum(['ClusterIssuer', 'Issuer']),
    'ClusterIssuer',
    'Issuer: an Issuer in namespace fleetwright-system.',
  ),
});

/** The schema of a reference to a certificate, with its key, that the user provides. */
export const certificateRef = secretReference('The Secret in namespace fleetwright-system: tls.crt, tls.key.');
