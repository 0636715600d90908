/**
 * The proxy before an engine that decodes: it sends the prompt to the engine for prefill that the endpoint picker
 * chose, then the request to its own engine. Its flags have changed names between versions, so they are pinned here
 * together with its image. Facts: github.com/llm-d/llm-d-inference-scheduler, `cmd/pd-sidecar`, v0.9.0.
 */
export const ROUTING_SIDECAR = {
  name: 'routing-sidecar',
  image: 'ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.9.0',

  /** Where it listens: the port on which engines for prefill serve. */
  port: 8000,

  /** Where the engine behind it listens, unless the user says otherwise. */
  enginePort: 8001,

  /** Its arguments. Pods of a deployment speak plain HTTP among themselves. */
  args: (connector: string, enginePort: number): readonly string[] => [
    `--port=${ROUTING_SIDECAR.port}`,
    `--vllm-port=${enginePort}`,
    `--kv-connector=${connector}`,
    '--secure-proxy=false',
  ],

  /** It copies bytes: what a busy engine needs of it, without a limit. */
  requests: { cpu: '500m', memory: '256Mi' },
} as const;
