import { explainField, listFieldPaths } from '../../../src/api/field-reference';
import { Workspace } from '../cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const shown: Record<string, { path: string; want: string[] }> = {
  'a kind shows its fields': {
    path: 'ModelDeployment',
    want: ['ModelDeployment   object', 'metadata   object, required', 'spec   object, required'],
  },
  'a kind is found in any case and in the plural': {
    path: 'modeldeployments.spec.replicas',
    want: ['ModelDeployment.spec.replicas   integer, required, 0 to 1000', '    The number of replicas'],
  },
  'a default and the values of a field are shown': {
    path: 'ModelDeployment.spec.externalEndpoints',
    want: ['text, one of Allowed | Forbidden', 'Default: Allowed.'],
  },
  'lists are walked through': {
    path: 'InferenceCluster.spec.nodePools.zones',
    want: ['InferenceCluster.spec.nodePools.zones   list of text'],
  },
  'an index is left out': {
    path: 'InferenceCluster.spec.nodePools[0].nodeCount',
    want: ['InferenceCluster.spec.nodePools.nodeCount   integer, 0 to 10000'],
  },
  'maps are walked through': {
    path: 'InferenceClass.spec.devices.attributes.string',
    want: ['InferenceClass.spec.devices.attributes.string   text'],
  },
  'a field of several types shows all of them': {
    path: 'InferenceClass.spec.node.allocatable.cpu',
    want: ['InferenceClass.spec.node.allocatable.cpu   text or number'],
  },
  'alternatives show the word and the fields of the object': {
    path: 'ModelDeployment.spec.rollout',
    want: ["object, or just the text 'Recreate'", 'parallel   integer'],
  },
};

test.each(Object.entries(shown))('%s', (_, { path, want }) => {
  const { code, out } = work.run(`explain ${path}`);
  expect(code).toBe(0);
  for (const text of want) expect(out).toContain(text);
});

const refused: Record<string, { path: string; want: string }> = {
  'a word with a capital letter that is like no kind': {
    path: 'Deployment.spec',
    want: "there is no kind 'Deployment'",
  },
  'a field that spec has': {
    path: 'ModelDeployment.replicas',
    want: "unknown field 'replicas'. Did you mean 'spec.replicas'?",
  },
  'a kind that is misspelt': { path: 'ModelDeploymet.spec', want: "there is no kind 'ModelDeploymet'. Did you mean" },
  'a field that is misspelt': {
    path: 'ModelDeployment.spec.repicas',
    want: "ModelDeployment.spec: unknown field 'repicas'. Did you mean 'replicas'?",
  },
  'a field that is far from all others': {
    path: 'ModelDeployment.xyzzy',
    want: "ModelDeployment: unknown field 'xyzzy'. Use one of apiVersion, kind, metadata, spec",
  },
  'a field below a text': {
    path: 'ModelDeployment.kind.name',
    want: "ModelDeployment.kind: the field has no fields, so there is no 'name'. Remove '.name'.",
  },
};

test.each(Object.entries(refused))('%s is refused', (_, { path, want }) => {
  const { code, err } = work.run(`explain ${path}`);
  expect(code).toBe(1);
  expect(err).toContain(want);
});

test('every field of every kind has an explanation with a type', () => {
  const vague = listFieldPaths(3).filter((path) => /undefined|^$/.test(explainField(path).type));
  expect(vague).toEqual([]);
});
