import type { InferenceGateway } from '../api/inference-gateway';
import type { ModelService } from '../api/model-service';
import type { DeclaredAuth } from '../api/routing/auth';
import type { DeclaredTimeouts } from '../api/routing/traffic-policy';
import { parseDuration } from '../base/duration';
import { frontNameOf, SYSTEM_NAMESPACE } from '../manifest/kubernetes/object-names';
import { clusterHostOf } from './addresses';
import type { PlacedGateway } from './placed-gateways';
import type { ServiceListener } from './routing';
import type { Auth, RateLimit, Timeouts } from './traffic-types';

/** Returns a service on one front. The gateway provides the defaults for the settings of the service. */
export function listenerOf(service: ModelService, { gateway, cluster }: PlacedGateway): ServiceListener {
  const { namespace = '', name } = service.metadata;
  const auth =
    service.spec.auth === undefined
      ? authOf(gateway.spec.auth, SYSTEM_NAMESPACE)
      : authOf(service.spec.auth, namespace);
  return {
    gateway: gateway.metadata.name,
    cluster: cluster.metadata.name,
    url: `${gateway.spec.tls ? 'https' : 'http'}://${gatewayAddressOf(gateway)}/${namespace}/${name}/`,
    auth,
    rateLimits: limitsOf(service.spec.rateLimits ?? gateway.spec.rateLimits, auth),
    timeouts: resolveTimeouts(service.spec.timeouts, gateway.spec.timeouts),
  };
}

/** Returns the host of a gateway for clients: its host name, or the host of its Service within the cluster. */
export function gatewayAddressOf({ metadata, spec }: InferenceGateway): string {
  return spec.hostname ?? clusterHostOf(frontNameOf(metadata.name));
}

function authOf(declared: DeclaredAuth | undefined, namespace: string): Auth {
  if (!declared?.enabled) return { kind: 'None' };
  if (declared.jwt) return { kind: 'Jwt', ...declared.jwt };
  const keys = declared.apiKeys.map(({ name, secretRef }) => {
    return { name, secret: { namespace, name: secretRef.name, key: name } };
  });
  return { kind: 'ApiKeys', keys };
}

/** Without authentication, clients cannot be distinguished and share their limits. */
function limitsOf(limits: readonly RateLimit[], { kind }: Auth): RateLimit[] {
  return limits.map((limit) => (kind === 'None' ? { ...limit, by: 'Service' } : limit));
}

const DEFAULT_IDLE_SECONDS = 3600;
const DEFAULT_CONNECT_SECONDS = 5;

/** Resolves timeouts in seconds. For each field, the first declaration with a value takes precedence. */
export function resolveTimeouts(...declared: readonly DeclaredTimeouts[]): Timeouts {
  const first = (field: keyof DeclaredTimeouts): number | undefined => {
    const value = declared.find((timeouts) => timeouts[field] !== undefined)?.[field];
    return value === undefined ? undefined : parseDuration(value);
  };
  const request = first('request');
  return {
    ...(request !== undefined && { request }),
    idle: first('idle') ?? DEFAULT_IDLE_SECONDS,
    connect: first('connect') ?? DEFAULT_CONNECT_SECONDS,
  };
}
