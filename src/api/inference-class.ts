import { z } from 'zod';
import { devices } from './device';
import { provisioning } from './provisioning';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { BOTH_GROUPS, type ResourceOf } from './resource';

const spec = fields({
  description: z.string().optional().describe('For people.'),
  provisioning: provisioning
    .optional()
    .describe('How to make a node of this class. None: nodes exist already.'),
  devices,
});

/** The hardware of one node: its devices as their driver publishes them, and how a cloud makes it. */
export const inferenceClass = defineKind({
  kind: 'InferenceClass',
  scope: 'Cluster',
  groups: BOTH_GROUPS,
  description:
    'The hardware of one node: its devices as their driver publishes them, and how a cloud makes it.',
  spec,
});

/** The hardware of one node. */
export type InferenceClass = ResourceOf<'InferenceClass', z.output<typeof spec>>;
