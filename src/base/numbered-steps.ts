/** A sentence that ends with steps to take in order. */
export interface NumberedSteps {
  /** What introduces them, without the colon. */
  readonly before: string;
  readonly steps: readonly string[];
}

/** `drain it, in this order: 1. choose a node; 2. delete it`. */
export function joinSteps({ before, steps }: NumberedSteps): string {
  return `${before}: ${steps.map((step, i) => `${i + 1}. ${step}`).join('; ')}`;
}

/** What `joinSteps` joined, so that steps can be shown as a list. Undefined: the text does not end with steps. */
export function splitSteps(text: string): NumberedSteps | undefined {
  const start = text.lastIndexOf(': 1. ');
  if (start === -1) return undefined;
  const parts = text.slice(start + 2).split(/; (?=\d+\. )/);
  const isInOrder = parts.every((part, i) => part.startsWith(`${i + 1}. `));
  if (parts.length < 2 || !isInOrder) return undefined;
  return { before: text.slice(0, start), steps: parts.map((part, i) => part.slice(`${i + 1}. `.length)) };
}
