import { App, type Chart, YamlOutputType } from 'cdk8s';

/** Settings of an app that put the objects of several clusters beside each other, and what is lost by it. */
const MIXED: Readonly<Partial<Record<YamlOutputType, string>>> = {
  [YamlOutputType.FILE_PER_APP]: 'FILE_PER_APP writes the objects of all clusters to one file',
  [YamlOutputType.FILE_PER_RESOURCE]:
    'FILE_PER_RESOURCE writes objects of equal names on different clusters to one file, over each other',
};

/** What is wrong with how an app writes the charts of clusters. */
export function outputMistakes(charts: ReadonlyMap<string, Chart>): string[] {
  const [first] = charts.values();
  const app: unknown = first?.node.root;
  const mixed = app instanceof App ? MIXED[app.yamlOutputType] : undefined;
  return charts.size > 1 && mixed !== undefined
    ? [`${mixed}. Use FILE_PER_CHART or FOLDER_PER_CHART_FILE_PER_RESOURCE.`]
    : [];
}
