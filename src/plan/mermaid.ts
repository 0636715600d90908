/** What is drawn. */
export interface Graph {
  readonly groups: readonly { readonly box: Box; readonly inner: readonly Box[] }[];
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

/** A box with its lines; its key tells it from others. */
export interface Box {
  readonly key: string;
  readonly lines: readonly string[];
  readonly shape: keyof typeof SHAPES;
}

/** A line from one box to another. */
export interface Edge {
  readonly from: string;
  readonly to: string;

  /** Empty: none. */
  readonly label: string;

  /** Whether only some requests go there. */
  readonly dashed: boolean;
}

const SHAPES = { service: ['([', '])'], deployment: ['[', ']'], outside: ['{{', '}}'] } as const;

/** A graph as text of Mermaid. Names of boxes are numbers: those of users may be words of it. */
export function mermaid({ groups, boxes, edges }: Graph): string {
  const ids = new Map<string, string>();
  const idOf = (key: string): string => {
    const id = ids.get(key) ?? `n${ids.size}`;
    ids.set(key, id);
    return id;
  };
  const line = ({ key, lines, shape }: Box): string => {
    const [open, close] = SHAPES[shape];
    return `${idOf(key)}${open}"${lines.map(escaped).join('<br>')}"${close}`;
  };
  return [
    'flowchart LR',
    ...boxes.map((box) => `  ${line(box)}`),
    ...groups.flatMap(({ box, inner }) => [
      `  subgraph ${idOf(box.key)}["${box.lines.map(escaped).join('<br>')}"]`,
      ...inner.map((one) => `    ${line(one)}`),
      '  end',
    ]),
    ...edges.map(({ from, to, label, dashed }) => {
      const arrow = dashed ? '-.->' : '-->';
      return `  ${idOf(from)} ${arrow}${label === '' ? '' : `|"${escaped(label)}"|`} ${idOf(to)}`;
    }),
    '',
  ].join('\n');
}

/** Text that means itself, by the entities of Mermaid. */
function escaped(text: string): string {
  return text.replace(/[^\w ./:%,-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
