import { z } from 'zod';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { rules } from './reading/rule';
import { OUR_GROUP, type ResourceOf } from './resource';
import { labelKey } from './shared/label-map';
import { dnsLabelKeys } from './shared/names';
import { tolerations } from './shared/toleration';
import { userLabels } from './user-labels';

const spec = fields({
  defaults: fields({
    labels: userLabels.describe("Added to template.metadata.labels. A deployment's own value wins."),
    tolerations: tolerations.describe('Added to template.spec.tolerations.'),
  })
    .prefault({})
    .describe('What every ModelDeployment gets.'),
  domains: z
    .record(z.string(), labelKey)
    .check(rules(dnsLabelKeys))
    .default({})
    .describe(
      'Names for cluster labels that are failure domains, for spreadBy: rack: example.com/rack. Adds to region and provider, which it may redefine.',
    ),
});

/** Settings of the whole fleet. There is at most one. */
export const fleetSettings = defineKind({
  kind: 'Fleet',
  scope: 'Cluster',
  groups: OUR_GROUP,
  description: 'Settings of the whole fleet. There is at most one.',
  spec,
});

/** Settings of the whole fleet. */
export type FleetSettings = ResourceOf<'Fleet', z.output<typeof spec>>;
