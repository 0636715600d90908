import type { Mirror } from './mirror';

/**
 * An image with a registry before it, if it names none. What stands before the first slash is a registry where it
 * has a dot or a port, as container runtimes read it.
 *
 * @example
 * withRegistry('vllm/vllm-openai:v0.23.0', 'registry.example.com'); // 'registry.example.com/vllm/vllm-openai:v0.23.0'
 * withRegistry('nvcr.io/nim/llama:1.0', 'registry.example.com'); // 'nvcr.io/nim/llama:1.0'
 */
export function addRegistry(image: string, registry: string | undefined): string {
  const [first = '', ...rest] = image.split('/');
  const hasOwn = rest.length > 0 && isRegistry(first);
  return registry === undefined || hasOwn ? image : `${registry}/${image}`;
}

/**
 * An image without its tag and digest: the registry and the path of its repository.
 *
 * @example
 * imagePath('localhost:5000/vllm/vllm-openai:v0.23.0@sha256:ab'); // 'localhost:5000/vllm/vllm-openai'
 */
export function imageRepositoryOf(image: string): string {
  const [name = ''] = image.split('@');
  return name.replace(/:[^:/]*$/, '');
}

/** Whether what stands before the first slash of an image is a registry, as container runtimes read it. */
function isRegistry(first: string): boolean {
  return /[.:]/.test(first) || first === 'localhost';
}

/**
 * An image under its path in a mirror, which takes the place of its registry. Images that Docker Hub has under no
 * name of their own are in `library`, as it calls them.
 *
 * @example
 * fromMirror('nvcr.io/nim/llama:1.0', 'mirror.example.com'); // 'mirror.example.com/nim/llama:1.0'
 * fromMirror('busybox', 'mirror.example.com'); // 'mirror.example.com/library/busybox'
 */
export function rewriteToMirror(image: string, mirror: string): string {
  if (image.startsWith(`${mirror}/`)) return image;
  const [first = '', ...rest] = image.split('/');
  const named = rest.length > 0 && isRegistry(first);
  const path = named ? rest.join('/') : image;
  const isOfHub = !named || first === 'docker.io';
  return `${mirror}/${isOfHub && !path.includes('/') ? 'library/' : ''}${path}`;
}

/** Whether a cluster reaches the internet only by what its mirror has. */
export function isAirGapped({ spec }: { readonly spec: { readonly mirror: Mirror } }): boolean {
  return Object.keys(spec.mirror).length > 0;
}

/** The variable by which clients of Hugging Face learn where it is. */
export const HUGGING_FACE_ENDPOINT = 'HF_ENDPOINT';
