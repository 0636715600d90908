import { execFileSync } from 'node:child_process';
import { Workspace } from '../cli';
import { type KeptFiles, keepFiles, writeKept } from '../kept-files';

const API = 'apiVersion: fleetwright.dev/v1alpha1';

/** What the whole fleet shares: a class, two clusters, and a gateway on one of them. */
export const SHARED = `${API}
kind: Fleet
metadata: { name: main }
spec: {}
---
${API}
kind: InferenceClass
metadata: { name: h100 }
spec:
  devices:
    - name: gpu
      driver: gpu.nvidia.com
      deviceClassName: gpu.nvidia.com
      count: 8
      attributes: { architecture: { string: Hopper } }
      capacity: { memory: { value: 81559Mi } }
---
${['us', 'eu']
  .map(
    (name) => `${API}
kind: InferenceCluster
metadata: { name: ${name} }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: ${name} } } }
  namespaces: Managed
  storage: { sharedFilesystem: { storageClassName: nfs } }
  nodePools: [{ name: h100, className: h100, nodeCount: 2 }]
  gateway:
    hostname: ${name}.example.com
    tls: { issuer: { name: fleet }, caRef: { name: fleet-ca } }
`,
  )
  .join('---\n')}---
${API}
kind: InferenceGateway
metadata: { name: public }
spec: { clusters: [us], hostname: models.example.com, tls: { issuer: { name: fleet } }, auth: None }
`;

/** A deployment of two GPUs a replica, which are in `selector` and come with `template`. */
export function deployment(
  id: string,
  { replicas = 1, template = '', count = '2', cel = 'true', args = '' } = {},
): string {
  const [namespace = '', name = ''] = id.split('/');
  return `${API}
kind: ModelDeployment
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: ${replicas}
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      ${template}
      engines:
        - name: main
          members:
            - nodeSelector: { devices: [{ name: gpu, count: ${count}, selectors: [{ cel: '${cel}' }] }] }
              template:
                spec:
                  containers:
                    - { name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B, -tp=2${args}] }
`;
}

export function cache(id: string, spec = 'sizeGiB: 40'): string {
  const [namespace = '', name = ''] = id.split('/');
  return `${API}
kind: ModelCache
metadata: { name: ${name}, namespace: ${namespace} }
spec: { source: HuggingFace, huggingFace: { repo: Qwen/Qwen3-8B }, ${spec} }
`;
}

export function service(id: string, app: string): string {
  const [namespace = '', name = ''] = id.split('/');
  return `${API}
kind: ModelService
metadata: { name: ${name}, namespace: ${namespace} }
spec: { endpoints: [{ selector: { matchLabels: { app: ${app} } } }] }
`;
}

/** Two teams, each with a deployment and its service. Team `a` has a cache too. */
export const TEAMS = {
  'fleet/shared.yaml': SHARED,
  'fleet/a.yaml': deployment('a/q', { template: 'modelCacheRef: { name: model }' }),
  'fleet/a-cache.yaml': cache('a/model'),
  'fleet/a-service.yaml': service('a/chat', 'q'),
  'fleet/b.yaml': deployment('b/r'),
  'fleet/b-service.yaml': service('b/chat', 'r'),
};

const LOCKED = new Map<boolean, KeptFiles>();

/** The two teams, locked and written, and optionally committed. They are made once, and copied. */
export function lockedTeams(inGit: boolean): Workspace {
  const space = new Workspace();
  const kept = LOCKED.get(inGit);
  if (kept) writeKept(space, kept);
  else LOCKED.set(inGit, keepFiles(makeLockedTeams(space, inGit)));
  return space;
}

function makeLockedTeams(space: Workspace, inGit: boolean): Workspace {
  space.write(TEAMS);
  for (const command of ['lock ./fleet', 'synth ./fleet --out ./out']) {
    const { code, err } = space.run(command);
    if (code !== 0) throw new Error(`${command}: ${err}`);
  }
  if (inGit) commit(space);
  return space;
}

export function commit(space: Workspace): void {
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: space.root, stdio: 'pipe' });
  git('init', '-q', '--template=');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'x');
}

/** The block of a deployment in a lock. */
export function blockOf(lock: string, id: string): string {
  return lock.split('\n\n').find((block) => block.startsWith(`  ${id}:`)) ?? '';
}
