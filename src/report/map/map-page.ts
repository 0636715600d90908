import { createHash } from 'node:crypto';
import { redact } from '../../base/redaction';
import { pluralize } from '../../base/text';
import { showInvisible } from '../../base/untrusted-text';
import type { MapData } from './map-data';

const segmentHtml = (more: string, text = ''): string => `<span class="seg ${more}">${text}</span>`;
const nodeHtml = (kind: string, text: string): string => `<span class="node ${kind}">${text}</span>`;

/** The signs of the map, as trusted markup, and their meaning. */
const LEGEND_ENTRIES: readonly (readonly [sample: string, text: string])[] = [
  [segmentHtml('', 'name'), 'devices that a pod of the deployment takes'],
  [segmentHtml('surge', 'name'), 'kept for rollouts, idle until there is one'],
  ['<span class="free"></span>', 'free devices'],
  [nodeHtml('always', '\u00d737'), 'so many nodes that hold the same'],
  [nodeHtml('autoscaled', 'auto'), 'dashed: an autoscaler adds it; not bought while it is empty'],
  [nodeHtml('held', 'held'), 'free here, and held: the cluster may spread pods over it'],
  [nodeHtml('lost', 'lost'), 'a snapshot shows it as lost'],
  [segmentHtml('place', '<b>+</b>name'), 'placed; \u2192 moves here; \u21bb rolled in place'],
  [segmentHtml('leaving', '<b>\u2197</b>name'), 'leaving; \u2212 removed'],
];

const LEGEND_HTML = `<details id="legend" open><summary>Signs</summary>
<ul class="key">
${LEGEND_ENTRIES.map(([sample, text]) => `<li><span class="sample" aria-hidden="true">${sample}</span>${text}</li>`).join('\n')}
</ul>
<p class="muted">Where pods stand within a pool is one arrangement that fits: the cluster chooses.</p></details>`;

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
  const clusters = states.at(-1)?.clusters.length ?? 0;
  const size = `${pluralize(clusters, 'cluster')}, ${pluralize(deployments.length, 'deployment')}`;
  return `<a class="skip" href="#map">Skip to the map</a>
<a class="skip" href="#table">Skip to the table</a>
<header id="top"><h1>${escapeHtml(title)}</h1><span>${escapeHtml(summary)}</span><span class="muted">${size}</span></header>`;
}

const LEFT = `<aside id="left" aria-label="Filters">
<form id="filters">
<output id="result" aria-live="polite"></output>
<label><span class="label">Clusters ( / )</span><input type="search" id="search" placeholder="name, region, pool, class" autocomplete="off" spellcheck="false"></label>
<label><span class="label">Namespace</span><select id="namespace"></select></label>
<label><span class="label">Deployments</span><input type="search" id="deployment" placeholder="a part of the name" autocomplete="off" spellcheck="false"></label>
<div id="deployments" role="group" aria-label="Deployments to show"></div>
<label id="changed-label"><input type="checkbox" id="changed">Only clusters where something changes</label>
<fieldset id="states" hidden><legend class="label">Show</legend>
<label><input type="radio" name="states" value="both" checked>before and after</label>
<label><input type="radio" name="states" value="0">before</label>
<label><input type="radio" name="states" value="1">after</label></fieldset>
<label><span class="label">Order</span><select id="order"><option value="name">by name</option><option value="fullest">the fullest first</option><option value="emptiest">the emptiest first</option></select></label>
<label><span class="label">Size of nodes</span><select id="size"><option value="small">small</option><option value="medium" selected>medium</option><option value="large">large</option></select></label>
<button type="reset">Show everything</button>
</form>
${LEGEND_HTML}
</aside>`;

const MIDDLE = `<main id="middle" tabindex="-1">
<noscript><p>This map is drawn by a script in this file, and scripts are switched off.</p></noscript>
<div id="overview" role="toolbar" aria-label="Clusters, by how full they are" hidden></div>
<div id="map" role="grid" aria-label="Nodes of the fleet, by cluster and pool" aria-readonly="true"></div>
<p id="none" hidden>No cluster is left: <strong>Show everything</strong> starts again.</p>
<details id="table"><summary>The same as a table</summary><div id="table-body"></div></details>
</main>`;

const RIGHT = `<aside id="right" aria-label="Details">
<div id="tabs" role="tablist" aria-label="Details"></div>
<div id="panels"></div>
</aside>`;
