/** A good document of each kind of routing that uses every field. */
export const ROUTING_TEXTS = {
  InferenceGateway: `
metadata: { name: default }
spec:
  clusters: [us-east]
  hostname: models.example.com
  dns: { zone: example.com, provider: CloudDNS, id: example-com }
  public: true
  tls: { issuer: { name: public, kind: ClusterIssuer } }
  auth:
    enabled: true
    apiKeys: [{ name: alice, secretRef: { name: keys } }, { name: bob, secretRef: { name: keys } }]
  rateLimits: [{ requests: 600, per: Minute, by: Key }, { requests: 50, per: Second, by: Service }]
  maxRequestBody: 64Mi
  timeouts: { request: 1h, idle: 30m, connect: 3s }
  backend: Traefik
  traefik: { version: 40.2.0, loadBalancer: MetalLB, metallb: { addressPool: 172.18.255.200-172.18.255.250 } }
`,
  ModelService: `
metadata: { name: chat, namespace: ml }
spec:
  endpoints:
    - { weight: 80, tier: 0, selector: { matchLabels: { modelplane.ai/cluster: us-east } } }
    - { weight: 20, tier: 1, selector: { matchLabels: { provider: saas } }, match: { headers: { x-canary: "1" } } }
  picker: ConsistentHash
  sessionAffinity: { header: x-session }
  auth:
    enabled: true
    jwt:
      issuer: https://accounts.example.com
      audiences: [models]
      jwksUri: https://accounts.example.com/keys
      clientClaim: email
  rateLimits: [{ requests: 10 }]
  timeouts: { idle: 2h }
  servedModelName: qwen3
  failureDomains: { min: 2 }
  webSocket: true
  externalEndpoints: Allowed
`,
  ModelEndpoint: `
metadata: { name: saas, namespace: ml, labels: { provider: saas } }
spec:
  provider: OpenAI
  url: https://api.example.com/v1
  private: true
  rewritePath: /
  models: [qwen3]
  credential: { secretRef: { name: openai }, header: x-key, scheme: Token }
  tls: { caRef: { name: house-ca } }
  model: { as: gpt-4o-mini }
  timeouts: { request: 10m }
`,
  Grant: `
metadata: { name: web, namespace: ml }
spec:
  from: [{ namespace: web }]
  to: [{ kind: ModelDeployment, matchLabels: { model: qwen3 } }, { kind: ModelEndpoint }]
`,
} as const;
