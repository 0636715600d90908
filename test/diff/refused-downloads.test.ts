import type { Resource } from '../../src/api/kinds';
import { aMember } from '../api/build';
import { findings, stable } from './gate-fleet';

const TOKEN = { env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hugging-face', key: 'HF_TOKEN' } } }] };

/** With engines that download a gated repository. */
const gated = (container: object = {}, pod: object = {}) =>
  stable({
    engines: [
      {
        name: 'main',
        members: [
          aMember({
            gpus: 1,
            template: {
              spec: {
                ...pod,
                containers: [
                  {
                    name: 'engine',
                    image: 'vllm/vllm-openai:v0.23.0',
                    args: ['meta-llama/Llama-3.1-8B-Instruct'],
                    ...container,
                  },
                ],
              },
            },
          }),
        ],
      },
    ],
  });

const cases: Record<string, { before: Resource[]; after: Resource[]; accept?: boolean; want: string[] }> = {
  'refuses engines that can no longer download what they load': {
    before: [gated(TOKEN)],
    after: [gated()],
    want: [
      expect.stringMatching(
        /^ml\/chat has no HF_TOKEN for meta-llama\/Llama-3\.1-8B-Instruct, which is gated: engines that restart do not start again\. Add to env/,
      ),
    ],
  },
  'passes them where something else gives them a token': {
    before: [gated(TOKEN)],
    after: [gated()],
    accept: true,
    want: [],
  },
  'passes them where a volume may have the files': {
    before: [gated(TOKEN)],
    after: [
      gated(
        { volumeMounts: [{ name: 'hub', mountPath: '/root/.cache/huggingface' }] },
        { volumes: [{ name: 'hub', emptyDir: {} }] },
      ),
    ],
    want: [],
  },
  'passes them where a script may set the token': {
    before: [gated(TOKEN)],
    after: [
      gated({
        command: ['sh', '-c', '. /etc/token; vllm serve meta-llama/Llama-3.1-8B-Instruct'],
        args: [],
      }),
    ],
    want: [],
  },
  'passes engines without a token that serve without one today': {
    before: [gated()],
    after: [gated({ image: 'vllm/vllm-openai:v0.24.0' })],
    want: [],
  },
  'passes new engines without a token, of which a warning tells': { before: [], after: [gated()], want: [] },
};

test.each(Object.entries(cases))('%s', (_, { before, after, accept, want }) => {
  expect(findings(before, after, accept)).toEqual(want);
});
