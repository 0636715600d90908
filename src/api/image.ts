/**
 * An image with a registry before it, if it names none. What stands before the first slash is a registry where it
 * has a dot or a port, as container runtimes read it.
 *
 * @example
 * withRegistry('vllm/vllm-openai:v0.23.0', 'registry.example.com'); // 'registry.example.com/vllm/vllm-openai:v0.23.0'
 * withRegistry('nvcr.io/nim/llama:1.0', 'registry.example.com'); // 'nvcr.io/nim/llama:1.0'
 */
export function withRegistry(image: string, registry: string | undefined): string {
  const [first = '', ...rest] = image.split('/');
  const hasOwn = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return registry === undefined || hasOwn ? image : `${registry}/${image}`;
}

/**
 * An image without its tag and digest: the registry and the path of its repository.
 *
 * @example
 * imagePath('localhost:5000/vllm/vllm-openai:v0.23.0@sha256:ab'); // 'localhost:5000/vllm/vllm-openai'
 */
export function imagePath(image: string): string {
  const [name = ''] = image.split('@');
  return name.replace(/:[^:/]*$/, '');
}
