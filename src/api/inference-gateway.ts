import { z } from 'zod';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import { BOTH_GROUPS, type Group, type Path, type ResourceOf } from './resource';
import { auth } from './routing/auth';
import { IN_GATEWAY, IN_TLS } from './kubernetes-spellings';
import { certificateRef, dns, issuer, nameInZone } from './routing/dns-and-tls';
import { bodySize, rateLimits, timeouts } from './routing/traffic-policy';
import { fields, withDefault } from './schema/fields';
import { defineKind } from './schema/kind';
import { checkDistinct } from './schema/list';
import { describeMissingField, requireChosenBlock, requireExactlyOne, rules } from './schema/rules';
import { hostName, nonEmptyText, referencedName } from './schema/string-formats';

const traefik = fields({
  version: nonEmptyText(63).describe('The version of the chart.'),
  loadBalancer: z.enum(['MetalLB']).optional().describe('The load balancer that gives the gateway its address.'),
  metallb: fields({
    addressPool: nonEmptyText(253).describe('The addresses to assign: 172.18.255.200-172.18.255.250.'),
  })
    .optional()
    .describe('For load balancer MetalLB.'),
}).check(rules(requireChosenBlock('gateway', 'loadBalancer', { MetalLB: 'metallb' })));

/** The fields of a gateway that modelplane.ai does not have, and that a Fleet may add. */
const address = {
  clusters: z
    .array(referencedName)
    .max(64)
    .check(checkDistinct((name: string) => name, 'the cluster'))
    .default([])
    .describe('The clusters that run the gateway.'),
  hostname: hostName
    .optional()
    .describe('The host name of the gateway: models.example.com. Default: - its Service within the cluster.'),
  dns: dns.optional().describe('The zone that the record of hostname belongs to. Default: unknown.'),
  public: z
    .literal([false, true, 'insecure'])
    .default(false)
    .meta({ type: ['boolean', 'string'] })
    .describe(
      'Whether it is reachable from the internet. true requires tls, and auth here or in each service; insecure does not. Default: false.',
    ),
  tls: fields(
    {
      certificateRef: certificateRef.optional().describe('The certificate of its host name.'),
      issuer: issuer.optional().describe('A cert-manager issuer that makes it.'),
    },
    IN_TLS,
  )
    .check(rules(requireExactlyOne('the certificate', ['certificateRef', 'issuer'])))
    .optional()
    .describe('The certificate of the gateway. Default: - none, and HTTP without TLS.'),
  auth: auth.optional().describe('The clients that may send requests. None: all clients. Default: None.'),
};

const spec = fields(
  {
    ...address,
    rateLimits: rateLimits
      .default([])
      .describe(
        'The rate limit. Each proxy counts alone, and a gateway has two on each of its clusters. Default: no limit.',
      ),
    maxRequestBody: withDefault(bodySize, '32Mi', 'The largest request.'),
    timeouts: timeouts.prefault({}).describe('Timeouts of requests.'),
    backend: z
      .enum(['Traefik'])
      .optional()
      .describe('Accepted but ignored: Envoy Gateway serves. Required by modelplane.ai.'),
    traefik: traefik.optional().describe('Accepted but ignored.'),
  },
  IN_GATEWAY,
).check(rules(requireChosenBlock('gateway', 'backend', { Traefik: 'traefik' })));

type Spec = z.output<typeof spec>;

type Secured = Pick<Spec, 'public' | 'hostname' | 'tls'>;

/** Whether keys and requests are encrypted. That services of a public gateway check clients is a rule of routing. */
function* isSecured({ public: isPublic, hostname, tls }: Secured): Iterable<Diagnostic<Path>> {
  if (tls !== undefined && hostname === undefined) {
    yield describeMissingField(['hostname'], 'A certificate needs a host name');
  }
  if (isPublic !== true || tls !== undefined) return;
  yield errorAt(
    'insecure-gateway',
    ['public'],
    'a public gateway without tls receives keys and requests without encryption',
    "Set 'tls', or set 'public: insecure' to allow that",
  );
}

/** The schema of what the fleet adds to a gateway that is declared without it. */
export const addedGateway = fields({
  name: referencedName.describe('The name of the InferenceGateway.'),
  ...address,
}).check(rules(isSecured), rules(nameInZone));

function* backendUnderAlias({ backend }: Spec, group: Group): Iterable<Diagnostic<Path>> {
  if (group === 'modelplane.ai' && backend === undefined) {
    yield describeMissingField(['backend'], 'Set it to Traefik, or declare the gateway under fleetwright.dev/v1alpha1');
  }
}

export const inferenceGateway = defineKind({
  kind: 'InferenceGateway',
  scope: 'Cluster',
  groups: BOTH_GROUPS,
  description: 'The address at which users reach the services of the fleet.',
  spec: spec.check(rules(isSecured), rules(nameInZone)),
  check: backendUnderAlias,
});

/** The address at which users reach the services of the fleet. */
export type InferenceGateway = ResourceOf<'InferenceGateway', Spec>;

export type InferenceGatewayInput = z.input<typeof spec>;
