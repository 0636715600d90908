import { until } from '../../kubernetes/harness/until';
import type { Row, Scenario } from '../../envoy/scenario';
import { same } from '../../envoy/scenarios/rows';
import type { Site } from '../harness/open-site';
import { chat } from './questions';

/** The probe of the manifests says when the engine serves, and it serves with the arguments of the manifests. */
export const loading: Scenario<Site> = { name: 'loading', run };

async function run({ ask, pods, gateways }: Site): Promise<Row[]> {
  const pod = pods[0]!;
  pod.start();
  const answers = await pod.ready();
  const early = answers.filter((status) => status !== undefined && status !== 200);
  const wrong = (): string[] => gateways.flatMap((gateway) => gateway.complaints());
  await until('the gateways answer', async () => (await ask(chat(1))).status === 200).catch((error: unknown) => {
    throw new Error([String(error), ...wrong()].join('\n'));
  });
  return [
    {
      what: 'the readiness probe while the engine loads',
      wanted: '503, then 200',
      measured: `${early.length} answers before 200: ${[...new Set(early)].join(', ')}`,
      holds: early.length > 0 && early.every((status) => status === 503),
    },
    same('after it', 200, answers.at(-1) ?? 'none'),
  ];
}
