/** The path of the bundle of the sources as they are. */
declare function bundleSources(): Promise<string>;
export = bundleSources;
