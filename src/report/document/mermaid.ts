import { showInvisible } from '../../base/untrusted-text';

/** A graph to draw: groups of boxes, boxes outside of groups, and edges. */
export interface MermaidGraph {
  readonly groups: readonly { readonly box: MermaidBox; readonly inner: readonly MermaidBox[] }[];
  readonly boxes: readonly MermaidBox[];
  readonly edges: readonly MermaidEdge[];
}

/** A box with its lines of text. The key identifies the box. */
export interface MermaidBox {
  readonly key: string;
  readonly lines: readonly string[];
  readonly shape: keyof typeof SHAPES;
}

export interface MermaidEdge {
  readonly from: string;
  readonly to: string;

  /** The label of the arrow. Empty: no label. */
  readonly label: string;

  /** Whether only some requests take this path. */
  readonly dashed: boolean;
}

const SHAPES = { service: ['([', '])'], deployment: ['[', ']'], outside: ['{{', '}}'] } as const;

/** Formats a graph as Mermaid. Box IDs are generated, because names from users may be Mermaid keywords. */
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
      ...inner.map((innerBox) => `    ${line(innerBox)}`),
      '  end',
    ]),
    ...edges.map(({ from, to, label, dashed }) => {
      const arrow = dashed ? '-.->' : '-->';
      return `  ${idOf(from)} ${arrow}${label === '' ? '' : `|"${escapeMermaid(label)}"|`} ${idOf(to)}`;
    }),
    '',
  ].join('\n');
}

function escapeMermaid(text: string): string {
  return showInvisible(text).replace(/[^\w ./:%,-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
