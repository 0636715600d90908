import { aDeployment, aMember, type Doc } from '../../api/build';
import { pods, withContainer } from '../build';

const TIGHT = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const NIM = 'nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8.5';

function nimWith(spec: Doc, image = NIM, more: Doc = {}) {
  const template = { spec: { containers: [{ name: 'engine', image }], ...spec } };
  return aDeployment('ml/qwen3', { engines: [{ name: 'main', members: [aMember({ template })], ...more }] });
}

describe('the container of an engine', () => {
  const cases: Record<string, { of: ReturnType<typeof aDeployment>; want: Doc }> = {
    'says that it is not root where its image is not': {
      of: withContainer({ image: NIM }),
      want: { ...TIGHT, runAsNonRoot: true, runAsUser: 1000 },
    },
    'does so also from a mirror': {
      of: withContainer({ image: 'mirror.example.com/nim/meta/llama:1' }),
      want: { ...TIGHT, runAsNonRoot: true, runAsUser: 1000 },
    },
    'keeps the user of an image that is root': {
      of: withContainer({ image: 'vllm/vllm-openai:v0.23.0' }),
      want: TIGHT,
    },
    'keeps the user of an image that no one knows': { of: withContainer({ image: 'house:1' }), want: TIGHT },
    'is whom its user says': {
      of: withContainer({ image: NIM, securityContext: { runAsUser: 2000 } }),
      want: { ...TIGHT, runAsNonRoot: true, runAsUser: 2000 },
    },
    'keeps the user of an image of the house, whatever runs in it': {
      of: nimWith({}, 'house:1', { runtime: 'NIM' }),
      want: TIGHT,
    },
    'may be root where its user says of the pod that it may': {
      of: nimWith({ securityContext: { runAsNonRoot: false } }),
      want: TIGHT,
    },
    'is whom its user says of the pod': {
      of: nimWith({ securityContext: { runAsUser: 2000 } }),
      want: TIGHT,
    },
  };
  test.each(Object.entries(cases))('%s', (_, { of, want }) => {
    expect(pods(of).Standalone!.spec.containers[0].securityContext).toEqual(want);
  });
});
