import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import type { Question } from '../traffic/ask';

const EVENTS = 61;
const PAUSE = 1000;

/** A stream of a minute arrives as it is sent, from an engine and from a provider. */
export const stream: Scenario = { name: 'stream', when: 'Beside', run };

async function run({ ask }: Site): Promise<Row[]> {
  const more = { stream: true, events: EVENTS, pause: PAUSE };
  const [engine, provider] = await Promise.all([
    follow(ask, 'a stream of 61 s from an engine', chat('chat', more)),
    follow(ask, 'a stream of 61 s from a provider', chat('gpt', more)),
  ]);
  return [...engine, ...provider];
}

async function follow(ask: Site['ask'], what: string, question: Question): Promise<Row[]> {
  const { status, parts, body, answered, asked, error } = await ask(question);
  const events = body.split('\n\n').filter((event) => event.startsWith('data: {')).length;
  const late = Math.max(0, ...parts.slice(0, EVENTS).map((at, i) => at - (parts[0] ?? 0) - i * PAUSE));
  const first = (parts[0] ?? Infinity) - asked;
  const seconds = ((answered - asked) / 1000).toFixed(1);
  return [
    {
      what,
      wanted: `${EVENTS} events and the end, each in a part of its own, none later than 1 s`,
      measured: `${status} ${error ?? ''}: ${events} events in ${parts.length} parts over ${seconds} s, first after ${first.toFixed(0)} ms, latest ${late.toFixed(0)} ms late`,
      holds:
        error === undefined &&
        body.endsWith('data: [DONE]\n\n') &&
        events === EVENTS &&
        parts.length >= EVENTS &&
        first < 1000 &&
        late < 1000,
    },
  ];
}
