import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readPageAssets } from '../../../src/cli/page-assets';
import { assemble } from '../../../src/fleet/fleet';
import type { MapData } from '../../../src/report/map/map-data';
import { formatMapPage } from '../../../src/report/map/map-page';
import { cluster, deployment, nodeClass } from '../../scheduler/build';
import { mapOf } from './drawn';

const RESOURCES = [
  nodeClass('h100'),
  cluster('us', { a: 'h100 x 3' }),
  cluster('eu', { a: 'h100 x 3' }, { labels: { note: 'x' } }),
  deployment('ml/p', { gpus: 2, replicas: 3 }),
  deployment('ml/q', { replicas: 9 }),
];
const MAP = mapOf(assemble(RESOURCES));
const ASSETS = readPageAssets();
const pageOf = (map: MapData): string => formatMapPage(map, ASSETS);
const PAGE = pageOf(MAP);

const tags = (text: string): number => text.split('<').length;
const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const sized = (nodes: number): number =>
  pageOf(mapOf(assemble([nodeClass('h100'), cluster('us', { a: `h100 x ${nodes}` }), deployment('ml/q')]))).length;

/** The data that a page carries. */
function dataIn(page: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(json);
}

const hostile = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  '&lt;b&gt; & \ud83d\ude80',
  "'; alert(1); '",
  '$& $1 ${x}',
];

test.each(hostile)('%s stays text, wherever it stands', (name) => {
  const page = pageOf({ ...MAP, title: name, summary: name, texts: [name, ...MAP.texts] });
  expect(dataIn(page)).toMatchObject({ title: name, texts: [name, ...MAP.texts] });
  // Nothing of it is markup: the page has the tags that it has without it.
  expect(tags(page)).toBe(tags(PAGE));
});

test('what no one sees is shown, and no secret is in the page', () => {
  const name = `a\u202eb\u2028c\u009b hf_${'aB3dE5fG7h'.repeat(4)}`;
  const page = pageOf({ ...MAP, title: name, summary: name, texts: [name, ...MAP.texts] });
  const shown = 'a\\u202eb\\u2028c\\u009b (hidden)';
  expect(dataIn(page)).toMatchObject({ title: shown, summary: shown, texts: [shown, ...MAP.texts] });
  expect(page).toContain(`<title>Fleet ${shown}</title>`);
});

test('the policy of the page lets nothing run but its own script and style, and nothing be asked for', () => {
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(PAGE)!;
  expect(policy!.split('; ')).toEqual([
    "default-src 'none'",
    `script-src '${hash(ASSETS.script)}'`,
    `style-src '${hash(ASSETS.style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(PAGE).toContain(`<script>${ASSETS.script}</script>`);
  expect(PAGE).toContain(`<style>${ASSETS.style}</style>`);
});

test('the page refers to nothing outside of it', () => {
  expect(PAGE).not.toMatch(/\b(?:src|href|action)=(?!"#)|url\(|@import|https?:/);
});

test('its script and style cannot end the elements that they are in', () => {
  expect(ASSETS.script).not.toMatch(/<\/script|<!--/i);
  expect(ASSETS.style).not.toMatch(/<\/style/i);
});

test('its script is minified, and its style is that of its source', () => {
  expect(ASSETS.script.split('\n').length).toBeLessThan(10);
  expect(ASSETS.style).toBe(readFileSync('src/report/map/page/page.css', 'utf8').trimEnd());
});

test('the same plan yields the same bytes, in whatever order it is declared', () => {
  expect(pageOf(mapOf(assemble([...RESOURCES].reverse())))).toBe(PAGE);
});

test('a large fleet stays small: a hundred thousand replicas come to less than 10 MB', () => {
  const clusters = Array.from({ length: 20 }, (_, i) =>
    cluster(`cluster-${i}`, Object.fromEntries(Array.from({ length: 10 }, (_, p) => [`pool-${p}`, 'h100 x 16']))),
  );
  const deployments = Array.from({ length: 200 }, (_, i) =>
    deployment(`team-${i % 50}/model-${i}`, { gpus: [1, 2, 4, 8][i % 4]!, replicas: 10 }),
  );
  const page = pageOf(mapOf(assemble([nodeClass('h100'), ...clusters, ...deployments])));
  const overhead = ASSETS.script.length + ASSETS.style.length;
  expect((page.length - overhead) / 2000).toBeLessThan(60);
});

test('nodes that hold the same cost nothing, however many there are', () => {
  expect(sized(9000) - sized(1000)).toBeLessThan(10);
});
