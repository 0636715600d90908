import { SMALL } from './cli';
import { Repository } from './repository';

const [, , MODEL = ''] = SMALL.split('---\n');

let work: Repository;
beforeEach(() => {
  work = new Repository();
});
afterEach(() => work.remove());

const rows: Record<string, { change: () => void; target?: string; want: RegExp }> = {
  'what is valid of a declaration with an unknown field': {
    change: () => work.write({ 'fleet.yaml': SMALL.replace('nodeCount: 2', 'nodeCount: 3, nope: 1') }),
    want: /^\nEdits:\n\n1\. `InferenceCluster us` `nodePools\[h100\]\.nodeCount: 2 -> 3` \(`fleet\.yaml:\d+:\d+`\)\n$/,
  },
  'a value that only the fleet contradicts': {
    change: () => work.write({ 'fleet.yaml': SMALL.replace('className: h100', 'className: h200') }),
    want: /^\nEdits:\n\n1\. `InferenceCluster us` `nodePools\[h100\]\.className: h100 -> h200` \(`fleet\.yaml:\d+:\d+`\)\n$/,
  },
  'more than five edits, folded': {
    change: () => {
      const more = [1, 2, 3, 4, 5].map((i) => MODEL.replace('name: q', `name: q${i}`));
      work.write({
        'fleet.yaml': SMALL.replace('className: h100', 'className: h200'),
        'more.yaml': more.join('---\n'),
      });
    },
    want: /^\n<details>\n<summary>Edits: 6<\/summary>\n\n1\. `InferenceCluster us` .*\n/,
  },
  'nothing where it is not known which resource a document is': {
    change: () => work.write({ 'more.yaml': 'apiVersion: fleetwright.dev/v1alpha1\nkind: InferenceCluster\n' }),
    want: /^$/,
  },
  'nothing where the other state cannot be read': {
    change: () => work.write({ 'fleet.yaml': SMALL.replace('className: h100', 'className: h200') }),
    target: 'nowhere',
    want: /^$/,
  },
};
test.each(Object.entries(rows))(
  'a change that is refused as a whole lists %s',
  (_, { change, target = 'main', want }) => {
    work.locked(SMALL);
    change();
    const { out } = work.run(`plan ./ --against ${target} --allow-dirty --markdown`);
    const lines = out.split('\n');
    expect(lines.slice(lines.findLastIndex((line) => line.startsWith('- :x:')) + 1).join('\n')).toMatch(want);
  },
);
