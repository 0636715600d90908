import { addRegistry, rewriteToMirror } from '../../src/api/image-names';
import { parseResource } from '../../src/api/kinds';

const REGISTRY = 'registry.example.com/mirror';

test.each([
  ['an image without a registry gets it', 'vllm/vllm-openai:v1', `${REGISTRY}/vllm/vllm-openai:v1`],
  ['an image of one part gets it, whatever its tag', 'nginx:1.29', `${REGISTRY}/nginx:1.29`],
  ['an image with a host keeps its own', 'nvcr.io/nim/llama:1', 'nvcr.io/nim/llama:1'],
  ['an image with a port keeps its own', 'mirror:5000/vllm', 'mirror:5000/vllm'],
  ['an image of localhost keeps its own', 'localhost/vllm', 'localhost/vllm'],
])('%s', (_, image, want) => {
  expect(addRegistry(image, REGISTRY)).toBe(want);
  expect(addRegistry(addRegistry(image, REGISTRY), REGISTRY)).toBe(want);
  expect(addRegistry(image, undefined)).toBe(image);
});

test.each([
  ['registry.example.com', true],
  ['registry.example.com:5000/a/b', true],
  ['localhost:5000', true],
  ['mirror:5000', true],
  ['mirror', false],
  ['https://registry.example.com', false],
  ['registry.example.com/', false],
])('%s as a registry: %s', (imageRegistry, want) => {
  const parsed = parseResource({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Fleet',
    metadata: { name: 'main' },
    spec: { defaults: { imageRegistry } },
  });
  expect('resource' in parsed).toBe(want);
});

test.each([
  ['an image of Docker Hub', 'vllm/vllm-openai:v1', 'vllm/vllm-openai:v1'],
  ['an image that Docker Hub has under no name', 'busybox:1', 'library/busybox:1'],
  ['the same with its registry', 'docker.io/busybox:1', 'library/busybox:1'],
  ['an image of another registry', 'nvcr.io/nim/llama:1', 'nim/llama:1'],
  ['an image of another registry under no name', 'registry.example.com:5000/engine', 'engine'],
  ['an image by its digest', 'quay.io/a/b@sha256:00', 'a/b@sha256:00'],
])('%s is under its path in a mirror, once', (_, image, want) => {
  expect(rewriteToMirror(image, REGISTRY)).toBe(`${REGISTRY}/${want}`);
  expect(rewriteToMirror(rewriteToMirror(image, REGISTRY), REGISTRY)).toBe(`${REGISTRY}/${want}`);
});
