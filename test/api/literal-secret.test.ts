import { literalSecret } from '../../src/api/literal-secret';
import { aDeployment, type Doc } from './build';

function secretOf(container: Doc, annotations: Doc = {}): string | undefined {
  const engine = {
    nodeSelector: { devices: [{ name: 'gpu', selectors: [{ cel: 'true' }] }] },
    template: {
      metadata: { annotations },
      spec: { containers: [{ name: 'engine', image: 'a', ...container }] },
    },
  };
  return literalSecret(aDeployment('ml/a', { engines: [{ name: 'main', members: [engine] }] }));
}

const env = (name: string, value: string): Doc => ({ env: [{ name, value }] });
const KEY = 'a value in the form of a key';

const secrets: Record<string, { container: Doc; annotations?: Doc; want: string }> = {
  'a token in a variable': { container: env('HF_TOKEN', 'x'), want: 'variable HF_TOKEN of engine main' },
  'a key in a variable': {
    container: env('VLLM_API_KEY', 'x'),
    want: 'variable VLLM_API_KEY of engine main',
  },
  'a name without a break': {
    container: env('OPENAIAPIKEY', 'x'),
    want: 'variable OPENAIAPIKEY of engine main',
  },
  'a password in small letters': {
    container: env('db_password', '/x'),
    want: 'variable db_password of engine main',
  },
  'a flag with its value': { container: { args: ['--api-key=x'] }, want: 'argument api-key of engine main' },
  'a flag before its value': {
    container: { args: ['--hf-token', 'x'] },
    want: 'argument hf-token of engine main',
  },
  'a flag in a script': {
    container: { command: ['sh', '-c', 'vllm serve m --api-key x'] },
    want: 'argument api-key of engine main',
  },
  'a variable in a script': {
    container: { command: ['sh', '-c', 'HF_TOKEN=x vllm serve m'] },
    want: 'argument HF_TOKEN of engine main',
  },
  'the form of a key of Hugging Face': { container: env('A', `hf_${'a'.repeat(34)}`), want: KEY },
  'the form of a key elsewhere': { container: { args: [`sk-${'a'.repeat(20)}`] }, want: KEY },
  'a URL with a password': { container: env('PROXY', 'http://me:x@proxy:3128'), want: KEY },
  'a key in an annotation': { container: {}, annotations: { 'a/b': `ghp_${'a'.repeat(36)}` }, want: KEY },
};

const harmless: Record<string, Doc> = {
  'a reference to a Secret': {
    env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf', key: 'token' } } }],
  },
  'a reference to another variable': {
    ...env('HF_TOKEN', '$(OTHER)'),
    args: ['--api-key', '$(KEY)', '--hf-token=$KEY'],
  },
  'a number and a switch': {
    env: [
      { name: 'MAX_TOKEN', value: '4096' },
      { name: 'USE_AUTH', value: 'true' },
      { name: 'KEY', value: '' },
    ],
  },
  'flags that only sound like it': {
    args: [
      '--tokenizer',
      'a/b',
      '--max-num-batched-tokens=abc',
      '--trust-remote-code',
      '--kv-cache-dtype',
      'fp8',
      '--keyfile',
      'x',
    ],
  },
  'a flag without a value': { args: ['--api-key', '--other'] },
  'a model of a long name and a URL without a password': {
    args: ['meta-llama/Llama-3.3-70B-Instruct', 'https://a.example:443/b'],
  },
};

test.each(Object.entries(secrets))('%s is found', (_, { container, annotations, want }) => {
  expect(secretOf(container, annotations)).toBe(want);
});

test.each(Object.entries(harmless))('%s is none', (_, container) => {
  expect(secretOf(container)).toBeUndefined();
});
