import { findPlainTextSecret } from '../../src/api/secret-detection';
import { aDeployment, type Doc } from './build';

function secretOf(container: Doc, annotations: Doc = {}, pod: Doc = {}): string | undefined {
  const engine = {
    nodeSelector: { devices: [{ name: 'gpu', selectors: [{ cel: 'true' }] }] },
    template: {
      metadata: { annotations },
      spec: { containers: [{ name: 'engine', image: 'a', ...container }], ...pod },
    },
  };
  return findPlainTextSecret(aDeployment('ml/a', { engines: [{ name: 'main', members: [engine] }] }));
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

const bearer = { httpHeaders: [{ name: 'Authorization', value: 'Bearer x' }] };
const asked = { httpGet: { port: 8000, ...bearer } };
const beside = (more: Doc): Doc => ({
  containers: [
    { name: 'engine', image: 'a' },
    { name: 'logs', image: 'b', ...more },
  ],
});
const volume = { name: 'vault', csi: { driver: 'a.example.com', volumeAttributes: { token: 'x' } } };

const around: Record<string, { container?: Doc; pod?: Doc; want: string }> = {
  'a header of a probe': {
    container: { readinessProbe: asked },
    want: 'header Authorization of engine main',
  },
  'a header of a hook': {
    container: { lifecycle: { postStart: asked } },
    want: 'header Authorization of engine main',
  },
  'an argument of a hook': {
    container: { lifecycle: { preStop: { exec: { command: ['bye', '--api-key=x'] } } } },
    want: 'argument api-key of engine main',
  },
  'an argument of a probe': {
    container: { livenessProbe: { exec: { command: ['ask', '--token', 'x'] } } },
    want: 'argument token of engine main',
  },
  'a variable of a helper': {
    pod: beside(env('DD_API_KEY', 'x')),
    want: 'variable DD_API_KEY of container logs of engine main',
  },
  'an argument of a helper': {
    pod: beside({ args: ['--password=x'] }),
    want: 'argument password of container logs of engine main',
  },
  'a variable of what starts before': {
    pod: { initContainers: [{ name: 'warm', image: 'b', ...env('HF_TOKEN', 'x') }] },
    want: 'variable HF_TOKEN of container warm of engine main',
  },
  'an attribute of a volume': {
    pod: { volumes: [volume] },
    want: 'attribute token of volume vault of engine main',
  },
};

test.each(Object.entries(around))('%s is a secret too', (_, { container = {}, pod = {}, want }) => {
  expect(secretOf(container, {}, pod)).toBe(want);
});

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
