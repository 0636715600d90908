/** Mistakes by name: the text of a file of the product, and what stands in its place. */
declare const mutations: Readonly<
  Record<string, { readonly file: string; readonly from: string; readonly to: string }>
>;
export = mutations;
