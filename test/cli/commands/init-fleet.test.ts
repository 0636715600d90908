import { parse } from 'yaml';
import { Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

test.each([
  '',
  '--gitops flux',
  '--clouds gke,eks',
  '--clouds gke,eks --pulumi',
  '--clouds gke --pulumi --gitops argocd',
])('a new fleet has a name, also with %s', (flags) => {
  expect(work.run(`init ./ --ci none ${flags}`.trim())).toMatchObject({ code: 0 });
  expect(parse(work.read('fleet/fleet.yaml'))).toMatchObject({ kind: 'Fleet', metadata: { name: 'models' } });
  expect(work.read('fleet/fleet.yaml')).toContain('# The name is in the tags of what a stack creates');
});

const named: Record<string, { edit: (text: string) => string; want: string[] }> = {
  'a file of prices that is named later changes no cloud resource': {
    edit: (text) => text.replace('spec: {}', 'spec: { prices: ./prices.yaml }'),
    want: [],
  },
  'another name later recreates the nodes of EKS, as the comment above it says': {
    edit: (text) =>
      text.replace('name: models', 'name: company').replace('spec: {}', 'spec: { prices: ./prices.yaml }'),
    want: ['NodeGroup l4', 'NodeGroup system'],
  },
};

test.each(Object.entries(named))('%s', (_, { edit, want }) => {
  for (const folder of ['old', 'new']) work.run(`init ./${folder} --ci none --clouds gke,eks --pulumi`);
  work.run('lock ./old/fleet');
  work.write({
    'new/fleet/fleet.lock.yaml': work.read('old/fleet/fleet.lock.yaml'),
    'new/fleet/fleet.yaml': edit(work.read('new/fleet/fleet.yaml')),
    'new/fleet/prices.yaml': 'prices: []\n',
  });
  const { code, out } = work.run('plan ./new/fleet --against ./old/fleet');
  expect(code).toBe(0);
  expect([...out.matchAll(/(NodeGroup \w+).*, its nodes are recreated/g)].map(([, pool]) => pool).sort()).toEqual(want);
  expect(out.includes('cloud resources of')).toBe(want.length > 0);
});
