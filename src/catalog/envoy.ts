/**
 * Envoy as a proxy of its own, without a gateway controller: the version that Envoy Gateway runs. Facts:
 * github.com/envoyproxy/envoy, distribution/docker, v1.39.1.
 */
export const ENVOY = {
  name: 'envoy',
  image: 'docker.io/envoyproxy/envoy:distroless-v1.39.1',

  /** The user of its image. */
  user: 65_532,
  configFolder: '/etc/envoy-config',
  configFile: 'envoy.yaml',

  /** It only copies bytes. The requests cover a busy engine. */
  resources: { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '1Gi' } },
} as const;
