import { chmodSync } from 'node:fs';
import { FILES } from '../../peer/set';
import { Workspace } from '../cli';

const OLD = `# first
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment   # the kind
metadata: { name: old, namespace: ml-team }
spec:
  # how many
  replicas: 1   # one
  # what GPUs
  nodeSelector:
    devices:
    - name: gpu   # the GPU
      count: 1
      # any of this class
      deviceClassName: gpu.nvidia.com
  template:
    spec:
      engines:
      - name: main
        members:
        - template: { spec: { containers: [{ name: engine, image: "vllm/vllm-openai:v0.23.0", args: [m] }] } } # end
# the next
---
apiVersion: fleetwright.dev/v1alpha1
kind:   Grant   # left as it is
metadata: { name: all, namespace: ml-team }
spec: {  from: [{ namespace: research }], to: [{ kind: ModelEndpoint }]  }
`;

const NEW = `# first
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment   # the kind
metadata: { name: old, namespace: ml-team }
spec:
  # how many
  # what GPUs
  # the GPU
  # any of this class
  replicas: 1 # one
  template:
    spec:
      engines:
      - name: main
        members:
        - nodeSelector:
            devices:
            - name: gpu
              count: 1
              selectors:
              - cel: device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"
          template: { spec: { containers: [ { name: engine, image: "vllm/vllm-openai:v0.23.0", args: [ m ] } ] } } # end
# the next
`;

const OWN = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet   # ours
metadata: { name: main }
spec:
  # for all
  defaults:
    labels: { team: ml } # team
