import { parentPort, workerData } from 'node:worker_threads';
import { type Ask, askHere } from './ask';
import { type Answered, readClock, type Sent } from './asker';

/** Asks what it is sent, over connections that are kept for each door. */
const doors = new Map<number, Ask>();
const now = (): number => readClock() - (workerData as number);

parentPort?.on('message', (sent: Sent) => {
  const { door } = sent;
  if ('opened' in sent) {
    doors.set(door, askHere(sent.opened, now));
    return;
  }
  const { id, question } = sent;
  void doors
    .get(door)?.(question)
    .then((answer) => parentPort?.postMessage({ id, answer } satisfies Answered));
});
