import { RecordSet } from '@pulumi/gcp/dns/recordSet';
import type { RegisterRecord } from './dns-record-provider';

/** The TTL of records in seconds: how long clients may use an outdated address. */
const TTL_SECONDS = 60;

/** Registers a record in Cloud DNS. There, host names end with a dot, also those in CNAME values. */
export const registerCloudDnsRecord: RegisterRecord = ({ host, zone }, { type, values }, parent) =>
  new RecordSet(
    host,
    {
      managedZone: zone,
      name: `${host}.`,
      type,
      ttl: TTL_SECONDS,
      rrdatas: type.apply((kind) => values.apply((all) => all.map((one) => (kind === 'CNAME' ? `${one}.` : one)))),
    },
    { parent },
  );
