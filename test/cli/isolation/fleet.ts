import { SMALL, Workspace } from '../cli';

const [DOCUMENT_CLASS = '', DOCUMENT_CLUSTER = '', DOCUMENT_DEPLOYMENT = ''] = SMALL.split('---\n');

/** A deployment of `team` with one GPU a replica, with what differs in its spec and engine. */
export function deployment(id: string, { spec = 'replicas: 1', template = '', cel = '', args = '' } = {}): string {
  const [namespace = '', name = ''] = id.split('/');
  const selectors = cel === '' ? '' : `, selectors: [{ cel: '${cel}' }]`;
  return [
    'apiVersion: fleetwright.dev/v1alpha1',
    'kind: ModelDeployment',
    `metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }`,
    'spec:',
    `  ${spec}`,
    '  template:',
    `    metadata: { labels: { app: ${name} } }`,
    '    spec:',
    ...(template === '' ? [] : [`      ${template}`]),
    '      engines:',
    '        - name: main',
    '          members:',
    `            - nodeSelector: { devices: [{ name: gpu, count: 1${selectors} }] }`,
    '              template:',
    '                spec:',
    '                  containers:',
    `                    - { name: engine, image: "vllm/vllm-openai:v0.23.0", args: [Qwen/Qwen3-8B${args}] }`,
    '',
  ].join('\n');
}

export const CLUSTER = `${DOCUMENT_CLASS}---\n${DOCUMENT_CLUSTER}`;
export { DOCUMENT_DEPLOYMENT, Workspace };
