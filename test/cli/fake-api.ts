import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { groupBy } from '../../src/base/order';
import { node, slice } from '../snapshot/build';

/** What a server answers to a path without its query: a body, a status with a message, or nothing at all. */
export type Answers = Readonly<Record<string, object | number | 'nothing'>>;

/** What it was asked. */
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a proxy, a login page or a captive portal answers in place of an API server. */
export class Page {
  constructor(
    readonly status: number,
    readonly text = '<html>Log in</html>',
  ) {}
}

/** An answer as it is sent. */
function rendered(path: string, answer: object | number, method: string | undefined): Page {
  if (answer instanceof Page) return answer;
  if (typeof answer === 'number') return new Page(answer, JSON.stringify(refusal(answer)));
  return new Page(method === 'POST' ? 201 : 200, JSON.stringify(typed(path, answer)));
}

function refusal(code: number): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `the server says ${code}`, code };
}

/** The kinds of the objects at the paths of core and well-known APIs. */
const KINDS: Readonly<Record<string, string>> = {
  clusterqueues: 'ClusterQueue',
  configmaps: 'ConfigMap',
  deployments: 'Deployment',
  deviceclasses: 'DeviceClass',
  events: 'Event',
  jobs: 'Job',
  leaderworkersets: 'LeaderWorkerSet',
  localqueues: 'LocalQueue',
  nodes: 'Node',
  persistentvolumeclaims: 'PersistentVolumeClaim',
  pods: 'Pod',
  resourceclaims: 'ResourceClaim',
  resourceclaimtemplates: 'ResourceClaimTemplate',
  resourceslices: 'ResourceSlice',
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  storageclasses: 'StorageClass',
  workloads: 'Workload',
};

/** An answer with the type that an API server gives it, unless the answer has one. */
export function typed(path: string, answer: object): object {
  const [, version = ''] = /^\/apis?\/(v1|[^/]+\/[^/]+)/.exec(path) ?? [];
  const kind = KINDS[path.slice(path.lastIndexOf('/') + 1)] ?? '';
  if ('resources' in answer) return { kind: 'APIResourceList', groupVersion: version, ...answer };
  if ('items' in answer) return { kind: `${kind}List`, apiVersion: version, ...answer };
  return kind === '' ? answer : { kind, apiVersion: version, ...answer };
}

/** An API server that knows what a test tells it. */
export class FakeApi {
  readonly asked: Asked[] = [];

  /** What is answered to a path with its query and a body, instead of what it was started with. */
  answer?: (path: string, body: string) => object | number | undefined;

  /** Headers of every answer, such as when to ask again. */
  headers: Record<string, string> = {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answers: Answers): Promise<FakeApi> {
    const server = createServer((request, response) => void api.#answer(request, response, answers));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const api = new FakeApi(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return api;
  }

  async #answer(request: IncomingMessage, response: ServerResponse, answers: Answers): Promise<void> {
    let body = '';
    for await (const part of request) body += String(part);
    const [path = ''] = request.url?.split('?') ?? [];
    this.asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    const answer = this.answer?.(request.url ?? '', body) ?? answers[path] ?? 404;
    if (answer === 'nothing') return;
    const { status, text } = rendered(path, answer, request.method);
    response.writeHead(status, { 'content-type': 'application/json', ...this.headers });
    response.end(text);
  }

  /** A kubeconfig with one context. */
  kubeconfig(user: object, context = 'us'): string {
    return JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: this.url } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: context, context: { cluster: 'c', user: 'u' } }],
      'current-context': context,
    });
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** What a cluster answers that has all that `SMALL` declares. */
export const GOOD: Answers = {
  '/version': { gitVersion: 'v1.36.0' },
  '/api/v1/nodes': { items: ['n0', 'n1'].map((name) => node(name)) },
  '/api/v1/pods': { items: [] },
  '/api/v1/namespaces/fleetwright-system/configmaps': { items: [] },
  '/apis/resource.k8s.io/v1/resourceslices': { items: [slice('n0'), slice('n1')] },
  '/apis/resource.k8s.io/v1/deviceclasses': { items: [{ metadata: { name: 'gpu.nvidia.com' } }] },
  '/apis/storage.k8s.io/v1/storageclasses': { items: [] },
  '/apis/resource.k8s.io/v1': {
    resources: ['DeviceClass', 'ResourceClaimTemplate', 'ResourceSlice'].map((kind) => ({
      name: kind.toLowerCase(),
      kind,
    })),
  },
  '/apis/leaderworkerset.x-k8s.io/v1': { resources: [{ name: 'leaderworkersets', kind: 'LeaderWorkerSet' }] },
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': { status: { allowed: true } },
};

/** An object that a cluster has. */
export interface Served {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function plural(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

function root(version: string): string {
  return `${version.includes('/') ? '/apis' : '/api'}/${version}`;
}

/** What an API server answers that has some objects: their kinds, and lists of them by namespace and of all namespaces. */
export function serving(objects: readonly Served[]): Answers {
  const kinds = groupBy(objects, ({ apiVersion }) => apiVersion);
  const whole = groupBy(objects, ({ apiVersion, kind }) => `${root(apiVersion)}/${plural(kind)}`);
  const lists = groupBy(objects, ({ apiVersion, kind, metadata: { namespace } }) =>
    [root(apiVersion), ...(namespace ? ['namespaces', namespace] : []), plural(kind)].join('/'),
  );
  return {
    ...Object.fromEntries(
      [...kinds].map(([version, own]) => [
        root(version),
        {
          resources: [...new Set(own.map(({ kind }) => kind))].map((kind) => ({ kind, name: plural(kind) })),
        },
      ]),
    ),
    ...Object.fromEntries(
      [...whole, ...lists].map(([path, items]) => [path, { kind: `${items[0]?.kind}List`, items }]),
    ),
  };
}
