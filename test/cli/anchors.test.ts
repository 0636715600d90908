import { SMALL, Workspace } from './cli';

/** Two equal requests of one deployment, and a second deployment with the same template by an alias. */
function twice(selector: string): string {
  const [hardware, cluster, model] = SMALL.split('---\n') as [string, string, string];
  const request = /^ +- name: gpu\n[^]*? cel: .*\n/m.exec(model.replace(/cel: .*/, `cel: ${selector}`))?.[0] ?? '';
  const both = model
    .replace(/^ +- name: gpu\n[^]*? cel: .*\n/m, request + request.replace('gpu', 'more'))
    .replaceAll('count: 8', 'count: 4')
    .replace('template:', 'template: &t');
  const other = `apiVersion: fleetwright.dev/v1alpha1
kind: ModelDeployment
metadata: { name: r, namespace: ml }
spec: { replicas: 1, template: *t }
`;
  const items = [hardware, cluster, both, other].map((text) => `  - ${text.trimEnd().replace(/\n/g, '\n    ')}\n`);
  return `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
}

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const cases: Record<string, { selector: string; said: RegExp }> = {
  'an error': {
    selector: 'device.driver.nothing()',
    said: /^(fleet\.yaml:\d+:\d+): found no matching overload/gm,
  },
  'a warning': {
    selector: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("80Gi")) >= 0',
    said: /^warning: (fleet\.yaml:\d+:\d+): no device of any pool matches/gm,
  },
};

test.each(Object.entries(cases))('%s behind an anchor is reported once at each place that leads to it', (_, row) => {
  work.write({ 'fleet.yaml': twice(row.selector) });
  const { out, err } = work.run('plan ./');
  const places = [...`${out}${err}`.matchAll(row.said)].map(([, place]) => place);
  expect(places).toEqual(['fleet.yaml:43:34', 'fleet.yaml:47:34', 'fleet.yaml:55:36']);
});
