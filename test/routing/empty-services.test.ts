import type { Resource } from '../../src/api/kinds';
import { aGrant } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to, wrong } from './build';

const east = aSite('east');
const door = aDoor(['east']);
const model = aModel('ml/llama', { replicaLabels: { app: 'chat' } });

const errors: Record<string, { resources: Resource[]; want: string[] }> = {
  'a service selects something': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chta' })])],
    want: [
      "ModelService ml/chat spec.endpoints.0.selector: the service selects nothing in namespace 'ml'. Did you mean app: chat, or is the label of ModelDeployment ml/llama misspelled?",
    ],
  },
  'labels that several deployments have are not misspelled there': {
    resources: [
      east,
      door,
      model,
      aModel('ml/other', { replicaLabels: { app: 'chat' } }),
      aSplit('ml/chat', [to({ app: 'chta' })]),
    ],
    want: [
      "ModelService ml/chat spec.endpoints.0.selector: the service selects nothing in namespace 'ml'. Did you mean app: chat?",
    ],
  },
  'nor is one that another service selects': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chta' })]), aSplit('ml/talk', [to({ app: 'chat' })])],
    want: [
      "ModelService ml/chat spec.endpoints.0.selector: the service selects nothing in namespace 'ml'. Did you mean app: chat?",
    ],
  },
  'labels of a deployment itself are not those of its replicas': {
    resources: [
      east,
      door,
      aModel('ml/llama', { labels: { app: 'chat' }, replicaLabels: { track: 'a' } }),
      aSplit('ml/chat', [to({ app: 'chat' })]),
    ],
    want: [
      "ModelService ml/chat spec.endpoints.0.selector: the service selects nothing in namespace 'ml'. ModelDeployment ml/llama has app: chat in metadata.labels. Move it to spec.template.metadata.labels.",
    ],
  },
  'a service of another namespace needs a grant': {
    resources: [east, door, model, aSplit('web/chat', [to({ app: 'chat' })])],
    want: [
      "ModelService web/chat spec.endpoints.0.selector: the service selects nothing in namespace 'web'. ModelDeployment ml/llama matches in another namespace. To allow it, declare a Grant in namespace ml, with from: [{ namespace: web }], to: [{ kind: ModelDeployment }].",
    ],
  },
  'a namespace among the labels selects nothing': {
    resources: [east, door, model, aSplit('ml/chat', [to({ app: 'chat', namespace: 'web' })])],
    want: [
      "ModelService ml/chat spec.endpoints.0.selector: the service selects nothing in namespace 'ml'. Remove 'namespace', which no replica has as a label. A Grant in namespace web allows resources there to be selected.",
    ],
  },
  'a namespace that is misspelt is no matter of grants': {
    resources: [east, door, aModel('search/embed'), aSplit('serach/chat', [to({})])],
    want: [
      "ModelService serach/chat spec.endpoints.0.selector: the service selects nothing in namespace 'serach'. Did you mean namespace 'search'?",
    ],
  },
  'nor is a namespace that is not set': {
    resources: [east, door, model, aSplit('default/chat', [to({ app: 'chat' })])],
    want: [
      "ModelService default/chat spec.endpoints.0.selector: the service selects nothing in namespace 'default'. ModelDeployment ml/llama matches in another namespace. Set 'namespace: ml': without it, the namespace is 'default'.",
    ],
  },
  'nor is a misspelt namespace of the deployment': {
    resources: [
      east,
      door,
      aModel('chta/llama', { replicaLabels: { app: 'chat' } }),
      aModel('chat/other', { replicaLabels: { app: 'other' } }),
      aSplit('chat/llama', [to({ app: 'chat' })]),
    ],
    want: [
      "ModelService chat/llama spec.endpoints.0.selector: the service selects nothing in namespace 'chat'. ModelDeployment chta/llama matches in another namespace. If it belongs to the service, set its 'namespace: chat'. Otherwise declare a Grant in namespace chta, with from: [{ namespace: chat }], to: [{ kind: ModelDeployment }].",
    ],
  },
  'nor is a deployment without a namespace': {
    resources: [
      east,
      door,
      aModel('default/llama', { replicaLabels: { app: 'chat' } }),
      aModel('web/other', { replicaLabels: { app: 'other' } }),
      aSplit('web/llama', [to({ app: 'chat' })]),
    ],
    want: [
      expect.stringContaining(
        "ModelDeployment default/llama matches in another namespace. If it belongs to the service, set its 'namespace: web': without it, the namespace is 'default'. Otherwise declare a Grant",
      ) as never,
    ],
  },
  'a grant is for the namespaces and labels that it names': {
    resources: [
      east,
      door,
      model,
      aSplit('web/chat', [to({ app: 'chat' })]),
      aModel('ml/other', { replicaLabels: { app: 'other' } }),
      aGrant('ml/a', 'web', { kind: 'ModelDeployment', matchLabels: { app: 'other' } }),
      aGrant('ml/b', 'elsewhere', { kind: 'ModelDeployment' }),
    ],
    want: [expect.stringContaining('declare a Grant in namespace ml') as never],
  },
};

describe('a service that selects nothing is refused, with the likeliest cause first:', () => {
  test.each(Object.entries(errors))('%s', (_, { resources, want }) => {
    expect(wrong(...resources)).toEqual(want);
  });
});
