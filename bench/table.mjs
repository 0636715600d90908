const COLUMNS = [
  { title: 'what', width: 50, text: ({ what }) => what },
  { title: 'clusters x pools', width: 17, text: ({ size }) => `${size.clusters} x ${size.pools}` },
  {
    title: 'deployments x replicas',
    width: 23,
    text: ({ size }) => `${size.deployments} x ${size.replicas}`,
  },
  { title: 'time', width: 10, text: ({ ms }) => duration(ms) },
  { title: 'processor', width: 11, text: ({ cpuMs }) => duration(cpuMs) },
  { title: 'memory', width: 10, text: ({ memoryMiB }) => `${Math.round(memoryMiB)} MiB` },
  {
    title: 'ratio',
    width: 12,
    text: ({ ratio }) => (ratio === undefined ? '' : `x ${ratio.toFixed(2)}`),
  },
  {
    title: 'to reading',
    width: 11,
    text: ({ ms, readMs }) => (readMs ? `x ${(ms / readMs).toFixed(2)}` : ''),
  },
  { title: 'goal', width: 12, text: goal },
];

/** Rows as lines, under titles where they are the first. */
export function table(rows, first) {
  const titles = COLUMNS.map(({ title, width }) => title.padEnd(width)).join('');
  const lines = rows.map((row) => COLUMNS.map(({ text, width }) => text(row).padEnd(width)).join(''));
  return `${[...(first ? [titles] : []), ...lines].map((line) => line.trimEnd()).join('\n')}\n`;
}

function goal({ goalMs, goalMiB, goalRatio, missed }) {
  const time = goalMs ? duration(goalMs) : goalRatio ? `x ${goalRatio}` : '';
  const text = goalMiB ? `${time}, ${goalMiB} MiB` : time;
  return missed ? `${text} MISSED` : text;
}

function duration(ms) {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
