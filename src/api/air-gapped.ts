import type { Mirror } from './mirror';

/** Whether a cluster reaches the internet only by what its mirror has. */
export function isAirGapped({ spec }: { readonly spec: { readonly mirror: Mirror } }): boolean {
  return Object.keys(spec.mirror).length > 0;
}

/** The variable by which clients of Hugging Face learn where it is. */
export const HUB_ENDPOINT = 'HF_ENDPOINT';
