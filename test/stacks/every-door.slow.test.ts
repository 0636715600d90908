import { mkdirSync, writeFileSync } from 'node:fs';
import { App } from 'cdk8s';
import type { Fleet, ModelDeploymentProps } from '../../constructs/index';
import type { NamespaceRule } from '../../constructs/props/fleet';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { Workspace } from '../cli/cli';
import { cluster, deployment, EIGHT_GPUS, engine, placing, smallFleet } from '../constructs/build';
import { refusal } from './build';
import { record } from './record';

/** A deployment of a team, and the rules of its fleet. */
interface Declared {
  readonly namespace?: string;

  /** Fields of the container of the engine. */
  readonly container?: object;
  readonly rules?: readonly NamespaceRule[];

  /** A rule of the policy file of the fleet. */
  readonly policy?: string;
}

function settingsOf({ rules = [], policy }: Declared) {
  return { namespaces: rules, ...(policy !== undefined && { policies: './policy.yaml' }) };
}

function enginesOf({ container }: Declared): ModelDeploymentProps['engines'] {
  const { members, ...rest } = engine();
  return [
    {
      ...rest,
      members: members.map(({ template, ...member }) => ({
        ...member,
        template: { spec: { containers: [{ ...template.spec.containers[0], ...container }] } },
      })),
    },
  ];
}

function programOf(declared: Declared): Fleet {
  const fleet = smallFleet(new App(), 'main', settingsOf(declared));
  deployment(fleet, 'q', { namespace: declared.namespace ?? 'ml', engines: enginesOf(declared) });
  return fleet;
}

/** Writes the same fleet as a folder. */
function writeFolder(declared: Declared): void {
  const { namespace = 'ml', policy } = declared;
  const resources = [
    { kind: 'Fleet', metadata: { name: 'main' }, spec: settingsOf(declared) },
    { kind: 'InferenceClass', metadata: { name: 'h100' }, spec: EIGHT_GPUS },
    { kind: 'InferenceCluster', metadata: { name: 'us' }, spec: cluster('h100') },
    {
      kind: 'ModelDeployment',
      metadata: { name: 'q', namespace },
      spec: { replicas: 1, template: { spec: { engines: enginesOf(declared) } } },
    },
  ];
  const documents = resources.map((one) => JSON.stringify({ apiVersion: 'fleetwright.dev/v1alpha1', ...one }));
  mkdirSync('fleet', { recursive: true });
  writeFileSync('fleet/fleet.yaml', documents.join('\n---\n'));
  // The path of a program is relative to the working directory.
  for (const path of policy === undefined ? [] : ['fleet/policy.yaml', 'policy.yaml']) {
    writeFileSync(path, `rules: [{ name: house, ${policy} }]\n`);
  }
}

let work: Workspace;
const root = process.cwd();
beforeEach(() => {
  // There is no engine to take what is logged.
  jest.spyOn(console, 'warn').mockImplementation();
  work = new Workspace();
  process.chdir(work.root);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.chdir(root);
  work.remove();
});

async function stackOf(args: Partial<FleetStackArgs> & Pick<FleetStackArgs, 'fleet'>): Promise<string[]> {
  let said: string[] = [];
  await record(() => {
    said = refusal(() => new FleetStack('models', { kubeconfigs: { us: 'token: abc' }, ...args }));
  });
  return said;
}

function commandOf(command: string): string[] {
  const { code, out, err } = work.run(command);
  return code === 0 ? [] : `${out}${err}`.split('\n');
}

const LOCK = 'fleet/fleet.lock.yaml';

/** Every way to have a fleet decided. Each finds the folder of the fleet, and a lock of what the fleet would allow. */
const DOORS: Record<string, (declared: Declared) => string[] | Promise<string[]>> = {
  validate: () => commandOf('validate fleet'),
  plan: () => commandOf('plan fleet'),
  lock: () => commandOf('lock fleet'),
  synth: () => commandOf('synth fleet -o out'),
  'a program': (declared) => placing(programOf(declared)),
  'a stack of a folder': () => stackOf({ fleet: 'fleet' }),
  'a stack of one cluster of a folder': () => stackOf({ fleet: 'fleet', cluster: 'us' }),
  'a stack of a program': (declared) => stackOf({ fleet: programOf(declared), lock: LOCK }),
  'a stack of one cluster of a program': (declared) =>
    stackOf({ fleet: programOf(declared), lock: LOCK, cluster: 'us' }),
};

const PRIVILEGED = { securityContext: { privileged: true } };
const WITH_SECRET = { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'theirs', key: 'k' } } }] };

const cases: Record<string, { declared: Declared; allowed: Declared; want: string | undefined }> = {
  'a privileged container that a rule allows passes': {
    declared: { container: PRIVILEGED, rules: [{ match: ['ml'], privileged: true }] },
    allowed: { container: PRIVILEGED, rules: [{ match: ['ml'], privileged: true }] },
    want: undefined,
  },
  'a privileged container that the lock has and no rule allows is refused': {
    declared: { container: PRIVILEGED },
    allowed: { container: PRIVILEGED, rules: [{ match: ['ml'], privileged: true }] },
    want: "container 'engine' is privileged, which the fleet does not allow in namespace 'ml'",
  },
  'a Secret that a rule leaves out is refused': {
    declared: { container: WITH_SECRET, rules: [{ match: ['ml'], secrets: ['ml-*'] }] },
    allowed: { container: WITH_SECRET },
    want: 'it refers to a Secret that is not in the list',
  },
  'a policy of the fleet denies': {
    declared: { policy: 'forbiddenProviders: [Existing]' },
    allowed: {},
    want: 'cluster us is on Existing',
  },
  'a reserved namespace is refused': {
    declared: { namespace: 'fleetwright-system' },
    allowed: {},
    want: 'is in a reserved namespace: fleetwright-system is for gateways and their keys',
  },
};

describe.each(Object.entries(DOORS))('by %s', (_, ask) => {
  test.each(Object.entries(cases))('%s', async (__, { declared, allowed, want }) => {
    writeFolder(allowed);
    expect(commandOf('lock fleet')).toEqual([]);
    writeFolder(declared);
    const said = await ask(declared);
    if (want === undefined) expect(said).toEqual([]);
    else expect(said.join('\n')).toContain(want);
  });
});
