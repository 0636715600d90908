import type { JsonObject } from '../../../manifest/kubernetes/manifest';

/** A query of PromQL, and the name of its lines, with labels as `{{engine}}`. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** A panel: lines over time, or the last value. Units are those of Grafana. */
export interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly type: 'timeseries' | 'stat';
  readonly unit: string;
  readonly queries: readonly Query[];
}

/** A variable of a dashboard, whose values are those of a label. */
export interface Variable {
  readonly name: string;

  /** The series with the label of the same name. */
  readonly series: string;
}

interface Dashboard {
  /** Stable, so that an import replaces the dashboard. At most 40 characters. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];

  /** Three in a row. */
  readonly panels: readonly Panel[];
}

/** The data source that the reader chooses. */
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The version of the schema of dashboards. Grafana migrates older ones (@grafana/schema 13.2). */
const SCHEMA_VERSION = 39;

const WIDTH = 8;
const HEIGHT = 8;

/** Builds the JSON of a dashboard, for import and for the sidecar of Grafana. */
export function buildDashboard({ uid, title, description, variables, panels }: Dashboard): JsonObject {
  return {
    uid,
    title,
    description,
    tags: ['fleetwright'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', label: 'Data source', query: 'prometheus' },
        ...variables.map(toVariable),
      ],
    },
    annotations: { list: [] },
    panels: panels.map(toPanel),
  };
}

function toVariable({ name, series }: Variable): JsonObject {
  const query = `label_values(${series}, ${name})`;
  return {
    name,
    type: 'query',
    datasource: DATA_SOURCE,
    query: { query, refId: name },
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}

function toPanel({ title, description = '', type, unit, queries }: Panel, index: number): JsonObject {
  const gridPos = { x: (index % 3) * WIDTH, y: Math.floor(index / 3) * HEIGHT, w: WIDTH, h: HEIGHT };
  return {
    id: index + 1,
    type,
    title,
    description,
    datasource: DATA_SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: OPTIONS[type],
    targets: queries.map(({ expr, legend }, position) => ({
      refId: `query${position + 1}`,
      datasource: DATA_SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

const OPTIONS: Readonly<Record<Panel['type'], JsonObject>> = {
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  stat: {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    colorMode: 'value',
    graphMode: 'area',
    justifyMode: 'auto',
    orientation: 'auto',
    textMode: 'auto',
    wideLayout: true,
  },
};
