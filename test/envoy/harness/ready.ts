import { sleep } from '../../kubernetes/harness/concurrently';
import { SetupError } from '../../kubernetes/harness/setup-error';
import { settled } from '../scenarios/settled';
import { chat, type Site } from '../site';

/** Long enough for a machine that is busy with other things, in milliseconds. It takes 5 s on an idle one. */
const READY = 240_000;

/** Envoy Gateway may complain for a moment of what it has not read yet. */
const PATIENCE = 5000;

/** The services that have to answer. */
const SERVICES = ['chat', 'gpt', 'openai'];

/** Waits until the front answers. Throws what Envoy Gateway says where it refuses manifests. */
export async function ready(site: Site): Promise<void> {
  const start = Date.now();
  let content = start;
  let answering = false;
  while (!answering) {
    const wrong = site.gateways.flatMap((gateway) => gateway.complaints());
    if (wrong.length === 0) content = Date.now();
    else if (Date.now() - content > PATIENCE) {
      throw new SetupError(`Envoy Gateway refuses manifests:\n${wrong.join('\n')}`);
    }
    if (Date.now() - start > READY) throw new SetupError(silence(site));
    await sleep(200);
    answering = wrong.length === 0 && (await answers(site));
  }
  // What was asked too early counted against members, and a front puts those out for a while.
  if ((await settled(site)) === undefined) throw new SetupError(silence(site));
  site.forget();
}

async function answers(site: Site): Promise<boolean> {
  const all = await Promise.all(SERVICES.map((service) => site.ask(chat(service))));
  return all.every(({ status }) => status === 200);
}

function silence({ gateways }: Site): string {
  const tails = gateways.map((gateway) => `${gateway.name}:\n${gateway.tail()}`);
  return `the front did not answer within ${READY / 1000} s.\n${tails.join('\n')}`;
}
