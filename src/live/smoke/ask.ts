/** What a service answered: JSON, or a text where it is none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What came of a request: an answer, or why there is none, as a clause. */
export type Reply = Answer | { readonly failed: string };

/** The way to ask a service. */
export interface Ask {
  /** Sends a request to a path below its URL. */
  readonly send: (path: string, body?: object) => Promise<Reply>;

  /** Whether requests show a key. */
  readonly keyShown: boolean;
}
