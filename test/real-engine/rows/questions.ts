import type { Answer, Question } from '../../envoy/traffic/ask';

/** A request for a chat, at the public path of the service. */
export function chat(tokens: number, more: object = {}): Question {
  const messages = [{ role: 'user', content: 'hello' }];
  const body = JSON.stringify({ model: 'llama', messages, max_tokens: tokens, ...more });
  return { path: '/team-a/chat/v1/chat/completions', body };
}

/** What an engine says about an answer. */
export interface Completion {
  readonly model: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly timings: { readonly predicted_per_second: number };
}

/** An answer in one piece. */
export function completionIn({ body }: Answer): Completion | undefined {
  try {
    return JSON.parse(body) as Completion;
  } catch {
    return undefined;
  }
}

/** The texts in a stream, and whether it is whole. */
export function streamIn({ body, error }: Answer): { readonly events: number; readonly whole: boolean } {
  const events = [...body.matchAll(/^data: \{.*"content":"/gm)].length;
  return { events, whole: error === undefined && body.endsWith('data: [DONE]\n\n') };
}
