import { z } from 'zod';
import { missingField } from './reading/common-findings';
import { fields } from './reading/fields';
import { defineKind } from './reading/kind';
import { rules } from './reading/rule';
import { BOTH_GROUPS, type Finding, type Group, type ResourceOf } from './resource';
import { chosenBlock } from './shared/chosen-block';
import { distinct } from './shared/list';
import { objectName, text } from './shared/names';

const traefik = fields({
  version: text(63).describe('The version of the chart.'),
  loadBalancer: z.enum(['MetalLB']).optional().describe('What gives the gateway its address.'),
  metallb: fields({
    addressPool: text(253).describe('Addresses to give out: 172.18.255.200-172.18.255.250.'),
  })
    .optional()
    .describe('For load balancer MetalLB.'),
}).check(rules(chosenBlock('gateway', 'loadBalancer', { MetalLB: 'metallb' })));

const spec = fields({
  clusters: z
    .array(objectName)
    .max(64)
    .check(distinct((name: string) => name, 'the cluster'))
    .default([])
    .describe('The clusters that the front door stands on.'),
  backend: z
    .enum(['Traefik'])
    .optional()
    .describe('Read and not used: Envoy Gateway serves. Required by modelplane.ai.'),
  traefik: traefik.optional().describe('Read and not used.'),
}).check(rules(chosenBlock('gateway', 'backend', { Traefik: 'traefik' })));

type Spec = z.output<typeof spec>;

function* backendUnderAlias({ backend }: Spec, group: Group): Iterable<Finding> {
  if (group === 'modelplane.ai' && backend === undefined) {
    yield missingField(['backend'], 'Use Traefik, or declare the gateway under fleetwright.dev/v1alpha1');
  }
}

/** The address at which users reach the services of the fleet. */
export const inferenceGateway = defineKind({
  kind: 'InferenceGateway',
  scope: 'Cluster',
  groups: BOTH_GROUPS,
  description: 'The address at which users reach the services of the fleet.',
  spec,
  check: backendUnderAlias,
});

/** The address at which users reach the services of the fleet. */
export type InferenceGateway = ResourceOf<'InferenceGateway', Spec>;

/** The spec of a InferenceGateway as it is written: what has a default may be left out. */
export type InferenceGatewayInput = z.input<typeof spec>;
