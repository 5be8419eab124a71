/** The modules of a folder, by the names of their files. `build/folders.mjs` and `test/support/tsx.cjs` create them. */
declare module 'folder:./features' {
  const features: Readonly<Record<string, import('../application/routing/feature').Feature<import('./routing/feature').FeatureServices>>>;
  export default features;
}
