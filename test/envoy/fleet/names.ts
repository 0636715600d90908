/** The clusters of the declarations. */
export const EAST = 'us-east';
export const WEST = 'us-west';

/** The names under which the gateways of clusters are known to callers. */
export const FRONT_HOST = 'models.example.test';
export const EGRESS_HOST = 'fleetwright-egress.fleetwright-system.svc.cluster.local';
export const EDGE_HOST = (cluster: string): string => `edge.${cluster}.example.test`;

/** What the user of the services shows, and what providers ask for. */
export const USER_KEY = 'key-of-alice';
export const PROVIDERS = {
  'api.openai.com': { secretName: 'openai-key', credential: 'Bearer sk-openai', model: 'gpt-4o-mini' },
  'api.together.xyz': {
    secretName: 'together-key',
    credential: 'Bearer sk-together',
    model: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
  },
} as const;

/** Who issues tokens, and where its key is. */
export const ISSUER_HOST = 'accounts.example.test';
export const ISSUER = `https://${ISSUER_HOST}`;

/**
 * Longer than it takes until all gateways know what an engine says of itself, in milliseconds: the fleet declares two
 * checks of a second, at the edge and at the front, and what they find reaches the workers of Envoy once a second.
 */
export const SEEN = 7000;

/** The authority that everyone trusts: it signs for providers, and for the front. */
export const PUBLIC_AUTHORITY = 'public-ca';

/** The authority by which the gateways of the fleet know each other. */
export const FLEET_AUTHORITY = 'fleet-ca';
