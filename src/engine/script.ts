/** A word of a command line. */
export interface Word {
  readonly text: string;

  /** Whether it is all there: no variable or command stands in it whose value only the container knows. */
  readonly literal: boolean;
}

/** What can stand in a script of a shell, as far as command lines are concerned. */
const TOKEN =
  /(?<continued>\\\n)|\\(?<escaped>[^])|'(?<single>[^']*)'|"(?<double>(?:\\[^]|[^"\\])*)"|(?<expansion>\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|\$[A-Za-z_]\w*|\$[\d@*#?!$-]|`[^`]*`)|(?<redirection>&>>?|\d*(?:>>|>\||[<>]&|<<<?|[<>]))|(?<end>&&|\|\||[;&|()\n])|(?<blank>[ \t\r]+)|(?<comment>#[^\n]*)|(?<plain>[^\\'"$`&<>;|()\n \t\r#]+|[^])/g;

/** A variable or command within double quotes. */
const EXPANDED = /(?<!\\)(?:\\\\)*(?:\$[\w({@*#?!$-]|`)/;

/**
 * The command lines of a script, each as its words, in the order in which they stand. Enough of the grammar for what
 * people write in `sh -c`: quotes, continued lines, comments, lists, pipes, redirections. Nothing is run or expanded.
 *
 * @example
 * readScript('ray start && exec vllm serve "$MODEL" --tp 8'); // [['ray', 'start'], ['exec', 'vllm', 'serve', ...]]
 */
export function readScript(script: string): Word[][] {
  const reader = new ScriptReader();
  for (const { groups = {} } of script.matchAll(TOKEN)) reader.take(groups);
  return reader.finish();
}

class ScriptReader {
  readonly #commands: Word[][] = [[]];
  #word: Word | undefined;
  #redirected = false;

  take(token: Readonly<Record<string, string | undefined>>): void {
    const { escaped, single, double, expansion, redirection, end, blank, comment, plain } = token;
    if (escaped !== undefined || single !== undefined) this.#add(escaped ?? single ?? '');
    else if (double !== undefined) this.#add(double.replaceAll(/\\(["\\$`])/g, '$1'), !EXPANDED.test(double));
    else if (expansion !== undefined) this.#add(expansion, false);
    else if (plain !== undefined) this.#add(plain);
    else if (comment !== undefined) this.#comment(comment);
    else if (redirection !== undefined) this.#redirect();
    else if (end !== undefined) this.#end();
    else if (blank !== undefined) this.#break();
  }

  finish(): Word[][] {
    this.#end();
    return this.#commands.filter((words) => words.length > 0);
  }

  #add(text: string, literal = true): void {
    const before = this.#word ?? { text: '', literal: true };
    this.#word = { text: before.text + text, literal: before.literal && literal };
  }

  /** `#` within a word is no comment: what follows it up to a blank is of the word, and the rest words again. */
  #comment(text: string): void {
    if (!this.#word) return;
    this.#add('#');
    for (const { groups = {} } of text.slice(1).matchAll(TOKEN)) this.take(groups);
  }

  #redirect(): void {
    this.#break();
    this.#redirected = true;
  }

  #break(): void {
    if (this.#word && !this.#redirected) this.#commands.at(-1)?.push(this.#word);
    if (this.#word) this.#redirected = false;
    this.#word = undefined;
  }

  #end(): void {
    this.#break();
    this.#redirected = false;
    this.#commands.push([]);
  }
}
