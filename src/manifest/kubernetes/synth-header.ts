/** The first line of a manifest file, without `#`. */
export function formatSynthHeader(owner: string, source: string | undefined): string {
  const from = source === undefined ? '' : ` from ${source}`;
  return `Written by fleetwright synth${from} for ${owner}. Changes made here are lost.`;
}

/** The start of the first line of a list of objects to delete, without `#`. */
export const DELETE_LIST_HEADER = 'Objects that fleetwright synth wrote for cluster';

/** Whether the start of a text is the header of a file that `synth` wrote. */
export function isWrittenBySynth(text: string): boolean {
  const [line = ''] = text.split('\n', 1);
  const isManifest =
    line.startsWith('# Written by fleetwright synth ') && line.endsWith(' Changes made here are lost.');
  return isManifest || line.startsWith(`# ${DELETE_LIST_HEADER} `);
}
