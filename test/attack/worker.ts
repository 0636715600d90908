import { readFileSync } from 'node:fs';
import type { Specimen } from './corpus';
import { createInput, type InputId } from './input';
import type { Breach } from './judge';
import { runInput } from './run-input';

/** What a worker answers to the identity of an input. */
export interface Outcome {
  readonly breaches: readonly Breach[];

  /** Absent: the input did not end. */
  readonly code?: number | undefined;
}

const corpus = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly Specimen[];

/** What no one caught while an input ran. */
const uncaught: Breach[] = [];
process.on('uncaughtException', (error) => keep('no error stays uncaught', error));
process.on('unhandledRejection', (error) => keep('no promise stays rejected', error));

function keep(rule: string, error: unknown): void {
  uncaught.push({ rule, what: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

process.on('message', (id: InputId) => {
  void outcomeOf(id).then(({ breaches, code }) =>
    process.send?.({ breaches: [...breaches, ...uncaught.splice(0)], code }),
  );
});

async function outcomeOf(id: InputId): Promise<Outcome> {
  try {
    return await runInput(createInput(corpus, id));
  } catch (error) {
    keep('an input runs', error);
    return { breaches: [] };
  }
}

process.on('disconnect', () => process.exit());
process.send?.('ready');
