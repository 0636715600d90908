import { RecordSet } from '@pulumi/gcp/dns/recordSet';
import type { RegisterRecord } from './dns-record-provider';

/** Seconds: how long clients may go on using an address that is gone. */
const TTL_SECONDS = 60;

/** A record in Cloud DNS. Names end with a dot there, also those that a record points at. */
export const registerCloudDnsRecord: RegisterRecord = ({ host, zone }, { type, values }, parent) =>
  new RecordSet(
    host,
    {
      managedZone: zone,
      name: `${host}.`,
      type,
      ttl: TTL_SECONDS,
      rrdatas: type.apply((kind) =>
        values.apply((all) => all.map((one) => (kind === 'CNAME' ? `${one}.` : one))),
      ),
    },
    { parent },
  );
