import { aMember, type Doc } from '../api/build';
import { CONTAINER, container, reported, serving } from './build';

interface Row {
  fields?: Doc;
  engine?: Doc;
  spec?: Doc;
  want: string[];
}

const IMAGE = `warning: ${CONTAINER}.image`;
const image = (name: string): Doc => ({ image: name, args: ['m'] });

const images: Record<string, Row> = {
  'an image that the vendor publishes is fine': { fields: image('vllm/vllm-openai:v0.23.0'), want: [] },
  'so is a digest instead of a tag': { fields: image('vllm/vllm-openai@sha256:ab'), want: [] },
  'so is an image of the user': { fields: image('acme/vllm-openai2:1.0'), want: [] },
  'so is another image of the vendor': { fields: image('vllm/vllm-openai-cpu:v0.23.0'), want: [] },
  'a repository that is almost one of the vendor is a misspelling': {
    fields: image('vllm/vllm-opneai:v0.23.0'),
    want: [
      `${IMAGE}: the image 'vllm/vllm-opneai:v0.23.0' is probably a misspelling of vllm/vllm-openai. Use 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'so it is on a mirror': {
    fields: image('mirror.example:5000/vllm/vllm-opneai:v0.23.0'),
    want: [
      `${IMAGE}: the image 'mirror.example:5000/vllm/vllm-opneai:v0.23.0' is probably a misspelling of vllm/vllm-openai. Use 'mirror.example:5000/vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'a misspelled image of no known runtime is told from an unknown one': {
    fields: image('vllm/vlm-openai:v0.23.0'),
    want: [
      `${CONTAINER}.image: the runtime of image 'vllm/vlm-openai:v0.23.0' is unknown, so its health check is unknown too. Use 'vllm/vllm-openai:v0.23.0', if you mean that image.`,
      `${IMAGE}: the image 'vllm/vlm-openai:v0.23.0' is probably a misspelling of vllm/vllm-openai. Use 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'tags of vLLM begin with v': {
    fields: image('vllm/vllm-openai:0.23.0'),
    want: [
      `${IMAGE}: tags of vllm/vllm-openai are written as 'v0.23.0', so 'vllm/vllm-openai:0.23.0' probably does not exist. Use 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'no capital letter is in front of the tag': {
    fields: image('VLLM/vllm-openai:v0.23.0'),
    want: [
      `${IMAGE}: container runtimes refuse the image 'VLLM/vllm-openai:v0.23.0', because it has a space, or a capital letter in front of the tag. Use 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'the host of a registry and a tag have any letters': {
    fields: image('Registry.Example.com:5000/vllm/vllm-openai:v0.23.0-CUDA'),
    want: [],
  },
  'no space is in an image': {
    fields: image('vllm/vllm-openai: v0.23.0'),
    want: [
      `${IMAGE}: container runtimes refuse the image 'vllm/vllm-openai: v0.23.0', because it has a space, or a capital letter in front of the tag. Use 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'tags of TGI do not': {
    fields: { image: 'ghcr.io/huggingface/text-generation-inference:v3.3.5', args: ['--model-id=m'] },
    want: [
      `${IMAGE}: tags of huggingface/text-generation-inference are written as '3.3.5', so 'ghcr.io/huggingface/text-generation-inference:v3.3.5' probably does not exist. Use 'ghcr.io/huggingface/text-generation-inference:3.3.5'.`,
    ],
  },
  'no tag means latest': {
    fields: image('vllm/vllm-openai'),
    want: [
      `${IMAGE}: the image has no tag, so it is 'latest', and pods may run different releases of vLLM. Set the tag of a release, as in 'vllm/vllm-openai:v0.23.0'.`,
    ],
  },
  'latest is not the tag of one release': {
    fields: image('registry.example/team/vllm:latest'),
    want: [
      `${IMAGE}: the tag 'latest' is another image with each release, and pods may run different releases of vLLM. Set the tag of a release, as in 'registry.example/team/vllm:v0.23.0'.`,
    ],
  },
};

const mounts: Record<string, Row> = {
  'a model in a folder of the cache is fine': {
    fields: { args: ['/mnt/models/base'] },
    spec: { cache: 'weights' },
    want: [],
  },
  'so is one in another volume': {
    engine: {
      members: [
        aMember({
          template: {
            spec: {
              containers: [
                container({ args: ['--model=/data/base'], volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
              ],
              volumes: [{ name: 'data', emptyDir: {} }],
            },
          },
        }),
      ],
    },
    spec: { cache: 'weights' },
    want: [],
  },
  'a model by its name next to a cache makes the cache useless': {
    fields: { args: ['Qwen/Qwen3-32B'] },
    spec: { cache: 'weights' },
    want: [
      `warning: ${CONTAINER}.args.0: vLLM downloads Qwen/Qwen3-32B at each start and does not use the cache of modelCacheRef, which is staged for nothing. Remove the name: Fleetwright adds '/mnt/models'. Or remove modelCacheRef.`,
    ],
  },
  'a model by its name is fine where the cache holds its tokenizer, or what it downloads': {
    fields: { args: ['Qwen/Qwen3-32B', '--tokenizer=/mnt/models'] },
    spec: { cache: 'weights' },
    want: [],
  },
  'and where a variable names the folder of the cache': {
    fields: { args: ['Qwen/Qwen3-32B'], env: [{ name: 'HF_HOME', value: '/mnt/models/hub' }] },
    spec: { cache: 'weights' },
    want: [],
  },
  'so is a folder of the image without a cache': { fields: { args: ['/mnt/model'] }, want: [] },
  'a folder that is not that of the cache has no model': {
    fields: { args: ['/mnt/model'] },
    spec: { cache: 'weights' },
    want: [
      `warning: ${CONTAINER}.args.0: vLLM loads its model from /mnt/model, and the cache is mounted at /mnt/models: the engine does not start, and its memory is not checked. Use '/mnt/models'.`,
    ],
  },
};

describe.each(Object.entries({ images, mounts }))('%s:', (_, rows) => {
  test.each(Object.entries(rows))('%s', (_name, { fields = {}, engine = {}, spec = {}, want }) => {
    expect(reported(serving(fields, engine, spec))).toEqual(want);
  });
});
