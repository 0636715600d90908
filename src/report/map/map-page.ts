import { createHash } from 'node:crypto';
import { redact } from '../../base/redaction';
import { pluralize } from '../../base/text';
import { showInvisible } from '../../base/untrusted-text';
import type { MapData } from './map-data';

const segmentHtml = (more: string, text = ''): string => `<span class="seg ${more}">${text}</span>`;
const nodeHtml = (kind: string, inside: string): string => `<span class="node ${kind}">${inside}</span>`;
const wordHtml = (kind: string, word: string): string => nodeHtml(kind, `<span class="word">${word}</span>`);

/** The legend of the map, as trusted markup, and what each sample means. */
const LEGEND_ENTRIES: readonly (readonly [sample: string, text: string])[] = [
  [segmentHtml('', 'name'), 'devices that a pod of the deployment takes; short labels are unique'],
  [segmentHtml('', '<i class="phase">P</i>name'), 'P: prefill; D: decode'],
  [segmentHtml('surge', 'name'), 'reserved for rollouts, idle otherwise'],
  [
    nodeHtml('always', '<span class="free whole"></span>'),
    'free as a whole node: however the cluster arranges the placed pods, a pod that takes the node has a place',
  ],
  [
    '<span class="free shared"></span>',
    "free, but not as a whole node: a pod that takes a part of a node may have a place. 'fleetwright explain DEPLOYMENT' counts the replicas",
  ],
  [wordHtml('always', '\u00d737'), 'a node that always runs; \u00d737: as many nodes with the same pods'],
  [
    wordHtml('autoscaled', 'auto'),
    'dashed outline: a node that an autoscaler adds and removes, and that costs nothing while it is absent',
  ],
  [
    wordHtml('shared', 'empty'),
    'empty in this arrangement: the cluster may put placed pods on it, so it is not free as a whole node',
  ],
  [wordHtml('lost', 'lost'), 'a snapshot shows it as unavailable'],
  [segmentHtml('place', '<b>+</b>name'), 'a replica that is placed here'],
  [segmentHtml('move', '<b>\u2192</b>name'), 'a replica that moves here'],
  [segmentHtml('roll', '<b>\u21bb</b>name'), 'a replica that is rolled in place'],
  [segmentHtml('draining', '<b>\u2197</b>name'), 'a replica that is draining'],
  [segmentHtml('unreplaced', '<b>=</b>name'), 'an old replica that is kept until its replacement fits'],
  [segmentHtml('lost', '<b>!</b>name'), 'a replica that does not serve: its cluster is lost'],
  [segmentHtml('remove', '<b>\u2212</b>name'), 'a replica that is removed, or moves away'],
  [segmentHtml('restart', '<b>\u21ba</b>name'), 'a replica that is down while its nodes are replaced'],
  [segmentHtml('mayRestart', '<b>?</b>name'), 'a replica that may restart: the cloud chooses which nodes go'],
  [
    segmentHtml('misplaced', '<b>\u00d7</b>name'),
    'a replica that stops for good: the new nodes of its pool do not match',
  ],
];

const LEGEND_HTML = `<section id="legend" aria-label="Legend" hidden>
<button type="button" id="close-legend">Close</button>
<ul class="key">
${LEGEND_ENTRIES.map(([sample, text]) => `<li><span class="sample" aria-hidden="true">${sample}</span>${text}</li>`).join('\n')}
</ul>
<p class="muted">The positions of pods within a pool are one arrangement that fits: the cluster chooses nodes and devices.</p></section>`;

/** The script and the style of the page, which the build of the package bundles from `src/report/map/page`. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * Formats the page of a map: one file that makes no requests. Its content security policy allows only its own script
 * and style. Texts from declarations are data of the page, never markup.
 */
export function formatMapPage(data: MapData, assets: PageAssets): string {
  const title = `Fleet ${data.title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${assets.style}</style>
</head>
<body${data.states.length > 1 ? ' class="two"' : ''}>
${formatHead(data, title)}
${LEFT}
${MIDDLE}
${RIGHT}
<script type="application/json" id="data">${embedJson(data)}</script>
<script>${assets.script}</script>
</body>
</html>
`;
}