`;

const MIGRATE = 'migrate --from modelplane ./fleet';

let work: Workspace;
beforeEach(() => {
  work = new Workspace().write(FILES);
});
afterEach(() => work.remove());

interface PlanDocument {
  services: { name: string }[];
  warnings: { code: string }[];
  missingRoutes?: { services: string[]; lines: string; fleet?: string };
}

function planned(): PlanDocument {
  return JSON.parse(work.run('plan ./fleet --json').out) as PlanDocument;
}

const routed = (): string[] => planned().services.map(({ name }) => name);

describe('migrate --from modelplane', () => {
  test('writes one file that gives every service routes, with names as given', () => {
    const { code, out } = work.run(`${MIGRATE} --domain ml.example.com --issuer ours --authority our-ca`);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('Wrote fleet/fleetwright.yaml: routes of 3 services.\n') as string,
    });
    expect(routed()).toEqual(['chat', 'glm-air', 'qwen-72b']);
    expect(planned()).not.toHaveProperty('missingRoutes');
    expect(planned().warnings.map(({ code }) => code)).not.toContain('placeholder-host');
    const text = work.read('fleet/fleetwright.yaml');
    expect(text).toContain('hostname: edge.eks-us-east.ml.example.com');
    expect(text).toMatch(/issuer:\n +name: ours\n +caRef:\n +name: our-ca\n/);
  });

  test('changes no file that modelplane.ai reads, where only routes are missing', () => {
    const before = work.files();
    work.run(MIGRATE);
    const { 'fleet/fleetwright.yaml': _, ...after } = work.files();
    expect(after).toEqual(before);
  });

  test('changes nothing when it runs again', () => {
    work.write({ 'fleet/old.yaml': OLD });
    work.run(MIGRATE);
    const before = work.files();
    expect(work.run(MIGRATE)).toEqual({ code: 0, out: 'Nothing to migrate in fleet.\n', err: '' });
    expect(work.files()).toEqual(before);
  });

  test('writes nothing with --check, and exits with 2 while there is something to write', () => {
    const before = work.files();
    expect(work.run(`${MIGRATE} --check`)).toMatchObject({
      code: 2,
      out: expect.stringContaining('To write fleet/fleetwright.yaml') as string,
    });
    expect(work.files()).toEqual(before);
    work.run(MIGRATE);
    expect(work.run(`${MIGRATE} --check`).code).toBe(0);
  });

  test('converts older device requests, with their comments and all else that is in the file', () => {
    work.write({ 'fleet/old.yaml': OLD });
    expect(planned().warnings.filter(({ code }) => code === 'older-spelling')).toHaveLength(1);
    work.run(MIGRATE);
    expect(work.read('fleet/old.yaml')).toBe(NEW + OLD.slice(OLD.indexOf('---')));
    expect(planned().warnings.filter(({ code }) => code === 'older-spelling')).toEqual([]);
  });

  test('adds to the Fleet that is declared, with its comments', () => {
    work.write({ 'fleet/own.yaml': OWN });
    expect(planned().missingRoutes?.fleet).toBe('main');
    work.run(MIGRATE);
    expect(work.files()).not.toHaveProperty(['fleet/fleetwright.yaml']);
    expect(work.read('fleet/own.yaml').slice(0, OWN.length)).toBe(OWN);
    expect(routed()).toEqual(['chat', 'glm-air', 'qwen-72b']);
  });

  test('adds what a new cluster needs to what it wrote before, and keeps what the user wrote there', () => {
    work.run(`${MIGRATE} --domain ml.example.com`);
    // Replicas without a lock go to clusters that the gateway reaches.
    expect(work.run('lock ./fleet').code).toBe(0);
    const file = 'fleet/fleetwright.yaml';
    const [gone = ''] = /^ {6}- name: eks-us-east\n( {8}.*\n)+/m.exec(work.read(file)) ?? [];
    const edited = work.read(file).replace(gone, '').replace('name: aks-us-east\n', 'name: aks-us-east # the front\n');
    work.write({ [file]: edited });
    expect(routed()).not.toContain('chat');
    work.run(MIGRATE);
    expect(work.read(file)).toContain('name: aks-us-east # the front\n');
    expect(work.read(file)).toContain('hostname: edge.eks-us-east.ml.example.com\n');
    expect(routed()).toContain('chat');
  });

  test('declares a gateway where there is none', () => {
    const { 'fleet/gateway.yaml': _, ...files } = FILES;
    work.remove();
    work = new Workspace().write(files);
    work.run(MIGRATE);
    expect(work.read('fleet/fleetwright.yaml')).toContain('kind: InferenceGateway\nmetadata:\n  name: default\n');
    expect(routed()).toEqual(['chat', 'glm-air', 'qwen-72b']);
  });

  test('writes to the end of a fleet that is one file', () => {
    const one = Object.values(FILES).join('---\n');
    const own = new Workspace().write({ 'fleet.yaml': one });
    expect(own.run('migrate --from modelplane ./fleet.yaml').code).toBe(0);
    expect(own.read('fleet.yaml').startsWith(one.trimEnd())).toBe(true);
    expect(JSON.parse(own.run('plan ./fleet.yaml --json').out)).not.toHaveProperty('missingRoutes');
    own.remove();
  });

  const refused: Record<string, { files?: Record<string, string>; flags?: string; want: string }> = {
    'a declaration is wrong': {
      files: { 'fleet/old.yaml': OLD, 'fleet/bad.yaml': OWN.replace('labels', 'lables') },
      want: "unknown field 'lables'",
    },
    'a name is no name': { files: { 'fleet/old.yaml': OLD }, flags: '--domain=Not_a_zone', want: 'Not_a_zone' },
    'the tool is another one': { flags: '--from=kserve', want: 'modelplane' },
  };
  test.each(Object.entries(refused))('writes nothing where %s', (_, { files = {}, flags = '', want }) => {
    work.write(files);
    const before = work.files();
    const { code, err } = work.run([MIGRATE, flags].join(' ').trim());
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(want) as string });
    expect(work.files()).toEqual(before);
  });

  test('writes no file where one of them cannot be written', () => {
    work.write({ 'fleet/old/old.yaml': OLD });
    const before = work.files();
    chmodSync(work.path('fleet/old'), 0o500);
    const { code } = work.run(MIGRATE);
    chmodSync(work.path('fleet/old'), 0o700);
    // Root may write everywhere.
    expect(code).toBe(process.getuid?.() === 0 ? 0 : 1);
    if (code !== 0) expect(work.files()).toEqual(before);
  });

  test('refuses standard input', () => {
    expect(work.run('migrate --from modelplane -')).toMatchObject({
      code: 1,
      err: '-: standard input is not a file to write to. Name a folder of manifests, or a file.\n',
    });
  });
});
