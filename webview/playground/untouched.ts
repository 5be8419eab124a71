/** A record of the document and its globals, without its sessions' views. A test may reuse the page while nothing has changed. */
export class Untouched {
  private readonly marks = marksOf(document);
  private readonly globals = globalsOf(window);

  /** True while nothing has changed since this was created. */
  get holds(): boolean {
    const globals = globalsOf(window);
    return (
      this.marks === marksOf(document) &&
      globals.size === this.globals.size &&
      [...globals].every(([name, value]) => Object.is(value, this.globals.get(name)))
    );
  }
}

function marksOf({ documentElement, head, body, adoptedStyleSheets }: Document): string {
  const marks = [documentElement, head, body].map(({ attributes, childElementCount }) => [
    ...[...attributes].map(({ name, value }) => [name, value]),
    childElementCount,
  ]);
  return JSON.stringify([...marks, adoptedStyleSheets.map(({ cssRules }) => cssRules.length)]);
}

/** Returns the global values without getters, because the browser's own getters change all the time. */
function globalsOf(target: object): Map<string, unknown> {
  return new Map(Object.entries(Object.getOwnPropertyDescriptors(target)).map(([name, { value }]) => [name, value as unknown]));
}
