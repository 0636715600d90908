/** What is drawn. */
export interface MermaidGraph {
  readonly groups: readonly { readonly box: MermaidBox; readonly inner: readonly MermaidBox[] }[];
  readonly boxes: readonly MermaidBox[];
  readonly edges: readonly MermaidEdge[];
}

/** A box with its lines; its key tells it from others. */
export interface MermaidBox {
  readonly key: string;
  readonly lines: readonly string[];
  readonly shape: keyof typeof SHAPES;
}

/** A line from one box to another. */
export interface MermaidEdge {
  readonly from: string;
  readonly to: string;

  /** Empty: none. */
  readonly label: string;

  /** Whether only some requests go there. */
  readonly dashed: boolean;
}

const SHAPES = { service: ['([', '])'], deployment: ['[', ']'], outside: ['{{', '}}'] } as const;

/** A graph as text of Mermaid. Names of boxes are numbers: those of users may be words of it. */
export function formatMermaid({ groups, boxes, edges }: MermaidGraph): string {
  const ids = new Map<string, string>();
  const idOf = (key: string): string => {
    const id = ids.get(key) ?? `n${ids.size}`;
    ids.set(key, id);
    return id;
  };
  const line = ({ key, lines, shape }: MermaidBox): string => {
    const [open, close] = SHAPES[shape];
    return `${idOf(key)}${open}"${lines.map(escapeMermaid).join('<br>')}"${close}`;
  };
  return [
    'flowchart LR',
    ...boxes.map((box) => `  ${line(box)}`),
    ...groups.flatMap(({ box, inner }) => [
      `  subgraph ${idOf(box.key)}["${box.lines.map(escapeMermaid).join('<br>')}"]`,
      ...inner.map((one) => `    ${line(one)}`),
      '  end',
    ]),
    ...edges.map(({ from, to, label, dashed }) => {
      const arrow = dashed ? '-.->' : '-->';
      return `  ${idOf(from)} ${arrow}${label === '' ? '' : `|"${escapeMermaid(label)}"|`} ${idOf(to)}`;
    }),
    '',
  ].join('\n');
}

/** Text that means itself, by the entities of Mermaid. */
function escapeMermaid(text: string): string {
  return text.replace(/[^\w ./:%,-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
