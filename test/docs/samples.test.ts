import { readFileSync } from 'node:fs';
import { listMarkdown, readBlocks } from '../../scripts/docs-page';
import { followedPages } from '../../scripts/docs-steps';
import { Workspace } from '../cli/cli';

/** A command, its output as a page shows it, and where. `...` stands for lines that are left out, or for the end of a line. */
interface Sample {
  readonly command: string;
  readonly at: string;
  readonly lines: readonly string[];
}

const followed = new Set(followedPages());

/** Every block of other pages, except the one that a script writes, which begins with a command and shows what it prints. */
const SAMPLES: readonly Sample[] = listMarkdown('docs')
  .filter((page) => !followed.has(page) && page !== 'docs/troubleshooting.md')
  .flatMap((page) =>
    readBlocks(readFileSync(page, 'utf8')).flatMap(({ line, lines: [first = '', ...lines] }) => {
      const command = /^\$ fleetwright (?<command>.*)$/.exec(first)?.groups?.['command'];
      return command === undefined ? [] : [{ command, lines, at: `${page}:${line}` }];
    }),
  );

/** Commands that ask clusters or gateways. Other tests run them, and `quoted.test.ts` compares their words. */
const LIVE = /^(doctor|status|smoke) /;

/** A model on two clusters, as modelplane.ai declares it: the fleet of a page whose command names no example. */
const FLEET = `apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: { name: l4 }
spec: { devices: [{ name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, count: 1 }] }
---
${['eu-west', 'us-east']
  .map(
    (name, i) => `apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: { name: ${name} }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: ${name} } } }
  nodePools: [{ name: l4, className: l4, nodeCount: ${2 - i} }]
---
`,
  )
  .join('')}apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: { name: chat, namespace: ml-team, labels: { app: chat } }
spec:
  replicas: 3
  template:
    metadata: { labels: { app: chat } }
    spec:
      engines:
        - name: vllm
          members:
            - nodeSelector: { devices: [{ name: gpu, selectors: [{ cel: 'true' }] }] }
              template: { spec: { containers: [{ name: engine, image: 'vllm/vllm-openai:v0.23.0', args: [m] }] } }
---
${readFileSync('test/peer/manifests/gateway.yaml', 'utf8')}
---
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: { name: chat, namespace: ml-team }
spec:
  endpoints: [{ selector: { matchLabels: { app: chat } } }]
`;

const work = new Workspace().write({ 'fleet/fleet.yaml': FLEET });
afterAll(() => work.remove());

test.each(SAMPLES.filter(({ command }) => !LIVE.test(command)))(
  'the output of $command at $at is what it prints',
  ({ command, lines }) => {
    const printed = work.run(command.replace(/ fleet$/, ' ./fleet')).out.split('\n');
    let next = 0;
    const wrong = lines
      .filter((line) => line.trim() !== '' && line.trim() !== '...')
      .filter((line) => {
        const at = printed.findIndex((one, i) => i >= next && isShown(one, line));
        if (at >= 0) next = at + 1;
        return at < 0;
      });
    expect(wrong).toEqual([]);
  },
);

/** Whether a line of a page is a printed line. One that ends in ` ...` is its start. */
function isShown(printed: string, line: string): boolean {
  const start = /^(?<start>.*) \.\.\.$/.exec(line)?.groups?.['start'];
  return start === undefined ? printed.trimEnd() === line.trimEnd() : printed.startsWith(start);
}

test('pages have such outputs', () => {
  expect(SAMPLES.length).toBeGreaterThanOrEqual(14);
});
