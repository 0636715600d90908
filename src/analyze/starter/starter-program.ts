import { PROGRAM_PACKAGES } from '../../catalog/program-packages';
import { formatDocuments } from '../../manifest/format-yaml';
import { isMade, type StarterAnswers } from './starter-answers';
import type { StarterCloud } from './starter-clouds';
import type { StarterFile } from './starter-file';

type PackageName = keyof typeof PROGRAM_PACKAGES;

/** What every Pulumi program needs, and what it needs for each cloud. */
const PROGRAM_DEPENDENCIES: readonly PackageName[] = ['@pulumi/kubernetes', '@pulumi/pulumi'];
const CLOUD_DEPENDENCIES: Readonly<Record<StarterCloud, readonly PackageName[]>> = {
  aks: ['@pulumi/azure-native'],
  eks: ['@pulumi/aws'],
  gke: ['@pulumi/gcp'],
  existing: [],
};
const COMPILER: readonly PackageName[] = ['@types/node', 'ts-node', 'typescript'];

/** The package.json of a new folder. It pins every version. */
export function buildPackageFile(answers: StarterAnswers): StarterFile {
  const { clouds, pulumi, version } = answers;
  const made = clouds.filter((cloud) => isMade(answers, cloud));
  const names = [...made.flatMap((cloud) => CLOUD_DEPENDENCIES[cloud]), ...PROGRAM_DEPENDENCIES].sort();
  const content = {
    name: 'fleet',
    private: true,
    scripts: {
      validate: 'fleetwright validate fleet',
      plan: 'fleetwright plan fleet',
      lock: 'fleetwright lock fleet',
      synth: 'fleetwright synth fleet --out manifests',
    },
    dependencies: { ...(pulumi && pin(names)), fleetwright: version },
    ...(pulumi && { devDependencies: pin(COMPILER) }),
  };
  return { path: 'package.json', text: formatJson(content) };
}

function pin(names: readonly PackageName[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, PROGRAM_PACKAGES[name]]));
}

/** What a Pulumi program in TypeScript needs in addition to package.json. */
export function buildProgramFiles({ gitops }: StarterAnswers): StarterFile[] {
  const project = { name: 'models', description: 'Clusters that serve models', runtime: 'nodejs', main: 'main.ts' };
  const compilerOptions = {
    target: 'es2022',
    module: 'node16',
    moduleResolution: 'node16',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  return [
    { path: 'Pulumi.yaml', text: formatDocuments([project], 'A Pulumi project: pulumi preview, then pulumi up.') },
    { path: 'tsconfig.json', text: formatJson({ compilerOptions, include: ['*.ts'] }) },
    { path: 'main.ts', text: gitops === undefined ? APPLYING_PROGRAM : WRITING_PROGRAM },
  ];
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

const IMPORTS = ["import { Config } from '@pulumi/pulumi';", "import { FleetStack } from 'fleetwright/stacks';"];

const formatProgram = (what: string, options: string): string => `${IMPORTS.join('\n')}

// ${what}
// With 'pulumi config set fleetwright:cluster NAME', a stack is of one cluster alone.
const cluster = new Config('fleetwright').get('cluster');
const stack = new FleetStack('models', { fleet: 'fleet', ${options}...(cluster !== undefined && { cluster }) });

export const clusters = stack.outputs;
export const mustExist = stack.mustExist; // what has to be on the clusters beforehand
export const retained = stack.retained; // what stays when the stack is destroyed
`;

const APPLYING_PROGRAM = formatProgram(
  'Makes the clusters, installs what each needs, and applies what runs there.',
  '',
);

const WRITING_PROGRAM = formatProgram(
  'Makes the clusters and installs what each needs. A tool applies the manifests from git.',
  "workloads: 'files', out: 'manifests', ",
);
