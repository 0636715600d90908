import type { Mirror } from './mirror';

/**
 * Prefixes an image with a registry, unless the image names one. As for container runtimes, the part before the first
 * slash is a registry if it contains a dot or a port, or is `localhost`.
 *
 * @example
 * addRegistry('vllm/vllm-openai:v0.23.0', 'registry.example.com'); // 'registry.example.com/vllm/vllm-openai:v0.23.0'
 * addRegistry('nvcr.io/nim/llama:1.0', 'registry.example.com'); // 'nvcr.io/nim/llama:1.0'
 */
export function addRegistry(image: string, registry: string | undefined): string {
  const [first = '', ...rest] = image.split('/');
  const hasRegistry = rest.length > 0 && isRegistry(first);
  return registry === undefined || hasRegistry ? image : `${registry}/${image}`;
}

/**
 * The repository of an image, with its registry: the image without tag and digest.
 *
 * @example
 * imageRepositoryOf('localhost:5000/vllm/vllm-openai:v0.23.0@sha256:ab'); // 'localhost:5000/vllm/vllm-openai'
 */
export function imageRepositoryOf(image: string): string {
  const [name = ''] = image.split('@');
  return name.replace(/:[^:/]*$/, '');
}

/**
 * The path of an image in its registry.
 *
 * @example
 * imagePathOf('localhost:5000/vllm/vllm-openai:v0.23.0'); // 'vllm/vllm-openai'
 */
export function imagePathOf(image: string): string {
  const [first = '', ...rest] = imageRepositoryOf(image).split('/');
  return rest.length > 0 && isRegistry(first) ? rest.join('/') : [first, ...rest].join('/');
}

/** Whether the part before the first slash of an image is a registry, as for container runtimes. */
function isRegistry(first: string): boolean {
  return /[.:]/.test(first) || first === 'localhost';
}

/**
 * Rewrites an image to a mirror, which replaces its registry. Official images of Docker Hub get their namespace
 * `library`.
 *
 * @example
 * rewriteToMirror('nvcr.io/nim/llama:1.0', 'mirror.example.com'); // 'mirror.example.com/nim/llama:1.0'
 * rewriteToMirror('busybox', 'mirror.example.com'); // 'mirror.example.com/library/busybox'
 */
export function rewriteToMirror(image: string, mirror: string): string {
  if (image.startsWith(`${mirror}/`)) return image;
  const [first = '', ...rest] = image.split('/');
  const hasRegistry = rest.length > 0 && isRegistry(first);
  const path = hasRegistry ? rest.join('/') : image;
  const isOnDockerHub = !hasRegistry || first === 'docker.io';
  return `${mirror}/${isOnDockerHub && !path.includes('/') ? 'library/' : ''}${path}`;
}

/** Whether a cluster uses mirrors instead of the internet. */
export function isAirGapped({ spec }: { readonly spec: { readonly mirror: Mirror } }): boolean {
  return Object.keys(spec.mirror).length > 0;
}

/** The environment variable with the endpoint for clients of Hugging Face. */
export const HUGGING_FACE_ENDPOINT = 'HF_ENDPOINT';
