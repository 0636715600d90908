import { Record } from '@pulumi/aws/route53/record';
import type { RegisterRecord } from './dns-records';
import { resourceName } from './resource-name';

/** Seconds: how long clients may go on using an address that is gone. */
const TTL = 60;

/** A record in Route 53, or one of several of the same name and weight. */
export const route53Record: RegisterRecord = ({ host, zone }, { type, values, part }, parent) =>
  new Record(
    part === undefined ? host : resourceName(host, part),
    {
      zoneId: zone,
      name: host,
      type,
      ttl: TTL,
      records: values,
      ...(part !== undefined && { setIdentifier: part, weightedRoutingPolicies: [{ weight: 1 }] }),
    },
    { parent },
  );
