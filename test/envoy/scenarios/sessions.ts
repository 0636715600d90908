import { EAST, SEEN, WEST } from '../fleet/names';
import { sleep } from '../../kubernetes/harness/concurrently';
import type { Row, Scenario } from '../scenario';
import { chat, type Site } from '../site';
import type { Answer } from '../traffic/ask';
import { failed } from '../traffic/load';
import { atMost } from './rows';
import { settled } from './settled';

/** Requests of a session stay on one replica, over front and edge, and move only when it does not serve. */
export const sessions: Scenario = { name: 'sessions', when: 'Disturbs', run };

const SESSIONS = 400;

/** How often each session asks. */
const TIMES = 3;

async function run(site: Site): Promise<Row[]> {
  const [gone] = site.engines(EAST, 'llama');
  if (!gone) throw new Error('nobody serves');
  const first = await ask(site);
  const { length: west } = [...first.at.values()].filter((engine) => engine.startsWith(`${WEST}/`));
  const own = [...first.at].filter(([, engine]) => engine === gone.name);
  const rows = [
    atMost(`${SESSIONS} sessions ask ${TIMES} times`, 0, failed(first.answers), first.answers),
    within('sessions that stay on one replica', first.at.size, SESSIONS, [100, 100]),
    within('sessions on the cluster with one of four replicas', west, SESSIONS, [17, 33]),
    within('sessions on one of the three of the other cluster', own.length, SESSIONS, [17, 33]),
  ];
  gone.becomeUnready();
  try {
    await sleep(SEEN);
    const second = await ask(site);
    const others = [...first.at].filter(([, engine]) => engine !== gone.name);
    const kept = others.filter(([session, engine]) => second.at.get(session) === engine);
    const moved = own.filter(([session]) => second.at.has(session));
    rows.push(
      atMost('one replica does not serve', 0, failed(second.answers), second.answers),
      within('its sessions that have another one', moved.length, own.length, [100, 100]),
      within('sessions of others that stay', kept.length, others.length, [80, 100]),
    );
  } finally {
    gone.becomeReady();
    await settled(site);
    await sleep(SEEN);
  }
  const third = await ask(site);
  const back = [...first.at].filter(([session, engine]) => third.at.get(session) === engine);
  return [...rows, within('sessions where they were, once it serves again', back.length, SESSIONS, [95, 100])];
}

interface Asked {
  readonly answers: readonly Answer[];

  /** The engine of each session that has had one alone. */
  readonly at: ReadonlyMap<number, string>;
}

async function ask({ ask: send }: Site): Promise<Asked> {
  const answers: Answer[] = [];
  const at = new Map<number, string>();
  for (let session = 0; session < SESSIONS; session++) {
    const question = { ...chat('sessions'), headers: { 'x-session': `user-${session}` } };
    const own = await Promise.all(Array.from({ length: TIMES }, () => send(question)));
    answers.push(...own);
    const [engine, ...more] = new Set(own.map((answer) => answer.engine));
    if (engine !== undefined && more.length === 0) at.set(session, engine);
  }
  return { answers, at };
}

function within(what: string, count: number, of: number, [least, most]: readonly [number, number]): Row {
  const percent = (count / of) * 100;
  return {
    what,
    wanted: least === most ? 'all' : `${least} to ${most} %`,
    measured: `${count} of ${of}`,
    holds: percent >= least && percent <= most,
  };
}
