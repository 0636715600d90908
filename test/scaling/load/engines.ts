import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The requests that wait for a deployment whose load is not set: more than any number of copies bears. */
const OTHERS = 1_000_000;

/** Engines of vLLM, each with its metrics at a path of its own. Requests that wait are divided among the copies. */
export class Engines {
  readonly #server: Server;
  readonly #waiting = new Map<string, number>();
  #copies: ReadonlyMap<string, readonly string[]> = new Map();

  /** Whether they answer Prometheus. */
  reachable = true;

  constructor() {
    this.#server = createServer((request, response) => {
      const [, deployment = '', pod = ''] = (request.url ?? '').split('/');
      const copies = this.#copies.get(deployment);
      response.writeHead(this.reachable && copies?.includes(pod) ? 200 : 503, { 'content-type': 'text/plain' });
      response.end(metricsOf((this.#waiting.get(deployment) ?? OTHERS) / (copies?.length || 1)));
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  /** Sets the requests that wait for a deployment. */
  load(deployment: string, waiting: number): void {
    this.#waiting.set(deployment, waiting);
  }

  /** Sets the pods of each deployment that serve. */
  serve(pods: ReadonlyMap<string, readonly string[]>): void {
    this.#copies = pods;
  }
}

function metricsOf(waiting: number): string {
  const series = {
    'vllm:num_requests_waiting': waiting,
    'vllm:num_requests_running': 1,
    'vllm:kv_cache_usage_perc': 0,
  };
  return Object.entries(series)
    .map(([name, value]) => `# TYPE ${name} gauge\n${name}{model_name="Qwen/Qwen3-8B"} ${value}\n`)
    .join('');
}
