import { sortedBy } from '../../order';
import type { Auth } from '../../routing/policy';
import { CLIENT_HEADER } from '../../routing/routing';
import type { JsonObject, Manifest } from '../manifest';
import { routeName } from '../names';
import type { AtFront } from './front-route';
import { API, toRoute } from './kinds';
import { routeMeta } from './meta';

/** Where clients of OpenAI and of Anthropic send their key. A client that sends both is judged by the first. */
const KEY_HEADERS = ['authorization', 'x-api-key'];

/**
 * Who may send requests to a service at a front. Nothing where everybody may.
 *
 * @param routes the names of all its routes there
 */
export function frontSecurity({ service, door, place }: AtFront, routes: readonly string[]): Manifest[] {
  if (door.auth.kind === 'None') return [];
  return [
    {
      apiVersion: API.envoy,
      kind: 'SecurityPolicy',
      metadata: routeMeta(service, place, routeName(service, door.gateway)),
      spec: { targetRefs: routes.map((route) => toRoute(route)), ...ways(door.auth, service.namespace) },
    },
  ];
}

function ways(auth: Exclude<Auth, { kind: 'None' }>, namespace: string): JsonObject {
  if (auth.kind === 'Jwt') return { jwt: { providers: [provider(auth)] } };
  const secrets = new Map(auth.keys.map(({ secret }) => [`${secret.namespace}/${secret.name}`, secret]));
  return {
    apiKeyAuth: {
      credentialRefs: sortedBy(secrets, ([id]) => id).map(([, secret]) => ({
        group: '',
        kind: 'Secret',
        name: secret.name,
        ...(secret.namespace !== namespace && { namespace: secret.namespace }),
      })),
      extractFrom: [{ headers: KEY_HEADERS }],
      forwardClientIDHeader: CLIENT_HEADER,
      // Nobody behind the front sees the key.
      sanitize: true,
    },
  };
}

function provider(auth: Extract<Auth, { kind: 'Jwt' }>): JsonObject {
  const { issuer, audiences, jwksUri, clientClaim } = auth;
  return {
    name: 'issuer',
    issuer,
    ...(audiences.length > 0 && { audiences }),
    remoteJWKS: { uri: jwksUri },
    claimToHeaders: [{ claim: clientClaim, header: CLIENT_HEADER }],
  };
}
