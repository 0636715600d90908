/**
 * The proxy in front of a decode engine. It sends the prompt to the prefill engine that the endpoint picker chose, and
 * then the request to its local engine. Its flags change between versions, so they are pinned together with the image.
 * Facts: github.com/llm-d/llm-d-inference-scheduler, `cmd/pd-sidecar`, v0.9.0.
 */
export const ROUTING_SIDECAR = {
  name: 'routing-sidecar',
  image: 'ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.9.0',

  /** The port that it listens on, which is also the port of prefill engines. */
  port: 8000,

  /** The default port of the engine behind it. */
  enginePort: 8001,

  /** Its arguments. Pods of a deployment use plain HTTP between each other. */
  args: (connector: string, enginePort: number): readonly string[] => [
    `--port=${ROUTING_SIDECAR.port}`,
    `--vllm-port=${enginePort}`,
    `--kv-connector=${connector}`,
    '--secure-proxy=false',
  ],

  /** It only copies bytes. The requests cover a busy engine, and there is no limit. */
  requests: { cpu: '500m', memory: '256Mi' },
} as const;
