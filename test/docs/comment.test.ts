import { readFileSync } from 'node:fs';
import { Workspace } from '../cli/cli';

const API = 'apiVersion: fleetwright.dev/v1alpha1';

const CLASS = `${API}
kind: InferenceClass
metadata: { name: h100 }
spec:
  devices: [{ name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 8 }]
  price: { perHour: 88.49 }
`;

const SERVICE = `${API}
kind: InferenceGateway
metadata: { name: public }
spec:
  hostname: models.example.com
  clusters: [us]
  auth: { enabled: false }
  tls: { issuer: { name: letsencrypt } }
---
${API}
kind: ModelService
metadata: { name: coder, namespace: ml }
spec: { endpoints: [{ selector: { matchLabels: { fleetwright.dev/deployment: coder } } }] }
`;

function cluster(name: string): string {
  return `${API}
kind: InferenceCluster
metadata: { name: ${name}, labels: { site: ${name} } }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: ${name} } } }
  nodePools: [{ name: h100, className: h100, nodeCount: 1 }]
  gateway: { hostname: ${name}.example.com, tls: { issuer: { name: fleet }, caRef: { name: fleet-ca } } }
`;
}

/** A replica of an engine with some GPUs of a node, on any cluster or on one. */
function deployment(id: string, gpus: number, site?: string): string {
  const [namespace, name] = id.split('/');
  const selector = site === undefined ? '' : `\n      clusterSelector: { matchLabels: { site: ${site} } }`;
  return `${API}
kind: ModelDeployment
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: 1
  template:
    spec:${selector}
      engines:
        - name: vllm
          members:
            - nodeSelector: { devices: [{ name: gpu, count: ${gpus}, where: { driver: gpu.nvidia.com } }] }
              template:
                spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [house/${name}, -tp=${gpus}] }] }
`;
}

/** `site`: where all but one deployment have to be. */
function fleet(gpusOfCoder: number, site?: string): string {
  const deployments = [
    deployment('ml/other', 4, 'us'),
    deployment('ml/coder', gpusOfCoder, site),
    deployment('ml/qwen3-8b', 1, site),
    deployment('search/bge-m3', 1, site),
  ];
  return [CLASS, cluster('dc'), cluster('us'), ...deployments, SERVICE].join('---\n');
}

const work = new Workspace();
afterAll(() => work.remove());

test('the problem on docs/pull-requests.md is the one of a deployment that needs a whole node', () => {
  const page = readFileSync('docs/pull-requests.md', 'utf8');
  const shown = page.split('\n').filter((line) => /^ {4}(- :x:| {2}(Why: |Do one|- ))/.test(line));
  work.write({ 'old/fleet.yaml': fleet(4, 'dc') }).run('lock ./old');
  work.write({ 'old/fleet.yaml': fleet(4), 'new/fleet.yaml': fleet(8) });
  work.write({ 'new/fleet.lock.yaml': work.read('old/fleet.lock.yaml') });
  const comment = work.run('plan ./new --against ./old --markdown --gate').out.replaceAll(/\\([()])/g, '$1');
  expect(comment).toContain(shown.map((line) => line.slice(4)).join('\n'));
  expect(shown).toHaveLength(5);
});
