/** A sign of the map, as markup of our own, and what it means. */
interface Sign {
  readonly sample: string;
  readonly text: string;
}

const segment = (more: string, text = ''): string => `<span class="seg ${more}">${text}</span>`;
const node = (kind: string, text: string): string => `<span class="node ${kind}">${text}</span>`;

const SIGNS: readonly Sign[] = [
  { sample: segment('', 'name'), text: 'devices that a pod of the deployment takes' },
  { sample: segment('surge', 'name'), text: 'kept for rollouts, idle until there is one' },
  { sample: '<span class="free"></span>', text: 'free devices' },
  { sample: node('always', '\u00d737'), text: 'so many nodes that hold the same' },
  { sample: node('autoscaled', 'auto'), text: 'dashed: an autoscaler adds it; not bought while it is empty' },
  { sample: node('held', 'held'), text: 'free here, and held: the cluster may spread pods over it' },
  { sample: node('lost', 'lost'), text: 'a snapshot shows it as lost' },
  { sample: segment('place', '<b>+</b>name'), text: 'placed; \u2192 moves here; \u21bb rolled in place' },
  { sample: segment('leaving', '<b>\u2197</b>name'), text: 'leaving; \u2212 removed' },
];

/** What the signs of a map mean. */
export const LEGEND = `<details id="legend" open><summary>Signs</summary>
<ul class="key">
${SIGNS.map(({ sample, text }) => `<li><span class="sample" aria-hidden="true">${sample}</span>${text}</li>`).join('\n')}
</ul>
<p class="muted">Where pods stand within a pool is one arrangement that fits: the cluster chooses.</p></details>`;
