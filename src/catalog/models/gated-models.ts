/**
 * Repositories whose files Hugging Face serves only to accounts that accepted their license: a download needs a token.
 * Families of which every repository asks that. There is no list of them to read, so the table is not complete: a family
 * that may not be gated is left out.
 */
const GATED: readonly RegExp[] = [
  /^meta-llama\//i,
  /^google\/gemma-(?:2b|7b|1\.1|2|3|3n)(?:-|$)/i,
  /^mistralai\/mistral-large-instruct-2411$/i,
];

/**
 * Whether Hugging Face serves a repository only with a token.
 *
 * @example
 * isGated('meta-llama/Llama-3.3-70B-Instruct'); // true
 * isGated('Qwen/Qwen3-8B'); // false
 */
export function isGated(repository: string): boolean {
  return GATED.some((family) => family.test(repository));
}
