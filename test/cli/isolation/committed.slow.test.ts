import type { Workspace } from '../cli';
import { commit, deployment, lockedTeams } from './fleet';

/** The deployment of team `a`, with an edit that would be seen in its files. */
function edited(image: string, { template = '', ...more }: Parameters<typeof deployment>[1] = {}): string {
  const written = deployment('a/q', { template: `modelCacheRef: { name: model }${template}`, ...more });
  return written.replace('vllm-openai:v0.23.0', `vllm-openai:${image}`);
}

const DEFINED = '\n      modelDefinition: ./a-definition.yaml';
const definition = (path: string): string => `models: [{ service: { health_check: { path: ${path} } } }]\n`;

interface Commit {
  /** What an earlier commit has, which is applied. Default: the deployment without a definition. */
  readonly applied?: Readonly<Record<string, string>>;

  /** What the last commit has: an edit with an error. */
  readonly broken: Readonly<Record<string, string>>;

  /** What is written after that, with the same error. */
  readonly later: Readonly<Record<string, string>>;
}

const COMMITS: Record<string, Commit> = {
  'ranks that its devices do not suffice for': {
    broken: { 'fleet/a.yaml': edited('v0.24.0', { args: ', -pp=2' }) },
    later: { 'fleet/a.yaml': edited('v0.25.0', { args: ', -pp=2' }) },
  },
  'a field of the wrong type': {
    broken: { 'fleet/a.yaml': edited('v0.24.0', { count: 'many' }) },
    later: { 'fleet/a.yaml': edited('v0.25.0', { count: 'many' }) },
  },
  'a model definition that is not there': {
    broken: { 'fleet/a.yaml': edited('v0.24.0', { template: DEFINED }) },
    later: { 'fleet/a.yaml': edited('v0.25.0', { template: DEFINED }) },
  },
  'a model definition that cannot be read': {
    broken: {
      'fleet/a.yaml': edited('v0.24.0', { template: DEFINED }),
      'fleet/a-definition.yaml': 'models: [{ service: 1 }]\n',
    },
    later: { 'fleet/a.yaml': edited('v0.25.0', { template: DEFINED }) },
  },
  'another path in its model definition': {
    applied: {
      'fleet/a.yaml': edited('v0.23.0', { template: DEFINED }),
      'fleet/a-definition.yaml': definition('/live'),
    },
    broken: {
      'fleet/a.yaml': edited('v0.24.0', { template: DEFINED, args: ', -pp=2' }),
      'fleet/a-definition.yaml': definition('/other'),
    },
    later: { 'fleet/a-definition.yaml': definition('/third') },
  },
  'the name of a model definition misspelled': {
    applied: {
      'fleet/a.yaml': edited('v0.23.0', { template: DEFINED }),
      'fleet/a-definition.yaml': definition('/live'),
    },
    broken: { 'fleet/a.yaml': edited('v0.24.0', { template: DEFINED.replace('.yaml', '.yml') }) },
    later: { 'fleet/a.yaml': edited('v0.25.0', { template: DEFINED.replace('.yaml', '.yml') }) },
  },
};

describe.each(Object.entries(COMMITS))('after a commit with %s', (_, { applied, broken, later }) => {
  let space: Workspace;
  let before: Record<string, string>;

  beforeAll(() => {
    space = lockedTeams(true);
    if (applied) {
      expect(space.write(applied).run('synth ./fleet --out ./out').code).toBe(0);
      commit(space);
    }
    before = manifestsOf(space);
    space.write(broken);
    commit(space);
  });

  afterAll(() => {
    space.remove();
  });

  test.each([
    ['of the commit', {}],
    ['of the commit, edited again', later],
  ])('synth writes what the commit before it declares, and no edit %s', (_, files) => {
    expect(space.write(files).run('synth ./fleet --out ./out').code).toBe(1);
    expect(manifestsOf(space)).toEqual(before);
  });
});

function manifestsOf(space: Workspace): Record<string, string> {
  return Object.fromEntries(Object.entries(space.files()).filter(([path]) => path.startsWith('out/')));
}
