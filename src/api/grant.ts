import { z } from 'zod';
import { OUR_GROUP, type ResourceOf } from './resource';
import { fields } from './schema/fields';
import { defineKind } from './schema/kind';
import { labelMap } from './schema/label-map';
import { dnsLabel } from './schema/string-formats';

const spec = fields({
  from: z
    .array(fields({ namespace: dnsLabel.describe('The namespace of the services.') }))
    .min(1)
    .max(64)
    .describe('Namespaces whose services may route here.'),
  to: z
    .array(
      fields({
        kind: z.enum(['ModelDeployment', 'ModelEndpoint']).describe('The kind of target.'),
        matchLabels: labelMap().default({}).describe('Labels of the targets. Default: all of the kind.'),
      }),
    )
    .min(1)
    .max(64)
    .describe('The resources that they may route to, in the namespace of the grant.'),
});

export const grant = defineKind({
  kind: 'Grant',
  scope: 'Namespaced',
  groups: OUR_GROUP,
  description: 'Lets services of other namespaces route to deployments and endpoints of this one.',
  spec,
});

/** A grant that lets services of other namespaces route to its namespace. */
export type Grant = ResourceOf<'Grant', z.output<typeof spec>>;

export type GrantInput = z.input<typeof spec>;
