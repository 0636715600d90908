import { Record } from '@pulumi/aws/route53/record';
import type { RegisterRecord } from './dns-record-provider';
import { resourceNameOf } from '../cloud/resource-names';

/** The TTL of records in seconds: how long clients may use an outdated address. */
const TTL_SECONDS = 60;

/** Registers a record in Route 53, or one of several records with the same name and weight. */
export const registerRoute53Record: RegisterRecord = ({ host, zone }, { type, values, part }, parent) =>
  new Record(
    part === undefined ? host : resourceNameOf(host, part),
    {
      zoneId: zone,
      name: host,
      type,
      ttl: TTL_SECONDS,
      records: values,
      ...(part !== undefined && { setIdentifier: part, weightedRoutingPolicies: [{ weight: 1 }] }),
    },
    { parent },
  );
