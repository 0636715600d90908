import { RecordSet } from '@pulumi/azure-native/dns/recordSet';
import { all } from '@pulumi/pulumi';
import { parseAzureZoneId } from '../../src/api/routing/azure-zone-id';
import type { RegisterRecord } from './dns-record-provider';

/** The TTL of records in seconds: how long clients may use an outdated address. */
const TTL_SECONDS = 60;

/** Registers a record in Azure DNS. There, a record has a list for each type of address. */
export const registerAzureDnsRecord: RegisterRecord = ({ host, zone: id }, { type, values }, parent) => {
  const parsed = parseAzureZoneId(id);
  if (!parsed) throw new Error(`bug: '${id}' is not the ID of a zone`);
  const { group, zone } = parsed;
  const addresses = all([type, values]);
  return new RecordSet(
    host,
    {
      resourceGroupName: group,
      zoneName: zone,
      // The zone itself has this name.
      relativeRecordSetName: host === zone ? '@' : host.slice(0, -zone.length - 1),
      recordType: type,
      ttl: TTL_SECONDS,
      aRecords: addresses.apply(([kind, each]) =>
        kind === 'A' ? each.map((ipv4Address) => ({ ipv4Address })) : undefined,
      ),
      aaaaRecords: addresses.apply(([kind, each]) =>
        kind === 'AAAA' ? each.map((ipv6Address) => ({ ipv6Address })) : undefined,
      ),
      cnameRecord: addresses.apply(([kind, [cname]]) =>
        kind === 'CNAME' && cname !== undefined ? { cname } : undefined,
      ),
    },
    { parent },
  );
};
