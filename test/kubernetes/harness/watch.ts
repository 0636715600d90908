import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Client, Doc, KubeObject } from './client';

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

/** All objects of a kind as the API server has them, kept up to date. */
export class Watch {
  readonly objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<(object: KubeObject, gone: boolean) => void>();
  #message: IncomingMessage | undefined;
  #closed = false;

  constructor(
    private readonly client: Client,
    private readonly path: string,
  ) {}

  /** Reads all objects, then follows their changes. */
  async start(): Promise<void> {
    const { body } = await this.client.get<{ metadata: Doc; items: KubeObject[] }>(this.path);
    const seen = new Set(body.items.map(keyOf));
    for (const [key, object] of this.objects) if (!seen.has(key)) this.#change(object, true);
    for (const object of body.items) this.#change(object, false);
    const from = `${this.path}?watch=1&resourceVersion=${String(body.metadata['resourceVersion'])}`;
    this.#message = await this.client.open('GET', from);
    void this.#follow(this.#message);
  }

  /** Calls `listener` for each object that is new, changed or gone. */
  onChange(listener: (object: KubeObject, gone: boolean) => void): void {
    this.#listeners.add(listener);
  }

  stop(): void {
    this.#closed = true;
    this.#message?.destroy();
  }

  async #follow(message: IncomingMessage): Promise<void> {
    try {
      for await (const line of createInterface({ input: message })) {
        const { type, object } = JSON.parse(line) as Event;
        if (type === 'ERROR') break;
        if (type !== 'BOOKMARK') this.#change(object, type === 'DELETED');
      }
    } catch {
      // A connection that broke is opened again below.
    }
    while (!this.#closed) {
      try {
        return await this.start();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #change(object: KubeObject, gone: boolean): void {
    if (gone) this.objects.delete(keyOf(object));
    else this.objects.set(keyOf(object), object);
    for (const listener of this.#listeners) listener(object, gone);
  }
}

function keyOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}