/** The content security policy: it blocks other scripts and styles, all requests, and texts that become markup. */
function policyOf({ script, style }: PageAssets): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Formats JSON so that it cannot close the element that contains it, without secrets and invisible characters. */
function embedJson(data: MapData): string {
  const text = JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? showInvisible(value) : value));
  return redact(text).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return showInvisible(redact(text)).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function formatHead({ summary, states, deployments }: MapData, title: string): string {
  const last = states.at(-1)?.clusters.length ?? 0;
  const existing = deployments.filter(({ removed }) => !removed).length;
  const size = `${pluralize(last, 'cluster')}, ${pluralize(existing, 'deployment')}`;
  return `<a class="skip" href="#map">Skip to the map</a>
<a class="skip" href="#table">Skip to the table</a>
<header id="top">
<div id="title"><h1>${escapeHtml(title)}</h1><span>${escapeHtml(summary)}</span><span class="muted">${size}</span></div>
<div id="views" role="group" aria-label="View"><button type="button" id="view-clusters" aria-pressed="true">Clusters</button><button type="button" id="view-services" aria-pressed="false">Services</button></div>
<div id="actions"><button type="button" id="show-legend" aria-expanded="false" aria-controls="legend">Legend</button><button type="button" id="show-warnings">Warnings</button><button type="reset" form="filters">Reset</button></div>
<section id="totals" aria-label="Totals of the fleet"></section>
${LEGEND_HTML}
</header>`;
}

const LEFT = `<aside id="left" aria-label="Filters">
<details id="filter-box" open><summary>Filters</summary>
<form id="filters">
<label><span class="label">Clusters ( / )</span><input type="search" id="search" placeholder="name, region, pool, class" autocomplete="off" spellcheck="false"></label>
<label><span class="label">Namespace</span><select id="namespace"></select></label>
<label><span class="label">Deployments</span><input type="search" id="deployment" placeholder="part of a name" autocomplete="off" spellcheck="false"></label>
<div id="deployments" role="group" aria-label="Deployments to show"></div>
<label id="changed-label"><input type="checkbox" id="changed">Only clusters that change</label>
<fieldset id="states" hidden><legend class="label">Show</legend>
<label><input type="radio" name="states" value="both" checked>before and after</label>
<label><input type="radio" name="states" value="0">before</label>
<label><input type="radio" name="states" value="1">after</label></fieldset>
<label><span class="label">Order</span><select id="order"><option value="region">by region</option><option value="name">by name</option><option value="fullest">fullest first</option><option value="emptiest">emptiest first</option><option value="expensive">most expensive first</option><option value="changed">changed first</option></select></label>
<label><span class="label">Size of nodes</span><select id="size"><option value="small">small</option><option value="medium" selected>medium</option><option value="large">large</option></select></label>
</form>
</details>
</aside>`;

const MIDDLE = `<main id="middle" tabindex="-1">
<noscript><p>A script in this file draws the map, and scripts are disabled.</p></noscript>
<div id="clusters">
<output id="result" aria-live="polite"></output>
<section id="heat" aria-label="Heat map of clusters" hidden>
<div id="heat-head"><div id="orders" role="group" aria-label="Order of clusters"></div><p id="scale" class="muted" aria-hidden="true"></p></div>
<div id="overview" role="toolbar" aria-label="Clusters"></div>
</section>
<div id="map" role="grid" aria-label="Nodes of the fleet, by cluster and pool" aria-readonly="true"></div>
<p id="none" hidden>No cluster matches the filters. <strong>Reset</strong> shows all.</p>
<details id="table"><summary>The same as a table</summary><div id="table-body"></div></details>
</div>
<div id="services" hidden></div>
</main>`;

const RIGHT = `<aside id="right" aria-label="Details">
<div id="pane-head"><div id="tabs" role="tablist" aria-label="Details"></div><button type="button" id="close-details" aria-label="Close details">\u00d7</button></div>
<div id="panels"></div>
</aside>`;
