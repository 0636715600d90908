import { z } from 'zod';
import { IPV4_OCTET } from '../../base/ip-address';
import { fields } from '../schema/fields';
import { labelKey } from '../schema/label-map';
import { comparedValues, valuesFit, verbatimSelector } from '../schema/label-selector';
import { integer } from '../schema/quantity';
import { rules } from '../schema/rules';
import { dnsSubdomain, stringFormat } from '../schema/string-formats';

const UNKNOWN_TO_PLAN = 'Remove it: the plan expects that each pod can run on all nodes of the pool';

const nodeRequirement = fields({
  key: labelKey.describe('The label of the node.'),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']).describe('The comparison.'),
  values: comparedValues.describe('For In and NotIn; one number for Gt and Lt.'),
}).check(rules(valuesFit));

const preference = fields({
  weight: integer(1, 100).describe('The weight of this preference, relative to others.'),
  preference: fields({
    matchExpressions: z.array(nodeRequirement).min(1).max(32).describe('The labels that the node should have.'),
  }).describe('Preferred nodes.'),
});

export const affinity = fields(
  {
    nodeAffinity: fields(
      {
        preferredDuringSchedulingIgnoredDuringExecution: z
          .array(preference)
          .min(1)
          .max(16)
          .describe('Preferred nodes.'),
      },
      { requiredDuringSchedulingIgnoredDuringExecution: `${UNKNOWN_TO_PLAN}. Use preferred nodes instead` },
    ).describe('Preferred nodes of the pool.'),
  },
  {
    podAffinity: `${UNKNOWN_TO_PLAN}. Use placement.policy and pools to keep things together`,
    podAntiAffinity: `${UNKNOWN_TO_PLAN}. Use topologySpreadConstraints instead`,
  },
);

export const topologySpreadConstraints = z
  .array(
    fields({
      maxSkew: integer(1, 1000).describe('The largest difference between two domains.'),
      topologyKey: labelKey.describe('The node label whose values are the domains.'),
      whenUnsatisfiable: z
        .literal('ScheduleAnyway')
        .describe(
          'ScheduleAnyway: a preference, because the plan expects that each pod can run on all nodes of the pool.',
        ),
      labelSelector: verbatimSelector
        .optional()
        .describe('The pods that are counted. Default: those of the engine in this replica.'),
    }),
  )
  .max(16);

const ipAddress = stringFormat({
  noun: 'an IP address',
  code: 'bad-address',
  pattern: new RegExp(
    `^(?:${IPV4_OCTET}(?:\\.${IPV4_OCTET}){3}|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|(?=.*::)(?!.*::.*::)[0-9a-fA-F:]{2,})$`,
  ),
  max: 45,
  hint: "Write it as in '10.0.0.1'",
});

export const hostAliases = z
  .array(
    fields({
      ip: ipAddress.describe('The address.'),
      hostnames: z.array(dnsSubdomain).min(1).max(64).describe('Its names.'),
    }),
  )
  .max(64);
