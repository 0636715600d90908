import { Record } from '@pulumi/aws/route53/record';
import type { RegisterRecord } from './dns-record-provider';
import { resourceNameOf } from './resource-names';

/** Seconds: how long clients may go on using an address that is gone. */
const TTL_SECONDS = 60;

/** A record in Route 53, or one of several of the same name and weight. */
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
