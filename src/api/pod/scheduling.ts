import { z } from 'zod';
import { IPV4_OCTET } from '../../base/ip-address';
import { fields } from '../schema/fields';
import { labelKey } from '../schema/label-map';
import { comparedValues, valuesFit, verbatimSelector } from '../schema/label-selector';
import { integer } from '../schema/quantity';
import { rules } from '../schema/rules';
import { dnsSubdomain, stringFormat } from '../schema/string-formats';

const UNKNOWN_TO_PLAN = 'Remove it: the plan counts on every node of a pool for every pod';

const nodeRequirement = fields({
  key: labelKey.describe('The label of the node.'),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']).describe('How it is compared.'),
  values: comparedValues.describe('For In and NotIn; one number for Gt and Lt.'),
}).check(rules(valuesFit));

const preference = fields({
  weight: integer(1, 100).describe('The weight of this preference, relative to others.'),
  preference: fields({
    matchExpressions: z.array(nodeRequirement).min(1).max(32).describe('What the node should have.'),
  }).describe('Nodes that are better.'),
});

export const affinity = fields(
  {
    nodeAffinity: fields(
      {
        preferredDuringSchedulingIgnoredDuringExecution: z
          .array(preference)
          .min(1)
          .max(16)
          .describe('Nodes that are better than others.'),
      },
      { requiredDuringSchedulingIgnoredDuringExecution: `${UNKNOWN_TO_PLAN}. Prefer nodes instead` },
    ).describe('Which nodes of the pool are better.'),
  },
  {
    podAffinity: `${UNKNOWN_TO_PLAN}. Use placement.policy and pools to keep things together`,
    podAntiAffinity: `${UNKNOWN_TO_PLAN}. Use topologySpreadConstraints to prefer a spread`,
  },
);

export const topologySpreadConstraints = z
  .array(
    fields({
      maxSkew: integer(1, 1000).describe('The most by which two domains should differ.'),
      topologyKey: labelKey.describe('The label of nodes whose values are the domains.'),
      whenUnsatisfiable: z
        .literal('ScheduleAnyway')
        .describe('ScheduleAnyway: a preference. The plan counts on every node of a pool for every pod.'),
      labelSelector: verbatimSelector
        .optional()
        .describe('Which pods are counted. Default: those of the engine in this replica.'),
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
